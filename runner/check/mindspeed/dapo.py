"""What DAPO and multi-turn rollouts ask for (M13, M19, M22)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from .rule import Rule, Violation
from .seen import Seen

_OVERLONG = "rl_config.overlong_buffer_enable"
_TOKENS = "generate_config.sampling_config.max_tokens"


def filter_metric(seen: Seen) -> Iterator[Violation]:
    """M13: dynamic sampling filters by one of the verifiers."""
    key, functions_key = "rl_config.filter_groups_metric", "rl_config.verifier_function"
    metric, functions = seen.view.value(key), seen.view.value(functions_key)
    if not seen.view.true("rl_config.filter_groups_enable") or not isinstance(functions, list):
        return
    known = [str(function) for function in cast("list[Any]", functions)]
    if isinstance(metric, str) and "${" not in metric and metric not in known:
        edits = ((key, known[0]),) if len(known) == 1 else ()
        keys = (key, functions_key, "rl_config.filter_groups_enable")
        yield Violation(keys, {"value": metric, "choices": known}, edits)


def overlong(seen: Seen) -> Iterator[Violation]:
    """M19: the buffer of the length penalty is a part of the response."""
    key = "rl_config.overlong_buffer"
    buffer, tokens = seen.view.real(key), seen.view.number(_TOKENS)
    if seen.view.true(_OVERLONG) and buffer is not None and tokens and buffer >= tokens:
        yield Violation((key, _TOKENS, _OVERLONG), {"value": seen.view.value(key), "limit": tokens - 1})


def overlong_tokens(seen: Seen) -> Iterator[Violation]:
    """M19: the length penalty and the rollout agree about the longest response."""
    key = "rl_config.rollout_max_tokens"
    value, tokens = seen.view.number(key), seen.view.number(_TOKENS)
    if seen.view.true(_OVERLONG) and value and tokens and value != tokens:
        yield Violation((key, _TOKENS, _OVERLONG), {"value": value, "wanted": tokens}, ((key, tokens),))


def turns_length(seen: Seen) -> Iterator[Violation]:
    """M22: all turns together may be at least as long as one."""
    key = "rl_config.max_total_response_length"
    value, tokens = seen.view.real(key), seen.view.number(_TOKENS)
    if seen.view.true("rl_config.multi_turn_enable") and value is not None and tokens and value < tokens:
        yield Violation(
            (key, _TOKENS, "rl_config.multi_turn_enable"),
            {"value": seen.view.value(key), "least": tokens},
            ((key, tokens),),
        )


def turns_engine(seen: Seen) -> Iterator[Violation]:
    """M22: turns need the asynchronous engine."""
    key, other = "rl_config.async_engine", "rl_config.multi_turn_enable"
    if seen.view.true(other) and not seen.view.value(key, True):
        yield Violation((key, other), {}, ((key, True),))


RULES = (
    Rule("mindspeed-filter-metric", filter_metric, ">=2.2", number="M13"),
    Rule("mindspeed-overlong-buffer", overlong, ">=2.2", number="M19"),
    Rule("mindspeed-overlong-tokens", overlong_tokens, ">=2.2", number="M19"),
    Rule("mindspeed-turns-length", turns_length, ">2.3", number="M22"),
    Rule("mindspeed-turns-engine", turns_engine, ">2.3", number="M22"),
)
