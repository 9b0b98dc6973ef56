"""Lengths of the rollout, and values that vLLM refuses (M4, M24)."""

from __future__ import annotations

from collections.abc import Iterator

from .rule import Rule, Violation
from .seen import Seen

_LENGTH = "generate_config.max_model_len"
_BATCHED = "generate_config.max_num_batched_tokens"
_PROMPT = "rl_config.max_prompt_length"
_TOKENS = "generate_config.sampling_config.max_tokens"
_SAMPLING = "generate_config.sampling_config."

# Key -> lowest and highest value, and whether the lowest itself is one (vLLM's SamplingParams and cache configuration).
_RANGES: dict[str, tuple[float, float, bool]] = {
    "generate_config.gpu_memory_utilization": (0, 1, False),
    f"{_SAMPLING}top_p": (0, 1, False),
    f"{_SAMPLING}min_p": (0, 1, True),
    f"{_SAMPLING}temperature": (0, float("inf"), True),
    f"{_SAMPLING}top_k": (-1, float("inf"), True),
    f"{_SAMPLING}max_tokens": (1, float("inf"), True),
}


def context(seen: Seen) -> Iterator[Violation]:
    """M4: vLLM's context holds a training sequence."""
    length, sequence = seen.view.number(_LENGTH), seen.number("actor", "seq_length")
    if length and sequence and length < sequence:
        key = seen.key("actor", "seq_length")
        yield Violation((_LENGTH, key), {"value": length, "least": sequence}, ((_LENGTH, sequence),))


def response(seen: Seen) -> Iterator[Violation]:
    """M24: prompt and response fit into the context (three shipped files live without it)."""
    length, prompt, tokens = (seen.view.number(key) for key in (_LENGTH, _PROMPT, _TOKENS))
    given = seen.view.given(_PROMPT) or seen.view.given(_TOKENS)
    if length and prompt and tokens and given and prompt + tokens > length:
        yield Violation((_LENGTH, _PROMPT, _TOKENS), {"value": length, "least": prompt + tokens})


def batched(seen: Seen) -> Iterator[Violation]:
    """M24: one pass of vLLM takes a whole sequence."""
    length, tokens = seen.view.number(_LENGTH), seen.view.number(_BATCHED)
    if length and tokens and seen.view.given(_BATCHED) and tokens < length:
        yield Violation((_BATCHED, _LENGTH), {"value": tokens, "least": length})


def ranges(seen: Seen) -> Iterator[Violation]:
    """Numbers that vLLM refuses when it starts."""
    for key, (low, high, included) in _RANGES.items():
        value = seen.view.real(key)
        if value is None or (low < value <= high) or (included and value == low):
            continue
        rule = f"{'[' if included else '('}{low:g}, {'inf)' if high == float('inf') else f'{high:g}]'}"
        yield Violation((key,), {"value": seen.view.value(key), "range": rule})


def graph_mode(seen: Seen) -> Iterator[Violation]:
    """M24: graph mode wants TASK_QUEUE_ENABLE at most 1."""
    key = "generate_config.torchair_graph"
    machine = seen.view.world.machine
    env = getattr(machine, "env", {}) if machine is not None else {}
    if seen.view.true(key) and str(env.get("TASK_QUEUE_ENABLE", "")).strip() == "2":
        yield Violation((key,), {"value": "2"})


RULES = (
    Rule("context-below-sequence", context, number="M4"),
    Rule("mindspeed-response-length", response, level="hint", launchers=("mindspeed-rl",), number="M24"),
    Rule("mindspeed-batched-tokens", batched, level="hint", launchers=("mindspeed-rl",), number="M24"),
    Rule("mindspeed-value-range", ranges, launchers=("mindspeed-rl",)),
    Rule("mindspeed-graph-mode", graph_mode, level="warning", number="M24"),
)
