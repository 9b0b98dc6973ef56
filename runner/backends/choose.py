"""Which back end starts a file: what was asked for, else what is installed, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..native.generation import generation_named
from ..native.shape import native_backend, shape_of
from .backend import Installed
from .errors import PlanError
from .plan import Text
from .registry import AUTO, MODULES, backend


@dataclass(frozen=True, slots=True)
class Choice:
    """The back end and the reason for it."""

    backend: str
    reason: Text


def candidates(values: Mapping[str, Any], target: str = "") -> tuple[str, ...]:
    """The back ends that can start a file of this shape; the first that is there is taken.

    Args:
        values: the file.
        target: what its first lines say it is for (``check.target_of``); ``verl`` and ``mindspeed-rl`` ask for a
            direct start.
    """
    shape = shape_of(values)
    direct = native_backend(values)
    if shape == "agentsdk":
        # 7.3.0 had MindSpeed-RL alone and no key that says so; later the key is required.
        mindspeed = values.get("train_backend", "mindspeed_rl" if "data_path" in values else "verl") == "mindspeed_rl"
        direct = "mindspeed-rl" if mindspeed else "verl"
    wrapped = {"agentsdk": "agentsdk", "ascendfactory": "ascendfactory"}.get(shape, "")
    if shape == "hydra":
        return ()
    if target == direct or not wrapped:
        return (direct,) if direct else ()
    return (wrapped, direct) if direct else (wrapped,)


def choose(
    values: Mapping[str, Any],
    installed: Mapping[str, Installed],
    *,
    wish: str = AUTO,
    target: str = "",
    local: bool = False,
    device: str | None = "npu",
) -> Choice:
    """Choose the back end.

    Args:
        values: the file.
        installed: what is there, by name of the back end.
        wish: ``auto`` or a name.
        target: see `candidates`.
        local: train on this CPU.
        device: the accelerator of this machine; None when there is none.

    Raises:
        PlanError: ``backend-local`` (only verl trains on a CPU), ``backend-unsuitable`` (the wished back end can't
            start a file of this shape), ``backend-absent`` (it is not installed).
    """
    if local:
        if wish not in (AUTO, "verl"):
            raise PlanError("backend-local", {"backend": wish}, exit_code=2)
        return Choice("verl", _LOCAL)
    able = candidates(values) if wish != AUTO else candidates(values, target)
    if wish != AUTO:
        if wish not in able:
            raise PlanError("backend-unsuitable", {"backend": wish, "able": ", ".join(able) or "-"}, exit_code=2)
        found = installed[wish]
        if not found.present:
            raise PlanError("backend-absent", {"backend": wish, "reason": found.why_not})
        return Choice(wish, _ASKED)
    if not able:
        raise PlanError("backend-unsuitable", {"backend": AUTO, "able": "-"}, exit_code=2)
    passed: list[Text] = []
    for name in able[:-1]:
        found = installed[name]
        if not found.present:
            passed.append(found.why_not)
        elif found.version and name == "agentsdk" and able[-1] == "verl" and generation_named(found.version) == "A":
            passed.append({language: text.format(version=found.version) for language, text in _TOO_OLD.items()})
        elif device is not None and device not in backend(name).NEEDS:
            passed.append({k: t.format(backend=name, device=device) for k, t in _OTHER_DEVICE.items()})
        else:
            return Choice(name, _with(_FOUND, found, passed))
    last = able[len(able) - 1]  # which tells itself what it lacks
    return Choice(last, _with(_DIRECT if passed else _ONLY, installed[last], passed))


def _with(words: Text, found: Installed, passed: list[Text]) -> Text:
    told = " ".join(part for part in (_CALLED.get(found.backend, found.backend), found.version) if part)
    return {
        language: text.format(found=told, program=found.program, passed="; ".join(one[language] for one in passed))
        for language, text in words.items()
    }


NAMES = (AUTO, *MODULES)
_CALLED = {"mindspeed-rl": "MindSpeed-RL", "agentsdk": "agentic_rl", "ascendfactory": "ascendfactory-cli"}
_LOCAL: Text = {"en": "--local: verl trains on this CPU", "zh": "--local：由 verl 在本机 CPU 上训练"}
_ASKED: Text = {"en": "asked for with --backend", "zh": "由 --backend 指定"}
_FOUND: Text = {"en": "{found} is installed: {program}", "zh": "已安装 {found}：{program}"}
_DIRECT: Text = {"en": "{found} is started directly: {passed}", "zh": "直接启动 {found}：{passed}"}
_ONLY: Text = {"en": "{found}: nothing else starts this file", "zh": "{found}：该文件只能由它启动"}
_TOO_OLD: Text = {
    "en": "agentic_rl {version} is installed, but trains with MindSpeed-RL alone",
    "zh": "已安装 agentic_rl {version}，但该版本只支持 MindSpeed-RL",
}
_OTHER_DEVICE: Text = {
    "en": "{backend} is installed, but trains on NPUs only, and this machine has a {device}",
    "zh": "已安装 {backend}，但它只能在 NPU 上训练，而本机为 {device}",
}
