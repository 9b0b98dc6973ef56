"""The training interpreter: whether it answers, what it would import, what stands in the way of that."""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Scene

_REASONS = {
    "missing": {"en": "is not there", "zh": "不存在"},
    "not_started": {"en": "can't be started", "zh": "无法启动"},
    "timeout": {"en": "does not answer", "zh": "没有响应"},
    "flood": {"en": "printed without end", "zh": "不停输出"},
    "failed": {"en": "ended with an error", "zh": "异常退出"},
    "nonsense": {"en": "answered something else", "zh": "的输出无法识别"},
}
# Of these a second copy leads to trouble that is hard to see.
_COPIES = (
    *("verl", "torch", "torch-npu", "vllm", "vllm-ascend", "ray", "transformers", "triton-ascend", "agentic-rl"),
    *("mindspeed-rl", "mindspeed", "mindspeed-llm", "megatron-core"),
)


def judge_python(scene: Scene) -> Iterator[Finding]:
    """Findings about the interpreter."""
    software = scene.software
    if software.problem:
        reason = _REASONS.get(software.problem, {"en": software.problem, "zh": software.problem})
        params = {"python": software.python, "reason": reason, "detail": software.detail}
        yield Finding("python-unreachable", "error", "python", params)
    elif software.too_old:
        params = {"python": software.python, "version": software.version}
        yield Finding("python-too-old", "error", "python", params)
    else:
        machine = software.machine if software.machine != scene.system.machine else ""
        params = {"python": software.python, "version": software.version, "machine": machine}
        yield Finding("python-ok", "ok", "python", params)
    if software.broken:
        yield Finding("metadata-broken", "warning", "pip", {"names": software.broken, "pip": _pip(scene)})
    yield from _copies(scene)
    for entry in software.pythonpath:
        if not entry.exists:
            yield Finding("pythonpath-missing", "hint", "PYTHONPATH", {"path": entry.path})
        if entry.shadows:
            params = {"path": entry.path, "modules": entry.shadows}
            yield Finding("pythonpath-shadows", "warning", "PYTHONPATH", params)
    if scene.env.get("PYTHONDONTWRITEBYTECODE"):
        yield Finding("bytecode-off", "hint", "PYTHONDONTWRITEBYTECODE")
    yield from _imports(scene)


def _copies(scene: Scene) -> Iterator[Finding]:
    for name, copies in scene.software.found.items():
        first = copies[0]
        if first.editable:
            params = {"name": name, "version": first.version, "place": first.editable, "commit": first.commit[:12]}
            yield Finding("source-install", "ok", name, params)
        if len(copies) < 2 or name not in _COPIES:
            continue
        second = copies[1]
        params = {
            "name": name,
            "first": first.version or "?",
            "first_place": first.editable or first.place,
            "second": second.version or "?",
            "second_place": second.editable or second.place,
        }
        # Two of one version differ in nothing that anybody would notice.
        yield Finding("two-copies", "hint" if first.version == second.version else "warning", name, params)


def _imports(scene: Scene) -> Iterator[Finding]:
    good = [trial.module for trial in scene.imports if trial.outcome == "good"]
    if good:
        yield Finding("import-ok", "ok", "import", {"modules": good})
    for trial in scene.imports:
        params = {"module": trial.module, "detail": trial.detail, "python": scene.software.python}
        if trial.outcome == "failed":
            yield Finding("import-failed", "error", trial.module, params)
        elif trial.outcome == "timeout":
            yield Finding("import-slow", "hint", trial.module, {**params, "seconds": f"{trial.seconds:.0f}"})


def _pip(scene: Scene) -> str:
    return f"{scene.software.python} -m pip"
