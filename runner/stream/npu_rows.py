"""The outputs of npu-smi that are rows under one header: `info watch` and `info -m`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .device_types import Device, number, whole, word

_CELL = re.compile(r"\S+(?: \S+)*")  # one blank may be within a cell, two end it
_LABEL = re.compile(r"[A-Za-z][\w ]{0,40}?\([^)]{0,10}\)")  # as wide as its column: `Ctrl Cpu(%) Memory(%)`
_LEADING = re.compile(r"([0-9]{1,9})")
_WATCHED = {"pwr(w)": "power_w", "temp(c)": "temperature_c", "ai core(%)": "utilization_pct", "memory(%)": "memory_pct"}


class WatchReader:
    """Reads the endless stream of ``npu-smi info watch``, a line at a time; columns follow its ``-s`` letters."""

    def __init__(self) -> None:
        self._labels: list[str] = []

    def take(self, line: str) -> Device | None:
        """The device that a row tells of; None for headers and for what is no row."""
        if "npuid(idx)" in line.lower():
            self._labels = [match[0].lower() for match in _LABEL.finditer(line)]
            return None
        fields = line.split()
        if not self._labels or len(fields) != len(self._labels):
            return None
        npu = chip = None
        values: dict[str, float | None] = {}
        for label, text in zip(self._labels, fields, strict=True):
            leading = _LEADING.match(text)
            if label == "npuid(idx)":
                npu = int(leading[1]) if leading else None
            elif label == "chipid(idx)":
                chip = int(leading[1]) if leading else None
            elif label in _WATCHED:
                values[_WATCHED[label]] = number(text)
        if npu is None:
            return None
        return Device(
            npu,
            chip,
            power_w=values.get("power_w"),
            temperature_c=values.get("temperature_c"),
            utilization_pct=values.get("utilization_pct"),
            memory_pct=values.get("memory_pct"),
        )


def parse_watch(lines: Iterable[str]) -> list[Device]:
    """The last row of each chip, in the order in which the chips appeared."""
    reader = WatchReader()
    latest: dict[tuple[int | None, int | None], Device] = {}
    for line in lines:
        if device := reader.take(line):
            latest[device.npu, device.chip] = device
    return list(latest.values())


def parse_mapping(lines: Iterable[str]) -> list[Device]:
    """``npu-smi info -m``: which chips there are and what they are called; the management chips are left out.

    Columns are NPU ID, Chip ID, Chip Logic ID, Chip Name, on newer drivers also Chip Phy-ID, on a 950 Slot ID.
    """
    labels: list[str] = []
    found: list[Device] = []
    for line in lines:
        if "|" in line or ":" in line:
            labels = labels if line.strip() == "" else []
            continue
        cells = [match[0] for match in _CELL.finditer(line.replace("\t", "  "))]
        low = [cell.lower() for cell in cells]
        if "npu id" in low and "chip name" in low:
            labels = low
        elif labels and len(cells) == len(labels):
            row = dict(zip(labels, cells, strict=True))
            npu, name = whole(row["npu id"]), word(row["chip name"])
            if npu is not None and (name or "").lower() != "mcu":
                found.append(
                    Device(npu, whole(row.get("chip id", "")), phy_id=whole(row.get("chip phy-id", "")), name=name)
                )
    return found
