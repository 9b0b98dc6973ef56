"""How samples are generated: mode, tools, LoRA weights, memory share (V11, V18, V19, V22, multi-turn, LoRA)."""

from __future__ import annotations

from ...catalogue.versions import version_holds
from ..view import View
from .relation import EVERYWHERE, NATIVE, Finding, Relation
from .setup import ACTOR, ESTIMATOR, MODEL, ROLLOUT

MODE, NAME = ROLLOUT + "mode", ROLLOUT + "name"
RAW_CHAT, OWN_DATASET = "data.return_raw_chat", "data.custom_cls.path"
TURNS, TOOLS = ROLLOUT + "multi_turn.enable", ROLLOUT + "multi_turn.tool_config_path"
INTERACTION = ROLLOUT + "multi_turn.interaction_config_path"
LOOP, LOOPS = ROLLOUT + "agent.default_agent_loop", ROLLOUT + "agent.agent_loop_config_path"
RANK, LORA_RANK, MERGE = MODEL + "lora_rank", MODEL + "lora.rank", MODEL + "lora.merge"
LOAD, LAYERED = ROLLOUT + "load_format", ROLLOUT + "layered_summon"
SHARE, TOP_P = ROLLOUT + "gpu_memory_utilization", ROLLOUT + "top_p"
COMPILE = ACTOR + "use_torch_compile"


def _sync(view: View) -> Finding | None:
    return Finding({}, ((MODE, "async"),)) if view.value(MODE) == "sync" and view.given(MODE) else None


def _raw_chat(view: View) -> Finding | None:
    if view.value(MODE) != "async" or view.value(RAW_CHAT) is not False or view.value(OWN_DATASET) is not None:
        return None  # a data set class of one's own may hand over the messages all the same
    return Finding({}, ((RAW_CHAT, True),), keys=(RAW_CHAT, MODE))


def _tools_needed(view: View) -> Finding | None:
    if not view.true(TURNS) or view.value(TOOLS) is not None or view.value(INTERACTION) is not None:
        return None
    return Finding({}, ())


def _grpo_needed(view: View) -> Finding | None:
    if not view.true(TURNS) or view.value(ESTIMATOR) == "grpo" or not view.given(ESTIMATOR):
        return None
    return Finding({"value": view.value(ESTIMATOR)}, ((ESTIMATOR, "grpo"),))


def _turns_need_async(view: View) -> Finding | None:
    if not view.true(TURNS) or view.value(NAME) != "vllm" or view.value(MODE) == "async":
        return None
    return Finding({}, ((MODE, "async"),), keys=(MODE, TURNS))


def _tools_unused(view: View) -> Finding | None:
    """Each row names its agent, else the default one plays, which calls no tool."""
    columns = getattr(view.world.dataset, "columns", None)
    if view.value(TOOLS) is None or view.value(MODE) == "sync" or not view.true(TURNS):
        return None
    if view.value(LOOP, "single_turn_agent") != "single_turn_agent":
        return None
    if columns is None or "agent_name" in columns:
        return None
    return Finding({}, ((LOOP, "tool_agent"),))


def _lora_rank(view: View) -> int:
    new = view.value(LORA_RANK)
    if isinstance(new, int) and not isinstance(new, bool) and new > 0:
        return new
    return view.number(RANK) or 0


def _lora_too_large(view: View) -> Finding | None:
    rank = _lora_rank(view)
    if rank <= 512 or view.true(MERGE) or view.value(NAME) != "vllm":
        return None
    return Finding({"value": rank}, ((RANK, 512), (LORA_RANK, 512)))


def _lora_load(view: View) -> Finding | None:
    load = view.value(LOAD)
    if not _lora_rank(view) or view.true(MERGE) or not isinstance(load, str) or not load.startswith("dummy"):
        return None
    level = "error" if view.true(LAYERED) and version_holds("<0.7", view.version) else "warning"
    return Finding({"value": load}, ((LOAD, "safetensors"),), level)


def _share(view: View) -> Finding | None:
    share = view.real(SHARE)
    return None if share is None or 0 < share <= 1 else Finding({"value": share}, ((SHARE, 0.5),))


def _top_p(view: View) -> Finding | None:
    value = view.real(TOP_P)
    return None if value is None or 0 < value <= 1 else Finding({"value": value}, ((TOP_P, 1.0),))


def _compile(view: View) -> Finding | None:
    npu = view.value("trainer.device") == "npu" or getattr(view.world.machine, "accelerator", None) == "npu"
    return Finding({}, ((COMPILE, False),)) if npu and view.true(COMPILE) else None


ROLLOUTS: tuple[Relation, ...] = (
    Relation("rollout-mode-removed", (MODE,), _sync, versions=">=0.7", launchers=EVERYWHERE),
    Relation("raw-chat-needed", (RAW_CHAT, MODE), _raw_chat, versions="<=0.6.1"),
    Relation("tools-needed", (TOOLS, TURNS, INTERACTION), _tools_needed, versions="<0.5"),
    Relation("tools-need-grpo", (ESTIMATOR, TURNS), _grpo_needed, versions="<0.5"),
    Relation("turns-need-async", (MODE, TURNS, NAME), _turns_need_async, "warning", "<0.7", NATIVE),
    Relation("tools-unused", (LOOP, TOOLS, TURNS, MODE), _tools_unused, "warning", ">=0.5", NATIVE),
    Relation("lora-rank-too-large", (RANK, LORA_RANK, MERGE, NAME), _lora_too_large, versions=">=0.6"),
    Relation("lora-load-format", (LOAD, RANK, LORA_RANK, LAYERED, MERGE), _lora_load, launchers=NATIVE),
    Relation("memory-share", (SHARE,), _share, launchers=EVERYWHERE),
    Relation("top-p-range", (TOP_P,), _top_p),
    Relation("compile-on-npu", (COMPILE,), _compile, "warning", launchers=NATIVE, given="first"),
)
