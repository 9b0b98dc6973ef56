"""The user's agent wrapper under a verl that is started directly: an agent loop of ours that runs it.

AgentSDK's numbers for the wrapper on verl (facts/agentsdk.md 3.4): its prompt length is ``max_num_batched_tokens``, its
response length what is left of ``max_model_len``, ``n_parallel_agents`` is ``rollout_n``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...catalogue.versions import version_holds
from ...document.model import Document
from ...native import agentsdk_parameters
from ..errors import PlanError
from ..overrides import Overrides, absolute
from ..plan import Text
from ..ray import joined_address
from ..rehearsal import rehearsed_answer
from ..request import Request
from ..source import AgentSource, Source
from .cluster import nodes_of
from .cpu import search_path

SINCE = "0.7"
"""Oldest verl whose agent loop can give a reward and whose servers take ``max_tokens`` with a request."""
LOOPS_FILE = "agent_loops.yaml"
_LOOP = "agentsdk_wrapper"
_AGENT = "actor_rollout_ref.rollout.agent."
_SAMPLING = ("temperature", "top_k", "top_p", "min_p", "max_tokens")
_READ = frozenset({"agent_engine_wrapper_path", "agent_name", "max_steps", "min_p", "max_tokens"})
# Seconds without a sign of life from the wrapper, and no request to the model running.
_LIMITS = {"cpu": 600, "gpu": 1800, "npu": 1800}


def wrapper_of(document: Document, base: Path) -> str:
    """Absolute path of the wrapper, "" without one; a relative path counts from the configuration's folder."""
    value = document.get("agent_engine_wrapper_path")
    if not isinstance(value, str) or not value:
        return ""
    path = Path(absolute(value, base))
    return str(path if path.is_absolute() else base / path)


def put_agent(overrides: Overrides, request: Request, source: Source) -> dict[str, str]:
    """Hand the wrapper to verl's agent loop, if the file names one.

    Returns:
        Files for the run directory: the list of agent loops that verl's workers read.

    Raises:
        PlanError: ``wrapper-needs-newer-verl``.
    """
    if not isinstance(source, AgentSource) or not (wrapper := wrapper_of(source.document, request.base)):
        return {}
    if not version_holds(f">={SINCE}", request.verl_version):
        params = {"path": wrapper, "version": request.verl_version, "needed": SINCE}
        raise PlanError("wrapper-needs-newer-verl", params, key="agent_engine_wrapper_path")
    given: dict[str, Any] = {}
    for handed in agentsdk_parameters(source.document.values, source.catalogue, request.verl_version):
        given[handed.parameter.name] = handed.value
    overrides.notes[:] = [note for note in overrides.notes if not (note.kind == "ignored" and note.key in _READ)]
    entry: dict[str, Any] = {"name": _LOOP, "_target_": "agentic_rl_inside.agent.loop.WrapperLoop", "wrapper": wrapper}
    entry |= {name: given[name] for name in ("agent_name", "max_steps") if name in given}
    # In a rehearsal the lengths are those that were scaled, and so is each answer.
    entry |= _lengths(overrides, given if request.rehearsal is None else {})
    entry["sampling_params"] = {name: given[name] for name in _SAMPLING if name in given}
    if request.rehearsal is not None:
        entry["sampling_params"]["max_tokens"] = rehearsed_answer(overrides, given.get("max_tokens"))
    entry["limit"] = _LIMITS[request.device]
    entry["trajectories"] = str(request.run_dir / "rollouts")
    overrides.put("data.return_raw_chat", True)
    overrides.put(_AGENT + "agent_loop_config_path", str(request.run_dir / LOOPS_FILE))
    overrides.put(_AGENT + "default_agent_loop", _LOOP)
    overrides.put(_AGENT + "num_workers", 1)
    # verl's own buffer waits for ever for a worker that the wrapper took down with it.
    overrides.put("trainer.v1.sampler.custom_sampler.path", "pkg://agentic_rl_inside.replay")
    overrides.put("trainer.v1.sampler.custom_sampler.name", "QuickReplayBuffer")
    if request.device != "cpu" and joined_address(request, nodes_of(overrides)):
        # Workers of a cluster that runs already don't inherit the environment of the one who joins it.
        overrides.add("ray_kwargs.ray_init.runtime_env.env_vars.PYTHONPATH", search_path(request))
    overrides.note("info", "agent_engine_wrapper_path", _BRIDGED)
    return {LOOPS_FILE: _loops(entry, request)}


def agent_environment(request: Request, files: dict[str, str], env: dict[str, str]) -> None:
    """With a wrapper the package beside verl is needed on every device; on a CPU it is on the path already."""
    if files and request.device != "cpu":
        env["PYTHONPATH"] = search_path(request)


def _lengths(overrides: Overrides, given: dict[str, Any]) -> dict[str, int]:
    """AgentSDK's lengths where they are possible, else verl's own."""
    prompt, context = given.get("max_num_batched_tokens"), given.get("max_model_len")
    if isinstance(prompt, int) and isinstance(context, int) and context > prompt > 0:
        lengths = prompt, context - prompt
    else:
        lengths = overrides.values.get("data.max_prompt_length"), overrides.values.get("data.max_response_length")
        if isinstance(prompt, int) and isinstance(context, int):
            overrides.note("differs", "max_model_len", _OWN_LENGTHS)
    names = ("max_prompt_length", "max_response_length")
    return {name: value for name, value in zip(names, lengths, strict=True) if isinstance(value, int)}


def _loops(entry: dict[str, Any], request: Request) -> str:
    import yaml

    entries: list[Any] = [entry]
    if request.device == "cpu":
        path = request.inside / "agentic_rl_inside" / LOOPS_FILE
        entries = [*yaml.safe_load(path.read_text(encoding="utf-8")), entry] if path.is_file() else entries
    return yaml.safe_dump(entries, allow_unicode=True, sort_keys=False)


_BRIDGED: Text = {
    "en": "runs inside verl's agent loop: one call a step with all tasks of the batch, as AgentSDK makes it; "
    "trajectories are written to rollouts/trajectories-*.jsonl",
    "zh": "在 verl 的 agent loop 中运行：与 AgentSDK 一样，每步以整批任务调用一次；"
    "轨迹写入 rollouts/trajectories-*.jsonl",
}
_OWN_LENGTHS: Text = {
    "en": "AgentSDK would give the wrapper max_model_len - max_num_batched_tokens tokens for its response: none, and "
    "the wrapper would refuse; here it gets max_prompt_length and max_response_length",
    "zh": "AgentSDK 交给 wrapper 的响应长度为 max_model_len - max_num_batched_tokens，此处没有剩余，会被其拒绝；"
    "这里改用 max_prompt_length 与 max_response_length",
}
