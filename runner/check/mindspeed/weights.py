"""The weights to start from: Megatron's layout, cut for the same degrees of parallelism (document 000)."""

from __future__ import annotations

from collections.abc import Iterator

from .rule import Rule, Violation
from .seen import Seen

_LOAD = "load"
_SIZES = ("tensor", "pipeline", "expert")


def layout(seen: Seen) -> Iterator[Violation]:
    """Without its tracker file Megatron finds nothing, says so in one line, and trains from random weights."""
    key = seen.key("actor", _LOAD)
    facts = seen.view.world.weights.get(seen.view.file_key(key))
    if facts is not None and not facts.iteration:
        params = {"path": facts.directory, "reason": "hugging-face" if facts.hugging_face else None}
        # Document 000 demands the layout; a file of MindSpeed-RL's own may mean to start from nothing.
        level = None if seen.view.launcher == "agentsdk" else "warning"
        yield Violation((key,), {k: v for k, v in params.items() if v is not None}, (), level)


def sizes(seen: Seen) -> Iterator[Violation]:
    """A folder for each rank of tensor and pipeline parallelism; experts add a number that depends on their layout."""
    key = seen.key("actor", _LOAD)
    facts = seen.view.world.weights.get(seen.view.file_key(key))
    tensor, stages = (
        seen.number("actor", "tensor_model_parallel_size"),
        seen.number("actor", "pipeline_model_parallel_size"),
    )
    experts = seen.number("actor", "expert_model_parallel_size")
    if facts is None or not facts.ranks or not tensor or not stages or experts != 1:
        return
    if any(name.count("_") > 3 for name in facts.ranks):
        return  # cut for expert parallelism
    found_tensor = 1 + max(int(name.split("_")[2]) for name in facts.ranks)
    found_stages = 1 + max((int(name.split("_")[3]) for name in facts.ranks if name.count("_") == 3), default=0)
    if (found_tensor, found_stages) != (tensor, stages):
        keys = (seen.key("actor", "tensor_model_parallel_size"), seen.key("actor", "pipeline_model_parallel_size"), key)
        params = {
            "path": facts.directory,
            "tensor": found_tensor,
            "stages": found_stages,
            "wanted": f"{tensor} x {stages}",
        }
        yield Violation(keys, params, ((keys[0], found_tensor), (keys[1], found_stages)))


RULES = (
    Rule("mindspeed-weights-layout", layout),
    Rule("mindspeed-weights-sizes", sizes),
)
