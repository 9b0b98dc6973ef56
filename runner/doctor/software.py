"""Whether what is installed belongs together: by the packages' own rules, the known rows, the known clashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..catalogue.software_table import (
    Combination,
    allows,
    base_version,
    clashes,
    combination_for,
    nearest_release,
    show,
    unmet,
)
from ..catalogue.versions import version_key
from .finding import Finding, Level, Scene

# Whose row is asked first: the outermost software chooses the rest.
_OWNERS = ("agentic-rl", "mindspeed-rl", "verl", "vllm-ascend")
_LISTED = (
    *("verl", "mindspeed-rl", "agentic-rl", "torch", "torch-npu", "vllm", "vllm-ascend", "sglang", "triton-ascend"),
    *("mindspeed", "megatron-core", "ray", "transformers", "transferqueue", "numpy"),
)
_REQUIRING = ("vllm-ascend", "torch-npu", "verl", "vllm")
_TITLES = {
    "agentic-rl": "AgentSDK",
    "mindspeed-rl": "MindSpeed-RL",
    "mindspeed": "MindSpeed",
    "megatron-core": "Megatron",
    "python": "Python",
    "cann": "CANN",
    "torch-npu": "torch_npu",
    "driver": "driver",
}


def judge_software(scene: Scene) -> Iterator[Finding]:
    """Findings about the installed releases."""
    if scene.software.problem or scene.software.too_old:
        return
    has = scene.has
    listed = [name for name in ("agentic_rl", "ascendfactory-cli") if name in scene.software.programs]
    listed += [f"{name} {has[name]}".strip() for name in _LISTED if name in has]
    if listed:
        yield Finding("training-ready", "ok", "packages", {"listed": listed})
    if "verl" not in has and "mindspeed-rl" not in has:
        yield Finding("training-missing", "hint", "packages", {"python": scene.software.python})
    yield from _pairs(has, scene.env)
    for name, clash in clashes().items():
        seen = {**has, "cann": scene.ascend.cann}
        if all(seen.get(one) and allows(wanted, seen[one]) for one, wanted in clash.when.items()):
            level: Level = "error" if clash.level == "error" else "warning" if clash.level == "warning" else "hint"
            bases = {f"{one}_base": base_version(seen[one]) for one in clash.when}
            yield Finding(name, level, next(iter(clash.when)), {**seen, **bases})
    if "torch-npu" in has:
        yield from _rows(scene)


def _pairs(has: Mapping[str, str], env: Mapping[str, str]) -> Iterator[Finding]:
    """torch_npu and torch, vllm-ascend and vllm: pairs of one version."""
    npu, ascend = has.get("torch-npu", ""), has.get("vllm-ascend", "")
    if npu:
        params = {"torch_npu": npu, "torch": has.get("torch", ""), "needed": base_version(npu)}
        if "torch" not in has:
            yield Finding("torch-npu-without-torch", "error", "torch", params)
        elif version_key(has["torch"]) != version_key(npu):
            yield Finding("torch-npu-mismatch", "error", "torch-npu", params)
    if ascend:
        vllm = has.get("vllm", "")
        params = {"vllm_ascend": ascend, "vllm": vllm, "needed": base_version(ascend), "version": vllm or "?"}
        if "vllm" not in has:
            yield Finding("vllm-ascend-without-vllm", "error", "vllm", params)
        elif "dev" in vllm or not vllm:
            if not env.get("VLLM_VERSION"):
                yield Finding("vllm-version-unclear", "hint", "vllm", params)
        elif version_key(vllm)[:2] != version_key(ascend)[:2]:
            yield Finding("vllm-ascend-mismatch", "error", "vllm-ascend", params)
        asked = env.get("VLLM_VERSION", "")
        if asked and vllm and "dev" not in vllm and version_key(asked)[:2] != version_key(vllm)[:2]:
            yield Finding("vllm-version-differs", "warning", "VLLM_VERSION", {"asked": asked, "version": vllm})


def _rows(scene: Scene) -> Iterator[Finding]:
    has = {**scene.has, "python": scene.software.version, "cann": scene.ascend.cann, "driver": scene.ascend.driver}
    owners = [name for name in _OWNERS if has.get(name)]
    judged = False
    for name in owners:
        row = combination_for(name, has[name])
        if row is None:
            if not judged:
                near = nearest_release(name, has[name])
                yield Finding("combination-unknown", "hint", name, {**_named(name, has), "nearest": near})
            continue
        if judged:
            continue
        judged = True
        differences = _differences(row, has)
        if not differences:
            yield Finding("combination-known", "ok", name, _named(name, has), row.source)
            return
        # What vllm-ascend's own table allows works, too: the owner then only knows another set.
        inner = combination_for("vllm-ascend", has.get("vllm-ascend", "")) if has.get("vllm-ascend") else None
        level: Level = "hint" if inner not in (None, row) and not _differences(inner, has) else "warning"
        yield Finding("combination-differs", level, name, {**_named(name, has), "differences": differences}, row.source)
    yield from _requirements(scene)


def _differences(row: Combination | None, has: Mapping[str, str]) -> list[str]:
    if row is None:
        return []
    found: list[str] = []
    for name, wanted in row.versions.items():
        version = has.get(name, "")
        if version and version != "?" and not allows(wanted, version):
            found.append(f"{_TITLES.get(name, name)} {show(wanted)} ({version})")
    return found


def _requirements(scene: Scene) -> Iterator[Finding]:
    for name in _REQUIRING:
        copy = scene.software.copy(name)
        for needs, _, have in unmet(copy.requires, scene.has) if copy is not None else ():
            params = {"name": _TITLES.get(name, name), "version": copy.version if copy else "", "needs": needs}
            yield Finding("requirement-unmet", "hint", name, {**params, "have": have})


def _named(name: str, has: Mapping[str, str]) -> dict[str, str]:
    return {"name": _TITLES.get(name, name), "version": has[name]}
