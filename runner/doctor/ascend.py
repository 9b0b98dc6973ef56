"""Driver, CANN, ATB and the device files of an Ascend machine or container."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from .finding import Finding, Level, Scene

_MANAGERS = ("davinci_manager", "devmm_svm", "hisi_hdc")


def judge_ascend(scene: Scene) -> Iterator[Finding]:
    """Findings about the Ascend stack; one hint where there is none."""
    ascend = scene.ascend
    listed = scene.devices.source if scene.devices is not None and scene.devices.devices else None
    if not ascend.any and not ascend.home and listed != "npu-smi":
        if listed is None:
            meant = "torch-npu" in scene.software.found
            yield Finding("no-ascend", "warning" if meant else "hint", "npu")
        return
    if ascend.driver:
        yield Finding("driver-ok", "ok", "driver", {"driver": ascend.driver, "firmware": ascend.firmware})
    elif ascend.devices:
        yield Finding("driver-missing", "warning", "driver", {"container": scene.system.container})
    yield from _cann(scene)
    yield from _atb(scene)
    yield from _files(scene)


def _cann(scene: Scene) -> Iterator[Finding]:
    ascend = scene.ascend
    imported = any(trial.module == "torch_npu" and trial.outcome == "good" for trial in scene.imports)
    level: Level = "hint" if imported else "warning"
    if ascend.sourced:
        place = ascend.toolkits[0].place if ascend.toolkits else ascend.home
        yield Finding("cann-ok", "ok", "cann", {"version": ascend.cann, "place": place})
    elif ascend.home:
        yield Finding("cann-home-gone", level, "cann", {"home": ascend.home})
    elif ascend.toolkits:
        scripts = [one for one in ascend.toolkits if one.set_env] or list(ascend.toolkits)
        script = scripts[0].set_env or f"{scripts[0].place}/set_env.sh"
        yield Finding("cann-not-sourced", level, "cann", {"script": script, "version": scripts[0].version})
    else:
        yield Finding("cann-missing", level, "cann")
    if len(ascend.toolkits) > 1:
        names = [one.version or PurePath(one.place).name for one in ascend.toolkits]
        yield Finding("cann-several", "hint", "cann", {"listed": names, "used": ascend.cann})


def _atb(scene: Scene) -> Iterator[Finding]:
    ascend = scene.ascend
    if ascend.atb_sourced:
        yield Finding("atb-ok", "ok", "atb")
    elif ascend.atb_set_env:
        yield Finding("atb-not-sourced", "warning", "atb", {"script": ascend.atb_set_env})
    elif ascend.toolkits:
        needed = {"vllm-ascend", "mindspeed"} & set(scene.software.found)
        yield Finding("atb-missing", "warning" if needed else "hint", "atb")


def _files(scene: Scene) -> Iterator[Finding]:
    ascend = scene.ascend
    if not ascend.devices:
        if ascend.driver:
            yield Finding("devices-not-mapped", "error", "davinci", {"container": scene.system.container})
        return
    absent = [name for name in _MANAGERS if name not in {one.name for one in ascend.managers}]
    if absent:
        yield Finding("managers-not-mapped", "error", "davinci", {"names": [f"/dev/{name}" for name in absent]})
    closed = [one for one in (*ascend.devices, *ascend.managers) if not one.usable]
    if closed:
        outside = closed[0].group if ascend.in_group is False else ""
        params = {"names": [f"/dev/{one.name}" for one in closed], "group": closed[0].group, "outside": outside}
        yield Finding("devices-not-usable", "error", "davinci", params)
