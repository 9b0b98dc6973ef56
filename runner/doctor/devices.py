"""What npu-smi or nvidia-smi says, and the variables that choose among the devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .finding import Finding, Level, Scene

if TYPE_CHECKING:
    from ..stream.device_types import Device, DeviceTable

_ALLOCATOR = "PYTORCH_NPU_ALLOC_CONF"


def judge_devices(scene: Scene) -> Iterator[Finding]:
    """Findings about the devices and their tool."""
    yield from _tool(scene)
    table = scene.devices
    if table is not None and table.devices:
        yield from _health(table)
    yield from _visible(scene)
    value = scene.env.get(_ALLOCATOR, "")
    if "expandable_segments:true" in value.lower() and ("max_split" in value or "garbage_collection" in value):
        yield Finding("allocator-clash", "error", _ALLOCATOR, {"value": value})


def _tool(scene: Scene) -> Iterator[Finding]:
    listed = scene.devices is not None and bool(scene.devices.devices)
    if not scene.tool:
        if scene.ascend.driver or scene.ascend.devices:
            yield Finding("npu-smi-missing", "warning", "npu-smi")
    elif scene.tool_problem == "timeout":
        yield Finding("npu-smi-hangs", "error", scene.tool, {"seconds": f"{scene.tool_timeout:g}"})
    elif not listed and scene.tool_words:
        # A GPU machine may carry the tool without the hardware; an NPU machine that lists nothing can't train.
        level: Level = "error" if scene.npu else "warning"
        yield Finding("npu-smi-fault", level, scene.tool, {"words": scene.tool_words, "said": scene.tool_said})
    elif not listed:
        yield Finding("npu-smi-unreadable", "warning", scene.tool, {"said": scene.tool_said})


def _health(table: DeviceTable) -> Iterator[Finding]:
    sick = [one for one in table.devices if one.health and one.health.upper() != "OK"]
    for one in sick:
        level: Level = "error" if (one.health or "").lower() == "critical" else "warning"
        params = {"device": _id(one), "npu": one.npu, "health": one.health}
        yield Finding("device-unhealthy", level, f"npu {_id(one)}", params)
    if not sick:
        names = sorted({one.name for one in table.devices if one.name})
        params = {"count": len(table.devices), "name": names or "?", "driver": table.driver or ""}
        yield Finding("devices-ok" if table.source == "npu-smi" else "gpus-ok", "ok", "devices", params)
    busy = [_id(one) for one in table.devices if one.processes]
    if busy:
        yield Finding("device-busy", "hint", "devices", {"listed": busy})


def _id(device: Device) -> str:
    return f"{device.npu}" if not device.chip else f"{device.npu}.{device.chip}"


def _visible(scene: Scene) -> Iterator[Finding]:
    variable = "ASCEND_RT_VISIBLE_DEVICES"
    value = scene.env.get(variable)
    if scene.npu and value is not None:
        numbers = _numbers(scene)
        parts = [part.strip() for part in value.split(",")]
        if any(not part.isdecimal() or (numbers and int(part) not in numbers) for part in parts):
            params = {"variable": variable, "value": value or '""', "count": scene.device_count}
            yield Finding("visible-bad", "error" if value else "warning", variable, params)
    other = scene.env.get("ASCEND_VISIBLE_DEVICES")
    if scene.npu and other and value is None and not scene.system.container:
        yield Finding("visible-other-name", "hint", "ASCEND_VISIBLE_DEVICES", {"value": other})


def _numbers(scene: Scene) -> set[int]:
    """Every number that may mean a device here: in a container they count from 0, or are those of the host."""
    listed = scene.devices.devices if scene.devices is not None else ()
    named = {one for device in listed for one in (device.npu, device.phy_id) if isinstance(one, int)}
    files = {int(one.name.removeprefix("davinci")) for one in scene.ascend.devices}
    return named | files | set(range(scene.device_count or 0))
