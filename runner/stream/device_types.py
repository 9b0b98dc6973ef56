"""What a device tool reported, as values. A field that was not reported is None, never a guess."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

# Tools print these where they have nothing to say: the second die of an A3 card has power `-`, a 310P `NA`.
_NOTHING = frozenset(
    {"", "-", "--", "na", "n/a", "none", "[n/a]", "[not supported]", "[unknown error]", "not supported"}
)
_NUMBER = re.compile(r"[+-]?[0-9]{1,12}(?:\.[0-9]{1,6})?")


@dataclass(frozen=True, slots=True)
class DeviceProcess:
    """A process that holds device memory.

    Attributes:
        pid: as the tool counts it: on Ascend the pid of the host, even inside a container.
        name: may be cut by the tool (13 to 16 characters) or missing.
        memory_mib: device memory in MiB.
    """

    pid: int | None
    name: str | None = None
    memory_mib: int | None = None


@dataclass(frozen=True, slots=True)
class Device:
    """One chip (die) of an NPU card, or one GPU.

    Attributes:
        npu: id of the card; ids have gaps (310P: 0, 32, 32768). The index of a GPU.
        chip: chip on the card; None where the tool knows no chips (GPUs, Ascend 950).
        phy_id: A3 only: the number that ASCEND_RT_VISIBLE_DEVICES takes.
        name: ``910B3``; not the machine: an A3 die calls itself ``Ascend910``.
        health: the word of the tool: OK, Warning, Alarm, Critical, UNKNOWN.
        power_w: of the whole card, on an A3 reported for its first die only.
        temperature_c: of the chip, in degrees Celsius.
        utilization_pct: of the AI cores (the GPU), 0 to 100.
        memory_used_mib: HBM where there is any, else DDR. An idle 64 GiB chip holds about 3 GiB itself.
        memory_total_mib: of the same memory.
        bus_id: PCI address as printed.
        processes: as listed by the tool.
        memory_pct: where only a share of the memory is reported (``-t usages``, ``watch``).
    """

    npu: int | None
    chip: int | None = None
    phy_id: int | None = None
    name: str | None = None
    health: str | None = None
    power_w: float | None = None
    temperature_c: float | None = None
    utilization_pct: float | None = None
    memory_used_mib: int | None = None
    memory_total_mib: int | None = None
    bus_id: str | None = None
    processes: tuple[DeviceProcess, ...] = ()
    memory_pct: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The fields of ``agentic-rl devices --json``."""
        names = ("npu", "chip", "name", "health", "power_w", "temperature_c", "utilization_pct", "memory_used_mib",
                 "memory_total_mib", "bus_id")  # fmt: skip
        row: dict[str, Any] = {name: getattr(self, name) for name in names}
        row["processes"] = [{"pid": p.pid, "name": p.name, "memory_mib": p.memory_mib} for p in self.processes]
        return row


@dataclass(frozen=True, slots=True)
class DeviceProblem:
    """Something that was wrong with the output: a code (device_faults.py lists them) and the line it was read from."""

    code: str
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class DeviceTable:
    """All that one output tells.

    Attributes:
        source: ``npu-smi``, ``nvidia-smi``, or None when nothing was recognised.
        driver: version of the driver.
    """

    source: str | None = None
    driver: str | None = None
    devices: tuple[Device, ...] = ()
    problems: tuple[DeviceProblem, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """What ``agentic-rl devices --json`` prints."""
        return {"source": self.source, "driver": self.driver, "devices": [one.as_json() for one in self.devices]}


def word(text: str) -> str | None:
    """The text, or None where a tool has nothing to say."""
    text = text.strip()
    return None if text.lower() in _NOTHING else text


def number(text: str) -> float | None:
    """A number as printed (``424.0`` is a float, ``64`` an int), or None."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    return float(text) if "." in text else int(text)


def whole(text: str) -> int | None:
    """A whole number, or None."""
    value = number(text)
    return None if value is None else round(value)
