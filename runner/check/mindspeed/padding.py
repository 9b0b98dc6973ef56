"""Training without padding, and context parallelism (M5, M6, M7)."""

from __future__ import annotations

from collections.abc import Iterator

from .rule import Rule, Violation
from .seen import Seen

_REMOVE = "rl_config.use_remove_padding"
_RING = "megatron_cp_algo"
_ULYSSES = "ulysses_cp_algo"


def _context(seen: Seen) -> int:
    return seen.number("actor", "context_parallel_size") or 1


def _ring(seen: Seen) -> bool:
    return _context(seen) > 1 and seen.value("actor", "context_parallel_algo") == _RING


def _algorithm(seen: Seen, known: tuple[str, ...]) -> Iterator[Violation]:
    algorithm = seen.value("actor", "context_parallel_algo")
    if _context(seen) > 1 and algorithm is not None and algorithm not in known:
        keys = (seen.key("actor", "context_parallel_algo"), seen.key("actor", "context_parallel_size"))
        yield Violation(keys, {"value": algorithm, "choices": list(known)}, ((keys[0], _ULYSSES),))


def algorithm(seen: Seen) -> Iterator[Violation]:
    """M5: Ulysses or ring; null is accepted."""
    yield from _algorithm(seen, (_ULYSSES, _RING))


def algorithm_2_1(seen: Seen) -> Iterator[Violation]:
    """M5 in 2.1: Ulysses only."""
    yield from _algorithm(seen, (_ULYSSES,))


def _needs(seen: Seen, name: str, *others: str) -> Iterator[Violation]:
    key = seen.key("actor", name)
    if seen.view.true(_REMOVE) and not seen.value("actor", name):
        params = {"other": seen.view.file_key(key), "key": seen.view.file_key(_REMOVE)}
        yield Violation((_REMOVE, key, *others), params, ((key, True),))


def _staged(seen: Seen) -> tuple[str, ...]:
    stages = seen.number("actor", "pipeline_model_parallel_size")
    return (seen.key("actor", "pipeline_model_parallel_size"),) if stages and stages > 1 else ()


def positions(seen: Seen) -> Iterator[Violation]:
    """M7 up to 2.2: sequences packed into one row keep their own positions."""
    yield from _needs(seen, "reset_position_ids")


def lengths(seen: Seen) -> Iterator[Violation]:
    """M7 up to 2.2: pipeline stages must take rows of any length."""
    stages = _staged(seen)
    if stages:
        yield from _needs(seen, "variable_seq_lengths", *stages)


def mask(seen: Seen) -> Iterator[Violation]:
    """M7 from 2.3 on (M6 is a part of it): packed sequences don't see each other."""
    yield from _needs(seen, "reset_attention_mask")


def ring_mask(seen: Seen) -> Iterator[Violation]:
    """M6 in 2.2: needed for ring attention."""
    if _ring(seen):
        yield from _needs(seen, "reset_attention_mask", seen.key("actor", "context_parallel_algo"))


def unpadded(seen: Seen) -> Iterator[Violation]:
    """M7 from 2.3 on: pipeline stages must take rows of any length."""
    stages = _staged(seen)
    if stages:
        yield from _needs(seen, "no_pad_to_seq_lengths", *stages)


def mask_unused(seen: Seen) -> Iterator[Violation]:
    """2.2 only: reset_attention_mask is refused without ring attention and remove_padding."""
    key = seen.key("actor", "reset_attention_mask")
    if seen.value("actor", "reset_attention_mask") is True and not (_ring(seen) and seen.view.true(_REMOVE)):
        yield Violation((key, _REMOVE, seen.key("actor", "context_parallel_algo")), {}, ((key, False),))


def mask_type(seen: Seen) -> Iterator[Violation]:
    """2.2 only: causal is the one mask type."""
    key, value = seen.key("actor", "cp_attention_mask_type"), seen.value("actor", "cp_attention_mask_type", "causal")
    if value != "causal":
        yield Violation((key,), {"value": value}, ((key, "causal"),))


def multimodal(seen: Seen) -> Iterator[Violation]:
    """M7: models with pictures keep their padding."""
    if seen.view.true(_REMOVE) and seen.view.true("rl_config.is_multimodal"):
        yield Violation((_REMOVE, "rl_config.is_multimodal"), {}, ((_REMOVE, False),))


RULES = (
    Rule("mindspeed-context-algorithm", algorithm_2_1, "==2.1", number="M5"),
    Rule("mindspeed-context-algorithm", algorithm, ">=2.2", number="M5"),
    Rule("remove-padding-needs", positions, ">=2.1,<2.3", number="M7"),
    Rule("remove-padding-needs", lengths, ">=2.1,<2.3", number="M7"),
    Rule("remove-padding-needs", ring_mask, "==2.2", number="M6"),
    Rule("remove-padding-needs", mask, ">=2.3", number="M7"),
    Rule("remove-padding-needs", unpadded, ">=2.3", number="M7"),
    Rule("mindspeed-mask-unused", mask_unused, "==2.2", number="M6"),
    Rule("mindspeed-mask-type", mask_type, "==2.2", number="M6"),
    Rule("mindspeed-padding-multimodal", multimodal, ">=2.1", number="M7"),
)
