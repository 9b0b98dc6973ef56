"""How devices are shared: sequence parallelism and the rollout's parallel sizes (V9, V14, V15)."""

from __future__ import annotations

from functools import partial

from ...catalogue.versions import version_holds
from ..numbers import divisors_near
from ..view import View
from .relation import Finding, Relation
from .setup import (
    ACTOR,
    MODEL,
    NODES,
    PER_NODE,
    REF,
    ROLLOUT,
    SP,
    SP_ENGINE,
    USE_V1,
    devices,
    fsdp,
    uses_critic,
    v1_trainer,
)

TP = ROLLOUT + "tensor_model_parallel_size"
DP, EP, PP = ROLLOUT + "data_parallel_size", ROLLOUT + "expert_parallel_size", ROLLOUT + "pipeline_model_parallel_size"
POOL = (ROLLOUT + "n_gpus_per_node", ROLLOUT + "nnodes")
RECIPE_POOL = ("rollout.n_gpus_per_node", "rollout.nnodes")  # of the one-step-off and fully asynchronous trainers
MODE = "trainer.v1.trainer_mode"
PADDING = MODEL + "use_remove_padding"
NAME = ROLLOUT + "name"


def rollout_pool(view: View) -> tuple[int, int] | None:
    """Devices of a node and nodes that generate: those that train, or a pool of their own."""
    own: tuple[str, str] | None = None
    if view.given(RECIPE_POOL[0]):
        own = RECIPE_POOL
    elif v1_trainer(view) and view.value(MODE) == "separate_async":
        own = POOL
    per_node = view.number(own[0] if own else PER_NODE)
    nodes = view.number(own[1] if own else NODES) or (view.number(NODES) if own == RECIPE_POOL else None)
    return (per_node, nodes) if per_node and nodes else None


def replica(view: View) -> int:
    """Devices of one copy of the model that generates."""
    return (view.number(TP) or 1) * (view.number(DP) or 1) * (view.number(PP) or 1)


def _rollout(view: View) -> Finding | None:
    pool, size = rollout_pool(view), replica(view)
    if view.number(TP) is None or pool is None or pool[0] * pool[1] % size == 0:
        return None
    total = pool[0] * pool[1]
    if size != view.number(TP):
        return Finding({"value": size, "devices": total, "values": divisors_near(size, total)})
    values = divisors_near(size, total)
    return Finding({"value": size, "devices": total, "values": values}, ((TP, values[0]),))


def _nodes(view: View) -> Finding | None:
    pool, size = rollout_pool(view), replica(view)
    if view.number(TP) is None or pool is None or pool[0] * pool[1] % size or size <= pool[0] or size % pool[0] == 0:
        return None
    edits = ((TP, pool[0]),) if size == view.number(TP) else ()
    return Finding({"value": size, "devices": pool[0]}, edits)


def _heads(view: View) -> Finding | None:
    heads, tensor = getattr(view.world.model, "num_attention_heads", None), view.number(TP)
    if not heads or not tensor or heads % tensor == 0:
        return None
    values = divisors_near(tensor, heads)
    return Finding({"value": tensor, "heads": heads, "values": values}, ((TP, values[0]),))


def _experts(view: View) -> Finding | None:
    experts, size = getattr(view.world.model, "num_experts", None), view.number(EP)
    if not experts or not size or experts % size == 0:
        return None
    values = divisors_near(size, experts)
    return Finding({"value": size, "experts": experts, "values": values}, ((EP, values[0]),))


def _expert_parallel(view: View) -> Finding | None:
    expert, wanted = view.number(EP), (view.number(TP) or 1) * (view.number(DP) or 1)
    if not expert or expert == 1 or expert == wanted:
        return None
    if view.value(NAME) == "trtllm" and version_holds(">=0.7.1", view.version):
        return None
    return Finding({"value": expert, "least": wanted}, ((EP, wanted),))


def _data_parallel(view: View) -> Finding | None:
    copies, tensor, pool = view.number(DP), view.number(TP), rollout_pool(view)
    if not copies or copies == 1 or not tensor or pool is None or pool[0] % tensor == 0:
        return None
    values = divisors_near(tensor, pool[0])
    return Finding({"value": tensor, "devices": pool[0], "values": values}, ((TP, values[0]),))


