"""Lengths: passes of a limited number of tokens, the model's context, what the rollout takes at once (V13, V16-V18)."""

from __future__ import annotations

from functools import partial

from ...catalogue.versions import version_holds
from ..view import View
from .relation import EVERYWHERE, NATIVE, Finding, Relation
from .setup import ACTOR, DYNAMIC, PROMPT, REF, RESPONSE, ROLLOUT, N, uses_critic, uses_reference

TOKENS = ACTOR + "ppo_max_token_len_per_gpu"
CONTEXT, BATCHED = ROLLOUT + "max_model_len", ROLLOUT + "max_num_batched_tokens"
CHUNKED, EAGER, FREE = ROLLOUT + "enable_chunked_prefill", ROLLOUT + "enforce_eager", ROLLOUT + "free_cache_engine"
MODE, NAME = ROLLOUT + "mode", ROLLOUT + "name"
_SP = "ulysses_sequence_parallel_size"

# key of the limit, of the switch, of the sequence parallel size
_LIMITS = (
    (TOKENS, DYNAMIC, ACTOR + _SP),
    (ROLLOUT + "log_prob_max_token_len_per_gpu", ROLLOUT + "log_prob_use_dynamic_bsz", ACTOR + _SP),
    (REF + "log_prob_max_token_len_per_gpu", REF + "log_prob_use_dynamic_bsz", REF + _SP),
    ("critic.ppo_max_token_len_per_gpu", "critic.use_dynamic_bsz", "critic." + _SP),
)


def sequence_length(view: View) -> int | None:
    """Tokens of a sequence of full length."""
    prompt, response = view.number(PROMPT), view.number(RESPONSE)
    return prompt + response if prompt and response else None


def _tokens(key: str, switch: str, split: str, view: View) -> Finding | None:
    limit, least = view.number(key), sequence_length(view)
    if not view.true(switch) or not limit or not least:
        return None
    if (key.startswith(REF) and not uses_reference(view)) or (key.startswith("critic.") and not uses_critic(view)):
        return None
    parts = view.number(split) or 1
    if limit * parts >= least:
        return None
    wanted = -(-least // parts)
    # Not set, it follows the actor's limit, which has a problem of its own then.
    if key != TOKENS and not view.given(key):
        return None
    return Finding({"value": limit, "parts": parts, "length": least, "least": wanted}, ((key, wanted),))


def _advised(view: View) -> Finding | None:
    limit, n, least = view.number(TOKENS), view.number(N), sequence_length(view)
    if not view.true(DYNAMIC) or not limit or not n or not least or limit >= n * least or limit < least:
        return None  # below one sequence it has a problem of its own
    return Finding({"value": limit, "least": n * least})


def _unused_limit(view: View) -> Finding | None:
    return None if view.true(DYNAMIC) else Finding({})


def _context(view: View) -> Finding | None:
    context, least = view.number(CONTEXT), sequence_length(view)
    if not context or not least or context >= least:
        return None
    return Finding({"value": context, "least": least}, ((CONTEXT, least),))


def _positions(view: View) -> int | None:
    """Positions that the model knows, stretched ones too; None when the model is unknown."""
    model = view.world.model
    positions = getattr(model, "max_position_embeddings", None)
    factor = getattr(model, "rope_scaling_factor", None) or 1
    return int(positions * factor) if positions else None


def _model_context(view: View) -> Finding | None:
    positions, least = _positions(view), sequence_length(view)
    if not positions or not least or positions >= least:
        return None
    prompt = view.number(PROMPT) or 0
    edits = ((RESPONSE, positions - prompt),) if prompt < positions else ()
    return Finding({"value": least, "positions": positions}, edits)


def _asked_context(view: View) -> Finding | None:
    positions, context = _positions(view), view.number(CONTEXT)
    if not positions or not context or context <= positions:
        return None
    return Finding({"value": context, "positions": positions}, ((CONTEXT, positions),))


def _response_below(view: View) -> Finding | None:
    """Later ones cut the sequence at the model's context, without a word."""
    found = _model_context(view)
    return None if found is None or view.number(CONTEXT) else found


def _chunked_on(view: View) -> Finding | None:
    batched, needed = view.number(BATCHED), view.number(CONTEXT) or sequence_length(view)
    if view.value(NAME) != "vllm" or view.value(MODE) != "sync" or not view.true(CHUNKED):
        return None
    if not batched or not needed or batched >= needed:
        return None
    return Finding({"value": batched, "least": needed}, ((BATCHED, needed),))


def _chunked_off(view: View) -> Finding | None:
    batched, needed = view.number(BATCHED), view.number(CONTEXT)
    if view.value(CHUNKED) is not False or not batched or view.value(NAME) not in ("vllm", "???", None):
        return None
    if not needed:
        # Not set, it is prompt and response up to 0.6, and all that the model knows after.
        needed = sequence_length(view) if version_holds("<0.7", view.version) else _positions(view)
    if not needed or batched >= needed:
        return None
    return Finding({"value": batched, "least": needed}, ((CHUNKED, True),))


def _eager(view: View) -> Finding | None:
    if view.value(EAGER) is not False or not view.true(FREE) or view.value(NAME) != "vllm":
        return None
    return Finding({}, ((EAGER, True),))


_LENGTHS = (PROMPT, RESPONSE)


def _limits() -> list[Relation]:
    found: list[Relation] = []
    for key, switch, split in _LIMITS:
        judge = partial(_tokens, key, switch, split)
        keys = (key, *_LENGTHS, split, switch)
        # Up to 0.5 every sequence is padded to its full length; later only the longest real one counts.
        found.append(Relation("token-limit-too-low", keys, judge, versions="<0.6", launchers=EVERYWHERE))
        found.append(Relation("token-limit-too-low", keys, judge, "warning", ">=0.6", EVERYWHERE))
    return found


LENGTHS: tuple[Relation, ...] = (
    *_limits(),
    Relation("token-limit-below-advice", (TOKENS, N, *_LENGTHS), _advised, "hint", given="first"),
    Relation("token-limit-unused", (TOKENS, DYNAMIC), _unused_limit, "hint", launchers=NATIVE, given="first"),
    Relation("context-too-short", (CONTEXT, *_LENGTHS), _context, "warning", launchers=EVERYWHERE),
    Relation("model-context-too-short", (RESPONSE, PROMPT), _model_context, versions="<0.7", given="none"),
    Relation("model-context-too-short", (RESPONSE, PROMPT), _response_below, "warning", ">=0.7", given="none"),
    Relation("context-beyond-model", (CONTEXT,), _asked_context, given="first"),
    Relation("chunked-prefill-too-small", (BATCHED, CONTEXT, *_LENGTHS, CHUNKED, MODE), _chunked_on, versions="<0.7"),
    Relation("chunked-prefill-off", (CHUNKED, BATCHED, CONTEXT, *_LENGTHS), _chunked_off, versions="<=0.9.0"),
    Relation("chunked-prefill-off", (CHUNKED, BATCHED, CONTEXT), _chunked_off, "warning", ">=0.9.1"),
    Relation("graph-with-free-cache", (EAGER, FREE, NAME), _eager, versions="<0.5", given="any"),
)
