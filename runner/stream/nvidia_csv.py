"""The output of `nvidia-smi` with the two queries below, alone or one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .device_types import Device, DeviceProcess, DeviceTable, number, whole, word

GPU_QUERY = (
    "nvidia-smi",
    "--query-gpu=index,uuid,name,pci.bus_id,power.draw,temperature.gpu,utilization.gpu,memory.used,memory.total,driver_version",
    "--format=csv,noheader,nounits",
)
PROCESS_QUERY = (
    "nvidia-smi",
    "--query-compute-apps=gpu_uuid,pid,process_name,used_memory",
    "--format=csv,noheader,nounits",
)
_FIELDS = 10
_UUID = ("GPU-", "MIG-")


def parse_nvidia(lines: Iterable[str]) -> DeviceTable | None:
    """Read clean lines; None where there is no line of the first query."""
    devices: dict[str, Device] = {}
    processes: list[tuple[str, DeviceProcess]] = []
    driver: str | None = None
    for line in lines:
        fields = [one.strip() for one in line.split(",")]
        if len(fields) >= _FIELDS and fields[1].startswith(_UUID) and fields[0].isascii() and fields[0].isdecimal():
            # From the right, for the one field that may hold a comma is the name.
            bus, power, heat, busy, used, total, version = fields[-7:]
            driver = word(version) or driver
            devices[fields[1]] = Device(
                npu=whole(fields[0]),
                name=word(", ".join(fields[2:-7])),
                power_w=number(power),
                temperature_c=number(heat),
                utilization_pct=number(busy),
                memory_used_mib=whole(used),
                memory_total_mib=whole(total),
                bus_id=word(bus),
            )
        elif len(fields) >= 4 and fields[0].startswith(_UUID):
            name = ", ".join(fields[2:-1])
            processes.append((fields[0], DeviceProcess(whole(fields[1]), word(name), whole(fields[-1]))))
    if not devices:
        return None
    for uuid, process in processes:
        if uuid in devices:
            devices[uuid] = replace(devices[uuid], processes=(*devices[uuid].processes, process))
    return DeviceTable("nvidia-smi", driver, tuple(devices.values()))