def _pipeline(view: View) -> Finding | None:
    stages = view.number(PP)
    if not stages or stages == 1 or view.value(NAME) not in ("vllm", "sglang", "trtllm"):
        return None
    return Finding({"value": stages}, ((PP, 1),))


def _padding(view: View) -> Finding | None:
    padded_roles = ("fsdp",) if version_holds("<0.5", view.version) else ("fsdp", "fsdp2")
    keys = [key for key in (SP, SP_ENGINE, REF_SP) if (view.number(key) or 1) > 1]
    if not keys or view.value(ACTOR + "strategy") not in padded_roles or view.value(PADDING) is not False:
        return None
    params, edits = {"value": view.value(keys[0])}, ((PADDING, True),)
    if version_holds(">=0.6", view.version) and keys[0] != SP:  # from then on only the actor's own key is asked about
        return Finding({**params, "reason": "not-asked"}, edits, "warning", keys=(PADDING, *keys))
    return Finding(params, edits, keys=(PADDING, *keys))


REF_SP = REF + "ulysses_sequence_parallel_size"


def _critic_padding(view: View) -> Finding | None:
    split, padding = _CRITIC
    if (view.number(split) or 1) == 1 or view.value(padding) is not False or not uses_critic(view):
        return None
    return Finding({"value": view.value(split)}, ((padding, True),)) if view.value("critic.strategy") in _FSDP else None


_CRITIC = ("critic.ulysses_sequence_parallel_size", "critic.model.use_remove_padding")
_FSDP = ("fsdp", "fsdp2")


def _sequence_heads(key: str, view: View) -> Finding | None:
    model, size = view.world.model, view.number(key)
    heads = getattr(model, "num_attention_heads", None)
    if not size or size == 1 or not heads or not fsdp(view):
        return None
    groups = getattr(model, "num_key_value_heads", None) or heads
    if heads % size == 0 and (groups % size == 0 or size % groups == 0):
        return None
    fitting = [s for s in range(1, heads + 1) if heads % s == 0 and (groups % s == 0 or s % groups == 0)]
    values = [s for s in fitting if s < size][-1:] + [s for s in fitting if s > size][:1]
    return Finding({"value": size, "heads": heads, "groups": groups, "values": values}, ((key, values[0]),))


def _sequence_devices(view: View) -> Finding | None:
    total, size = devices(view), max(view.number(SP) or 1, view.number(SP_ENGINE) or 1)
    if not total or size == 1 or not fsdp(view) or total % size == 0:
        return None
    values = divisors_near(size, total)
    return Finding({"value": size, "devices": total, "values": values}, ((SP, values[0]),))


_POOLS = (PER_NODE, NODES)
_SIZES = (TP, *_POOLS, DP, PP, MODE, USE_V1, *POOL, *RECIPE_POOL)

PARALLEL: tuple[Relation, ...] = (
    Relation("rollout-parallel-not-divisible", _SIZES, _rollout, named=3),
    Relation("rollout-parallel-spans-nodes", _SIZES, _nodes, versions=">=0.6.1", named=2),
    Relation("heads-not-divisible", (TP, MODEL + "path"), _heads, given="none"),
    Relation("experts-not-divisible", (EP, MODEL + "path"), _experts, given="none"),
    Relation("expert-parallel-mismatch", (EP, TP, DP), _expert_parallel, versions=">=0.6", given="first"),
    Relation("data-parallel-nodes", (TP, DP, PER_NODE), _data_parallel, versions=">=0.6"),
    Relation("rollout-pipeline-unsupported", (PP, NAME), _pipeline, versions=">=0.6"),
    Relation("sequence-parallel-needs", (PADDING, SP, SP_ENGINE, REF_SP, ACTOR + "strategy"), _padding),
    Relation("sequence-parallel-needs", (_CRITIC[1], _CRITIC[0]), _critic_padding, versions="<0.8"),
    *(
        Relation("sequence-heads", (key, MODEL + "path"), partial(_sequence_heads, key), given="first")
        for key in (SP, SP_ENGINE)
    ),
    Relation("sequence-devices", (SP, *_POOLS, SP_ENGINE), _sequence_devices),
)
