"""What a configuration file asks of this machine."""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Scene, Wants

_TITLES = {
    "agentsdk": "AgentSDK",
    "ascendfactory": "AscendFactory",
    "verl": "verl",
    "mindspeed-rl": "MindSpeed-RL",
    "local": "verl",
}
_PROGRAMS = {"agentsdk": "agentic_rl", "ascendfactory": "ascendfactory-cli"}
_ENGINES = ("vllm", "sglang")


def judge_configuration(scene: Scene) -> Iterator[Finding]:
    """Findings about the file that was named, none without one."""
    wants = scene.wants
    if wants is None:
        return
    if not wants.readable:
        yield Finding("file-unreadable", "error", wants.file, {"file": wants.file})
        return
    yield Finding(
        "file-target", "ok", wants.file, {"file": wants.file, "target": _title(wants), "devices": _asked(wants)}
    )
    if wants.errors:
        yield Finding("file-problems", "error", wants.file, {"file": wants.file, "count": wants.errors})
    if not scene.software.problem and not scene.software.too_old:
        yield from _backend(scene, wants)
    yield from _devices(scene, wants)


def _title(wants: Wants) -> str:
    title = _TITLES.get(wants.target, wants.target)
    below = _TITLES.get(wants.backend, wants.backend)
    return f"{title} ({below})" if below and below != title else title


def _asked(wants: Wants) -> dict[str, str] | str:
    if not wants.devices:
        return ""
    return {"en": f"{wants.nodes} x {wants.devices} devices", "zh": f"{wants.nodes} x {wants.devices} 张卡"}


def _backend(scene: Scene, wants: Wants) -> Iterator[Finding]:
    has = scene.has
    program = _PROGRAMS.get(wants.target, "")
    started = program in scene.software.programs if program else wants.backend in has
    params = {
        "file": wants.file,
        "target": _TITLES.get(wants.target, wants.target),
        "program": program or wants.backend,
    }
    if not started and program and wants.backend in has:
        yield Finding("backend-direct", "hint", program, {**params, "instead": _TITLES[wants.backend]})
    elif not started:
        yield Finding("backend-missing", "error", program or wants.backend, params)
    have = has.get("verl", "")
    if wants.verl_version and have and wants.verl_version != have:
        yield Finding("verl-differs", "warning", "verl", {"asked": wants.verl_version, "have": have})
    if wants.engine in _ENGINES and wants.target != "local" and wants.engine not in has and wants.backend in has:
        yield Finding("rollout-engine-missing", "error", wants.engine, {"file": wants.file, "engine": wants.engine})


def _devices(scene: Scene, wants: Wants) -> Iterator[Finding]:
    if wants.target == "local" or not wants.devices:
        return
    if scene.tool_problem == "timeout":
        return  # how many there are is not known then
    found = scene.device_count or 0
    visible = scene.env.get("ASCEND_RT_VISIBLE_DEVICES" if scene.npu else "CUDA_VISIBLE_DEVICES")
    if visible:
        found = min(found, len([part for part in visible.split(",") if part.strip()]))
    if found < wants.devices:
        params = {"file": wants.file, "wanted": wants.devices, "found": found}
        # With a cluster elsewhere its devices count, and this machine may have none.
        yield Finding("devices-short", "hint" if scene.env.get("RAY_ADDRESS") else "error", "devices", params)
