"""Devices and their processes as aligned text."""

from __future__ import annotations

from collections.abc import Callable

from ...stream import clean_line
from ...stream.devices import Device, DeviceTable
from ..columns import table, width
from .texts import text

_RED, _YELLOW, _PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[0m"


def device_lines(devices: DeviceTable, lang: str, colour: bool) -> list[str]:
    """Lines for a terminal or a pipe; columns in which no device reports anything are left out.

    Args:
        devices: what the tool told.
        lang: en or zh.
        colour: mark rows that are not healthy; only for a terminal.
    """
    source = devices.source or "-"
    if devices.driver:
        lines = [text("title", lang, source=source, driver=clean_line(devices.driver))]
    else:
        lines = [text("title.plain", lang, source=source)]
    lines += _table(devices, lang, colour)
    if any(one.processes for one in devices.devices):
        lines += ["", *_processes(devices, lang)]
    return lines


def _card(devices: DeviceTable) -> str:
    return "col.gpu" if devices.source == "nvidia-smi" else "col.npu"


def _table(devices: DeviceTable, lang: str, colour: bool) -> list[str]:
    columns: list[tuple[str, Callable[[Device], str]]] = [
        (_card(devices), lambda one: _shown(one.npu)),
        ("col.chip", lambda one: _shown(one.chip)),
        ("col.phy_id", lambda one: _shown(one.phy_id)),
        ("col.name", lambda one: _shown(one.name)),
        ("col.health", lambda one: _shown(one.health)),
        ("col.power", lambda one: _shown(one.power_w)),
        ("col.temperature", lambda one: _shown(one.temperature_c)),
        ("col.utilization", lambda one: "" if one.utilization_pct is None else f"{one.utilization_pct} %"),
        ("col.memory", lambda one: _memory(one, lang)),
        ("col.bus", lambda one: _shown(one.bus_id)),
    ]
    rows = [[of(one) for _, of in columns] for one in devices.devices]
    kept = [i for i in range(len(columns)) if i == 0 or any(row[i] for row in rows)]
    cells = [[text(columns[i][0], lang) for i in kept], *([row[i] or "-" for i in kept] for row in rows)]
    right = {"col.power", "col.temperature", "col.utilization", "col.memory", "col.chip", "col.phy_id", _card(devices)}
    for place, i in enumerate(kept):
        if columns[i][0] in right:
            widest = max(width(row[place]) for row in cells)
            for row in cells:
                row[place] = " " * (widest - width(row[place])) + row[place]
    head, *body = table(cells[0], cells[1:])
    if not colour:
        return [head, *body]
    return [head, *(_coloured(line, one) for line, one in zip(body, devices.devices, strict=True))]


def _coloured(line: str, device: Device) -> str:
    word = (device.health or "OK").lower()
    if word == "ok":
        return line
    return (_RED if word in ("alarm", "critical") else _YELLOW) + line + _PLAIN


def _processes(devices: DeviceTable, lang: str) -> list[str]:
    chips = any(one.chip is not None for one in devices.devices)
    names = [_card(devices), *(["col.chip"] if chips else []), "col.pid", "col.memory", "col.process"]
    rows: list[list[str]] = []
    for one in devices.devices:
        for process in one.processes:
            place = [_shown(one.npu), *([_shown(one.chip)] if chips else [])]
            rows.append([*place, _shown(process.pid), _shown(process.memory_mib), _shown(process.name)])
    return table([text(name, lang) for name in names], [[cell or "-" for cell in row] for row in rows])


def _memory(device: Device, lang: str) -> str:
    used, total = device.memory_used_mib, device.memory_total_mib
    if used is None and device.memory_pct is not None:
        return text("share", lang, share=device.memory_pct, total=total) if total else f"{device.memory_pct} %"
    if used is None and total is None:
        return ""
    return f"{_shown(used) or '-'} / {_shown(total) or '-'}"


def _shown(value: float | str | None) -> str:
    return "" if value is None else clean_line(str(value))
