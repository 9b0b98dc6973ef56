"""What AgentSDK's own wrapper asks for when MindSpeed-RL is its back end (facts/agentsdk.md 3.4)."""

from __future__ import annotations

from collections.abc import Iterator

from .rule import Rule, Violation
from .seen import Seen

_LENGTH = "generate_config.max_model_len"
_PROMPT = "rl_config.max_prompt_length"
_LONGEST_PROMPT = 131_072
_LONGEST_RESPONSE = 65_536
_MOST_STEPS = 100


def prompt(seen: Seen) -> Iterator[Violation]:
    """The wrapper's prompt length is max_prompt_length."""
    value = seen.view.number(_PROMPT)
    if value and value > _LONGEST_PROMPT:
        yield Violation((_PROMPT,), {"value": value, "limit": _LONGEST_PROMPT}, ((_PROMPT, _LONGEST_PROMPT),))


def response(seen: Seen) -> Iterator[Violation]:
    """The wrapper's response length is what the prompt leaves of the context."""
    length, value = seen.view.number(_LENGTH), seen.view.number(_PROMPT)
    if length and value and not 1 <= length - value <= _LONGEST_RESPONSE:
        params = {"value": length - value, "least": value + 1, "most": value + _LONGEST_RESPONSE}
        yield Violation((_LENGTH, _PROMPT), params)


def steps(seen: Seen) -> Iterator[Violation]:
    """The wrapper takes at most 100 turns a trajectory."""
    key, value = "agentsdk.max_steps", seen.view.number("agentsdk.max_steps")
    if value and value > _MOST_STEPS:
        yield Violation((key,), {"value": value, "limit": _MOST_STEPS}, ((key, _MOST_STEPS),))


def columns(seen: Seen) -> Iterator[Violation]:
    """Only the columns that are named are read from the data."""
    key = "megatron_training.dataset_additional_keys"
    if key not in seen.view.broken and not seen.view.value(key):
        yield Violation((key, "megatron_training.data_path"))


RULES = (
    Rule("wrapper-steps", steps, launchers=("agentsdk",)),
    Rule("dataset-keys-needed", columns, launchers=("agentsdk",)),
    Rule("wrapper-prompt-length", prompt, launchers=("agentsdk",)),
    Rule("wrapper-response-length", response, launchers=("agentsdk",)),
)
