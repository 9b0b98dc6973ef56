"""The table of `npu-smi info`, from 23.x to 26.x: 310, 310P, 910, A2, A3, 950.

Each chip takes two rows. The headers decide what is in them: `Chip` alone is an A2 (one chip a card), `Chip Phy-ID` an
A3 (two dies), `Chip Device` a 310 (no HBM column), and on a 950 the name has a cell of its own and there are no chips.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .device_types import Device, DeviceProblem, DeviceProcess, DeviceTable, whole, word
from .npu_cells import Labels, Pair, cells_of

_TITLE = re.compile(r"npu-smi[ ]+(?P<tool>[\w.+-]+)(?:.{0,80}?Version:[ ]*(?P<driver>[\w.+-]*))?", re.IGNORECASE)
_HEALTH = frozenset({"ok", "warning", "alarm", "critical", "unknown", "minor", "major", "offline"})
_WORD = re.compile(r"[A-Za-z][A-Za-z ]+")


@dataclass(frozen=True, slots=True)
class _Layout:
    """What the headers of the device table said. The default is the A2 layout, for rows without a header."""

    health: int = 1
    name: int | None = None
    first: Labels = field(default_factory=lambda: Labels.of("Power(W) Temp(C) Hugepages-Usage(page)"))
    second: Labels = field(default_factory=lambda: Labels.of("AICore(%) Memory-Usage(MB) HBM-Usage(MB)"))
    physical: bool = False
    seen: bool = False


@dataclass(slots=True)
class _Reading:
    driver: str | None = None
    titled: bool = False
    devices: list[Device] = field(default_factory=list[Device])
    processes: list[tuple[int | None, int | None, DeviceProcess]] = field(
        default_factory=list[tuple[int | None, int | None, DeviceProcess]]
    )
    problems: list[DeviceProblem] = field(default_factory=list[DeviceProblem])
    layout: _Layout = field(default_factory=_Layout)
    pending: Device | None = None
    columns: list[str] | None = None  # of the process table, while in it

    def problem(self, code: str, cells: list[str]) -> None:
        excerpt = "|".join(" ".join(cell.split()) for cell in cells)
        self.problems.append(DeviceProblem(code, excerpt[:200]))

    def end_device(self) -> None:
        if self.pending is not None:
            self.devices.append(self.pending)
            self.problems.append(DeviceProblem("half_row", f"NPU {self.pending.npu}"))
            self.pending = None


def parse_npu_table(lines: Iterable[str]) -> DeviceTable | None:
    """Read clean lines; of several tables the last one that lists devices. None where there is no table."""
    readings = [_Reading()]
    for line in lines:
        raw = cells_of(line)
        if raw is None:
            continue
        cells = [cell.strip() for cell in raw]
        title = _TITLE.search(line) if len(cells) == 1 else None
        if title:
            readings[-1].end_device()
            if readings[-1].devices:
                readings.append(_Reading())
            readings[-1].driver = title["driver"] or title["tool"]
            readings[-1].titled = True
        else:
            _take(readings[-1], raw, cells)
    readings[-1].end_device()
    found = next((one for one in reversed(readings) if one.devices), readings[-1])
    if not (found.devices or found.titled or found.layout.seen or found.columns):
        return None
    devices = _with_processes(found)
    return DeviceTable("npu-smi", found.driver, tuple(devices), tuple(found.problems))


def _take(reading: _Reading, raw: list[str], cells: list[str]) -> None:
    low = [" ".join(cell.lower().split()) for cell in cells]
    if "health" in low and low[0].startswith("npu"):
        at = low.index("health")
        reading.end_device()
        reading.columns = None
        name = low.index("name") if "name" in low else None
        reading.layout = _Layout(at, name, first=Labels.of("|".join(raw[at + 1 :])), seen=True)
    elif "bus-id" in low and reading.layout.seen:
        at = low.index("bus-id")
        second = Labels.of("|".join(raw[at + 1 :]))
        reading.layout = replace(reading.layout, second=second, physical="phy-id" in low[0])
    elif "process id" in low:
        reading.end_device()
        reading.columns = low
    elif len(cells) >= 3 and reading.columns is not None:
        _take_process(reading, cells)
    elif len(cells) >= 3:
        _take_row(reading, raw, cells)


def _take_row(reading: _Reading, raw: list[str], cells: list[str]) -> None:
    layout = reading.layout
    at = layout.health
    if len(cells) < at + 2:
        if layout.seen:
            reading.problem("bad_row", cells)
        return
    middle, values = cells[at], "|".join(raw[at + 1 :])
    if reading.pending is not None and (":" in middle or not _is_health(middle)):
        reading.devices.append(_second_row(reading.pending, layout, cells[0], middle, values))
        reading.pending = None
        return
    reading.end_device()
    ids = cells[0].split()
    npu = whole(ids[0]) if ids else None
    if ":" in middle or npu is None:
        if layout.seen:
            reading.problem("bad_row", cells)
        return
    if not layout.seen and (len(ids) < 2 or middle.lower() not in _HEALTH):
        return  # bars of something else, a log line before the table
    name = cells[layout.name] if layout.name is not None else " ".join(ids[1:])
    singles, _ = layout.first.read(values)
    reading.pending = Device(
        npu=npu,
        name=word(name),
        health=word(middle),
        power_w=_pick(singles, "power"),
        temperature_c=_pick(singles, "temp"),
    )


def _is_health(text: str) -> bool:
    return word(text) is not None and bool(_WORD.fullmatch(text))


def _second_row(device: Device, layout: _Layout, left: str, bus: str, values: str) -> Device:
    ids = left.split()
    singles, pairs = layout.second.read(values)
    used, total = _memory(pairs)
    return replace(
        device,
        chip=whole(ids[0]) if ids else None,
        phy_id=whole(ids[1]) if layout.physical and len(ids) > 1 else None,
        bus_id=word(bus),
        utilization_pct=_pick(singles, "aicore", "util"),
        memory_used_mib=used,
        memory_total_mib=total,
    )


def _pick(values: dict[str, float | None], *words: str) -> float | None:
    return next((value for label, value in values.items() if any(one in label for one in words)), None)


def _memory(pairs: dict[str, Pair]) -> Pair:
    hbm = next((pair for label, pair in pairs.items() if "hbm" in label), None)
    other = next((pair for label, pair in pairs.items() if "memory" in label), None)
    if hbm and (hbm[1] or not other):
        return hbm
    if other and other[1]:
        return other
    return hbm or other or (None, None)


def _take_process(reading: _Reading, cells: list[str]) -> None:
    columns = reading.columns or []
    extra = len(cells) - len(columns)
    at = columns.index("process name") if "process name" in columns else -1
    if extra > 0 and at >= 0:  # a bar in the name of a process
        cells = [*cells[:at], "|".join(cells[at : at + extra + 1]), *cells[at + extra + 1 :]]
    by_name = dict(zip(columns, cells, strict=False))
    ids = cells[0].split()
    memory = next((value for label, value in by_name.items() if label.startswith("process memory")), "")
    npu, chip = (whole(ids[0]) if ids else None), (whole(ids[1]) if len(ids) > 1 else None)
    process = DeviceProcess(whole(by_name.get("process id", "")), word(by_name.get("process name", "")), whole(memory))
    if npu is None:
        reading.problem("bad_row", cells)
    elif process != DeviceProcess(None):  # a 950 prints a row of NA for an idle card
        reading.processes.append((npu, chip, process))


def _with_processes(reading: _Reading) -> list[Device]:
    of_device: list[list[DeviceProcess]] = [[] for _ in reading.devices]
    for npu, chip, process in reading.processes:
        same = [i for i, one in enumerate(reading.devices) if one.npu == npu]
        exact = [i for i in same if reading.devices[i].chip == chip]
        if not exact and (chip is None or len(same) == 1):
            exact = same
        if exact:
            of_device[exact[0]].append(process)
        else:
            text = f"NPU {npu}, chip {chip}, process {process.pid}"
            reading.problems.append(DeviceProblem("process_without_device", text))
    return [replace(device, processes=tuple(found)) for device, found in zip(reading.devices, of_device, strict=True)]
