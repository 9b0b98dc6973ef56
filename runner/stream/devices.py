"""Reads what a device tool printed, whichever of its commands it was; knows the tools' outputs, starts none of them.

Never raises: what is no output of `npu-smi` or `nvidia-smi` gives a table without source and with the problem
``nothing``, garbage between good rows gives problems beside the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace

from .device_faults import find_faults
from .device_types import Device, DeviceProblem, DeviceProcess, DeviceTable
from .lines import clean_line
from .npu_keys import NpuKeys, parse_npu_keys
from .npu_rows import parse_mapping, parse_watch
from .npu_table import parse_npu_table
from .nvidia_csv import GPU_QUERY, PROCESS_QUERY, parse_nvidia

__all__ = [
    "NPU_QUERY",
    "NVIDIA_QUERIES",
    "Device",
    "DeviceProblem",
    "DeviceProcess",
    "DeviceTable",
    "read_devices",
]

NPU_QUERY = ("npu-smi", "info")
NVIDIA_QUERIES = (GPU_QUERY, PROCESS_QUERY)

# The longest honest line is the frame of a 26.x table, 118 characters.
_LONGEST = 2000
_MOST_PROBLEMS = 50
_OF_NPU_SMI = ("no process in device", "no running processes found in npu")


def read_devices(output: bytes | str) -> DeviceTable:
    """Read the output of one command, or of several one after the other.

    Args:
        output: as printed or as saved in a file; colours, CRLF, and log lines in between do no harm.

    Returns:
        The devices and what was wrong with the output; ``source`` is None when nothing was recognised.
    """
    text = output if isinstance(output, str) else _decode(output)
    lines = [clean_line(line[:_LONGEST]) for line in text.splitlines()]
    table = _read_npu(lines) or parse_nvidia(lines)
    faults = find_faults(lines)
    if table is None:
        source = _source_of_fault(faults) or ("npu-smi" if _says_npu(lines) else None)
        return DeviceTable(source, problems=tuple(faults) or (DeviceProblem("no_device" if source else "nothing"),))
    if not table.devices and not faults:
        faults = [DeviceProblem("no_device")]
    return replace(table, problems=(*faults, *table.problems)[:_MOST_PROBLEMS])


def _decode(output: bytes) -> str:
    if output.startswith((b"\xff\xfe", b"\xfe\xff")):  # saved by a Windows shell
        return output.decode("utf-16", "replace")
    return output.decode("utf-8-sig", "replace")


def _says_npu(lines: Iterable[str]) -> bool:
    return any(words in line.lower() for line in lines for words in _OF_NPU_SMI)


def _source_of_fault(faults: Sequence[DeviceProblem]) -> str | None:
    if not faults:
        return None
    return "nvidia-smi" if any("nv" in one.excerpt.lower() for one in faults) else "npu-smi"


def _read_npu(lines: list[str]) -> DeviceTable | None:
    table = parse_npu_table(lines)
    blocks = parse_npu_keys(lines)
    rows = [*parse_watch(lines), *parse_mapping(lines)]
    if table is None and not blocks and not rows:
        return None
    table = table or DeviceTable("npu-smi")
    devices = list(table.devices)
    for one in [*rows, *(block.device() for block in blocks if block.npu is None or block.chip is not None)]:
        _add(devices, one)
    for block in blocks:
        if block.npu is not None and block.chip is None:
            _add_card(devices, block)
    driver = table.driver or next((block.driver for block in blocks if block.driver), None)
    return replace(table, driver=driver, devices=tuple(devices))


def _add(devices: list[Device], other: Device) -> None:
    """What a second output tells of a device fills what the first did not report."""
    for i, one in enumerate(devices):
        if (one.npu, one.chip) == (other.npu, other.chip):
            devices[i] = _fill(one, other)
            return
    devices.append(other)


def _add_card(devices: list[Device], block: NpuKeys) -> None:
    """What is said of a card holds for each of its chips; power is the card's, so it is told of the first only."""
    device = block.device()
    chips = [i for i, one in enumerate(devices) if one.npu == block.npu]
    for place, i in enumerate(chips):
        devices[i] = _fill(devices[i], device if place == 0 else replace(device, power_w=None, processes=()))
    if not chips:
        devices.append(device)


def _fill(device: Device, other: Device) -> Device:
    missing = {
        one.name: getattr(other, one.name)
        for one in fields(Device)
        if getattr(device, one.name) in (None, ()) and getattr(other, one.name) is not None
    }
    return replace(device, **missing)
