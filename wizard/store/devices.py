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


@dataclass(frozen=True, slots=True)
class Sample:
    """One line of devices.jsonl: CPU of the run in percent of all cores, memory in MiB.

    ``device_age`` is how many seconds older than the line the devices' part is; ``problems`` are codes of what keeps
    the device tool from answering.
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


def read_sample(row: Mapping[str, Any]) -> Sample:
    """A sample from a row; odd values are left out rather than refused."""
    cpu = _mapping(row.get("cpu"))
    devices: list[Device] = []
    entries = row.get("devices")
    for entry in cast("list[Any]", entries) if isinstance(entries, list) else []:
        one = _mapping(entry)
        if not one:
            continue
        npu, chip = one.get("npu"), one.get("chip")
        name = f"{npu}" if chip in (None, "") else f"{npu}.{chip}"
        devices.append(
            Device(
                name if npu is not None else "–",
                str(one.get("name") or ""),
                str(one.get("health") or ""),
                _number(one, "utilization_pct"),
                _number(one, "memory_used_mib"),
                _number(one, "memory_total_mib"),
                _number(one, "temperature_c"),
                _number(one, "power_w"),
            )
        )
    cores, percent, processes = (_number(cpu, name) for name in ("cores", "percent", "processes"))
    return Sample(
        _number(row, "time"),
        str(row.get("source") or ""),
        percent / cores if percent is not None and cores else None,  # 100 is one core there
        int(cores) if cores is not None else None,
        _number(cpu, "memory_mib"),
        _number(cpu, "available_mib"),
        int(processes) if processes is not None else None,
        tuple(devices),
        _number(row, "age_s"),
        _texts(row.get("problems")),
    )


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
