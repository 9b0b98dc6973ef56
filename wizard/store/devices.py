"""Samples of devices.jsonl in a form that can be shown; what is not reported stays None."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class Device:
    """One accelerator. Memory in MiB, power in watts, temperature in degrees Celsius, utilisation in percent."""

    name: str
    model: str
    health: str
    utilization: float | None
    memory_used: float | None
    memory_total: float | None
    temperature: float | None
    power: float | None
    node: str = ""
    """Address of the machine it is in; "" where the run has one machine only."""

    @property
    def key(self) -> str:
        """Tells it from all other devices of the run."""
        return f"{self.node}/{self.name}" if self.node else self.name


@dataclass(frozen=True, slots=True)
class Node:
    """One machine of a run on several.

    ``age`` is how many seconds older than the line its devices are, None where it never listed any; ``problems`` are
    codes of what keeps it from telling.
    """

    address: str
    age: float | None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """One line of devices.jsonl: CPU of the run in percent of all cores, memory in MiB.

    ``device_age`` is how many seconds older than the line the devices' part is; ``problems`` are codes of what keeps
    the device tool from answering. ``nodes`` is empty where the run has one machine only.
    """

    time: float | None
    source: str
    cpu: float | None
    cores: int | None
    memory: float | None
    free: float | None
    processes: int | None
    devices: tuple[Device, ...]
    device_age: float | None = None
    problems: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()

    def age_of(self, device: Device) -> float:
        """How many seconds older than the line a device's numbers are."""
        ages = [one.age for one in self.nodes if one.address == device.node] if device.node else [self.device_age]
        return next((age for age in ages if age is not None), 0.0)


def read_sample(row: Mapping[str, Any]) -> Sample:
    """A sample from a row; odd values are left out rather than refused."""
    cpu = _mapping(row.get("cpu"))
    cores, percent, processes = (_number(cpu, name) for name in ("cores", "percent", "processes"))
    return Sample(
        _number(row, "time"),
        str(row.get("source") or ""),
        percent / cores if percent is not None and cores else None,  # 100 is one core there
        int(cores) if cores is not None else None,
        _number(cpu, "memory_mib"),
        _number(cpu, "available_mib"),
        int(processes) if processes is not None else None,
        tuple(_device(one) for one in _mappings(row.get("devices"))),
        _number(row, "age_s"),
        _texts(row.get("problems")),
        tuple(
            Node(_word(one.get("node")) or "–", _number(one, "age_s"), _texts(one.get("problems")))
            for one in _mappings(row.get("nodes"))
        ),
    )


def _device(row: Mapping[str, Any]) -> Device:
    npu, chip = row.get("npu"), row.get("chip")
    name = f"{npu}" if chip in (None, "") else f"{npu}.{chip}"
    return Device(
        name if npu is not None else "–",
        str(row.get("name") or ""),
        str(row.get("health") or ""),
        _number(row, "utilization_pct"),
        _number(row, "memory_used_mib"),
        _number(row, "memory_total_mib"),
        _number(row, "temperature_c"),
        _number(row, "power_w"),
        _word(row.get("node")),
    )


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return [found for entry in entries if (found := _mapping(entry))]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return tuple(entry for entry in entries if isinstance(entry, str))


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _number(row: Mapping[str, Any], name: str) -> float | None:
    value = row.get(name)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None
