"""The key/value outputs of `npu-smi info -t usages|common|board|health|ecc|temp|power|memory|proc-mem` and `-l`.

A key is padded to 30 or 40 columns, some versions indent with a tab. `Chip ID` is the first key of a chip's block in
some outputs and the last one in others; a block of the card's management chip (`Chip Name : mcu`) is nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from .device_types import Device, DeviceProcess, number, whole, word

_KEY = re.compile(r"\s{0,40}(?P<key>[A-Za-z][^:|]{0,60}?)(?P<pad>[ \t]{0,60}):[ \t]{0,40}(?P<value>[^|]{0,300})\Z")
_PROCESS = re.compile(
    r"Process id\s{0,4}:\s{0,4}([0-9]{1,12})\s{1,40}Process name\s{0,4}:(.{0,200}?)\s{0,80}"
    r"Process memory\(MB\)\s{0,4}:\s{0,4}([0-9]{1,12}|NA)",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"npu-smi info\b.{0,80}?-i +(?P<npu>[0-9]{1,9})(?:\b.{0,40}?-c +(?P<chip>[0-9]{1,9}))?")
_PAIR = re.compile(r"([0-9]{1,12})\s{0,12}/\s{0,12}([0-9]{1,12})")
_HEALTH = frozenset({"ok", "warning", "alarm", "critical", "unknown"})

_POWER = ("npureal-timepower(w)", "power(w)", "powerdissipation(w)", "chippower(w)")
_HEAT = ("temperature(c)", "nputemperature(c)", "chiptemperature(c)")
_BUSY = ("aicoreusagerate(%)", "npuutilization(%)")
_TOTAL = ("hbmcapacity(mb)", "ddrcapacity(mb)", "memorycapacity(mb)")
_SHARE = ("hbmusagerate(%)", "ddrusagerate(%)", "memoryusagerate(%)")
_USED = ("hbmusedmemory(mb)", "hbmusage(mb)", "hbmused(mb)")
_OTHER = ("softwareversion", "pciebusinfo", "healthstatus")
# A block without an NPU ID (a query of one chip prints none) counts when it holds one of these.
_OURS = frozenset({*_POWER, *_HEAT, *_BUSY, *_TOTAL, *_SHARE, *_USED, *_OTHER})
_MANAGEMENT = frozenset({"mcu", "3559"})


@dataclass(slots=True)
class NpuKeys:
    """What one block said of one chip.

    Attributes:
        npu: None where the output names none.
        chip: None for what is said of the card (`-t board` without `-c`), or of a 950.
        values: by key without blanks, in lower case: ``hbmcapacity(mb)``.
    """

    npu: int | None = None
    chip: int | None = None
    values: dict[str, str] = field(default_factory=dict[str, str])
    processes: list[DeviceProcess] = field(default_factory=list[DeviceProcess])

    @property
    def counts(self) -> bool:
        """Whether the block is one of npu-smi, and not of any other text with colons."""
        if self.npu is not None:
            return bool(self.values or self.processes or self.chip is not None)
        return bool(self.processes) or not _OURS.isdisjoint(self.values)

    @property
    def driver(self) -> str | None:
        """The version of the driver, which `-t board` calls the software's."""
        return word(self.values.get("softwareversion", ""))

    def device(self) -> Device:
        """As a device. Used memory stays None where only a share is told: 5 % of 64 GiB is no number of MiB."""
        used, total = _memory(self.values)
        return Device(
            npu=self.npu,
            chip=self.chip,
            phy_id=whole(self.values.get("chipphy-id", "")),
            name=word(self.values.get("chipname", "")) or word(self.values.get("productname", "")),
            health=word(self.values.get("health", "")) or word(self.values.get("healthstatus", "")),
            power_w=_first(self.values, _POWER),
            temperature_c=_first(self.values, _HEAT),
            utilization_pct=_first(self.values, _BUSY),
            memory_used_mib=used,
            memory_total_mib=total,
            bus_id=word(self.values.get("pciebusinfo", "")),
            processes=tuple(self.processes),
            memory_pct=_share(self.values),
        )


def _first(values: dict[str, str], keys: tuple[str, ...]) -> float | None:
    return next((found for key in keys if (found := number(values.get(key, ""))) is not None), None)


def _total(values: dict[str, str]) -> tuple[int, int | None]:
    """Index and size of the memory that counts: HBM, else DDR; a chip with HBM says `DDR Capacity(MB) : 0`."""
    sizes = [whole(values.get(key, "")) for key in _TOTAL]
    return next(((i, size) for i, size in enumerate(sizes) if size), (-1, None))


def _memory(values: dict[str, str]) -> tuple[int | None, int | None]:
    total = _total(values)[1]
    for key in _USED:
        if match := _PAIR.fullmatch(values.get(key, "")):
            return int(match[1]), int(match[2])
        if (used := whole(values.get(key, ""))) is not None:
            return used, total
    return None, total


def _share(values: dict[str, str]) -> float | None:
    at = _total(values)[0]
    if at >= 0:
        return number(values.get(_SHARE[at], ""))
    return _first(values, _SHARE)


@dataclass(slots=True)
class _Blocks:
    done: list[NpuKeys] = field(default_factory=list[NpuKeys])
    block: NpuKeys = field(default_factory=NpuKeys)
    blank: bool = False  # a blank line since the last value
    management: bool = False

    def end(self, npu: int | None, chip: int | None = None) -> None:
        if self.block.counts:
            self.done.append(self.block)
        self.block = NpuKeys(npu, chip)
        self.management = False
        self.blank = False

    def take(self, key: str, value: str) -> None:
        if key == "npuid":
            self.end(whole(value))
        elif key == "chipid":
            self._chip(whole(value))
        elif key == "chipname" and value.lower() in _MANAGEMENT:
            if self.blank:  # what came before the blank line is of the chip before
                self.end(self.block.npu)
            elif self.block.chip is None:
                self.block.values.clear()  # its name ends its block
            self.management = True
        elif not self.management and key not in ("chipcount", "totalcount"):
            if self.blank and key in self.block.values and self.block.chip is None:
                self.end(self.block.npu)
            self.block.values[key] = value
            self.blank = False

    def _chip(self, chip: int | None) -> None:
        if self.block.chip is None and (self.block.values or self.block.processes) and not self.management:
            self.block.chip = chip  # the last key of its block
            self.end(self.block.npu)
        else:
            self.end(self.block.npu, chip)


def parse_npu_keys(lines: Iterable[str]) -> list[NpuKeys]:
    """Read clean lines; the blocks in their order, none for text that is not npu-smi's."""
    blocks = _Blocks()
    for line in lines:
        if not line.strip():
            blocks.blank = True
        elif match := _COMMAND.search(line):
            blocks.end(int(match["npu"]), int(match["chip"]) if match["chip"] else None)
        elif match := _PROCESS.search(line):
            process = DeviceProcess(int(match[1]), word(match[2]), whole(match[3]))
            blocks.block.processes.append(process)
        elif match := _KEY.match(line):
            key = re.sub(r"[\s_]", "", match["key"]).lower()
            value = match["value"].strip()
            if key == "health" and value.lower() in _HEALTH and len(match["key"] + match["pad"]) >= 20:
                key = "health" if blocks.block.npu is not None else "healthstatus"
            blocks.take(key, value)
    blocks.end(None)
    return blocks.done
