"""What a wrapper may ask of the model: keys and ranges of AgentSDK's request check, and the tokens of the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_COMMON = frozenset(
    {
        "n",
        "temperature",
        "top_k",
        "top_p",
        "min_p",
        "max_tokens",
        "min_tokens",
        "logprobs",
        "detokenize",
        "seed",
        "presence_penalty",
        "frequency_penalty",
    }
)
COMPLETION_KEYS = _COMMON | {"prompt"}
CHAT_KEYS = _COMMON | {"messages", "model", "stream"}
ROLES = ("system", "user", "assistant", "tool")
# key -> kinds, least, most (None: no limit)
_NUMBERS: dict[str, tuple[tuple[type, ...], float, float | None]] = {
    "temperature": ((int, float), 0, 2),
    "top_p": ((int, float), 0, 1),
    "min_p": ((int, float), 0, 1),
    "top_k": ((int,), 0, None),
    "n": ((int,), 1, None),
    "max_tokens": ((int,), 1, 64_000),
    "min_tokens": ((int,), 0, 64_000),
    "presence_penalty": ((int, float), -2, 2),
    "frequency_penalty": ((int, float), -2, 2),
    "seed": ((int,), -65_535, 65_535),
}
COMPLETION_LENGTH = 16
"""Tokens of a completion whose request has no ``max_tokens``: the OpenAI API's default, which vLLM keeps."""


@dataclass(frozen=True)
class Asked:
    """A checked request.

    Attributes:
        n: Answers wanted.
        params: Sampling parameters that were given, without ``n``, ``logprobs`` and ``detokenize``.
        logprobs: Whether token log-probabilities are wanted in the answer.
    """

    n: int
    params: dict[str, Any]
    logprobs: bool


def check_completion(request: Any) -> Asked:
    """A request to ``completions[i]`` or ``/v1/completions``.

    Raises:
        TypeError, ValueError: as AgentSDK does, before anything is generated.
    """
    given = _checked(request, COMPLETION_KEYS, "prompt")
    prompt = given["prompt"]
    if not isinstance(prompt, str):
        raise TypeError(f"prompt must be text, not {type(prompt).__name__}")
    if not prompt:
        raise ValueError("prompt must not be empty")
    return _asked(given, "prompt")


def check_chat(request: Any) -> Asked:
    """A request to ``/v1/chat/completions``.

    Raises:
        TypeError, ValueError: as AgentSDK does; a stream can't be had.
    """
    given = _checked(request, CHAT_KEYS, "messages")
    messages: Any = given["messages"]
    if not isinstance(messages, list) or not messages:
        raise TypeError("messages must be a list that is not empty")
    for number, message in enumerate(messages):
        if not isinstance(message, dict) or "role" not in message or "content" not in message:
            raise ValueError(f"messages[{number}] must be a dict with role and content")
        if message["role"] not in ROLES:
            raise ValueError(f"messages[{number}] has the role {message['role']!r}; roles are {', '.join(ROLES)}")
        if not isinstance(message["content"], str) or not message["content"].strip():
            raise ValueError(f"messages[{number}] content must be text that is not blank")
    if given.get("stream"):
        raise ValueError("stream can't be had")
    return _asked(given, "messages", "model", "stream")


def _checked(request: Any, keys: frozenset[str], needed: str) -> Mapping[str, Any]:
    if not isinstance(request, dict):
        raise TypeError(f"a request must be a dict, not {type(request).__name__}")
    given = {key: value for key, value in request.items() if key != "model_name"}  # AgentSDK drops it
    unknown = sorted(str(key) for key in given if key not in keys)
    if unknown:
        raise ValueError(f"unknown in a request: {', '.join(unknown)}; known: {', '.join(sorted(keys))}")
    if needed not in given:
        raise ValueError(f"a request needs {needed}")
    for key, (kinds, least, most) in _NUMBERS.items():
        if key not in given:
            continue
        value = given[key]
        if not isinstance(value, kinds):
            raise TypeError(f"{key} must be {'an integer' if kinds == (int,) else 'a number'}, not {value!r}")
        if not value >= least or (most is not None and value > most):
            raise ValueError(f"{key} must be {f'from {least} to {most}' if most is not None else f'>= {least}'}")
    if "detokenize" in given and not isinstance(given["detokenize"], bool):
        raise TypeError("detokenize must be true or false")
    wanted = given.get("logprobs", 0)
    if not isinstance(wanted, int) or wanted < 0:
        raise ValueError("logprobs must be true, false or an integer >= 0")
    return given


def _asked(given: Mapping[str, Any], *without: str) -> Asked:
    dropped = {*without, "n", "logprobs", "detokenize"}
    params = {key: value for key, value in given.items() if key not in dropped}
    wanted = given.get("logprobs")
    return Asked(int(given.get("n", 1)), params, wanted is not None and wanted is not False)
