"""``BaseEngineWrapper`` as AgentSDK 26.0 has it: constructor arguments, limits, what a subclass implements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any

from .trajectory import Trajectory

LONGEST_PROMPT, LONGEST_RESPONSE = 128 * 1024, 64 * 1024
MOST_AGENTS, MOST_STEPS = 64, 100


class BaseEngineWrapper(ABC):
    """Base of the one class in the file that ``agent_engine_wrapper_path`` names.

    Args:
        agent_name: a Python identifier.
        tokenizer: a Transformers tokenizer.
        sampling_params: defaults that the wrapper may send with its requests, or None.
        max_prompt_length: tokens, 1..131072.
        max_response_length: tokens of a whole trajectory's response, 1..65536.
        n_parallel_agents: 1..64; rollout_n.
        max_steps: turns of a trajectory, 1..100.

    Attributes:
        completions: async callables, one a server: ``await self.completions[0]({"prompt": text, ...})``.
        server_addresses: ``host:port`` of servers with ``/v1/completions`` and ``/v1/chat/completions``.

    Raises:
        ValueError, TypeError: an argument is out of its range.
    """

    def __init__(
        self,
        agent_name: str,
        tokenizer: Any,
        sampling_params: dict[str, Any] | None,
        max_prompt_length: int = LONGEST_PROMPT,
        max_response_length: int = 8 * 1024,
        n_parallel_agents: int = 8,
        max_steps: int = 5,
    ) -> None:
        name: Any = agent_name
        if not (isinstance(name, str) and name.isidentifier()):
            raise ValueError(f"agent_name must be a Python identifier, not {agent_name!r}")
        given: Any = sampling_params
        if given is not None and not (isinstance(given, dict) and all(isinstance(key, str) for key in given)):
            raise ValueError("sampling_params must be a dict with text keys, or None")
        _within("max_prompt_length", max_prompt_length, LONGEST_PROMPT)
        _within("max_response_length", max_response_length, LONGEST_RESPONSE)
        _within("n_parallel_agents", n_parallel_agents, MOST_AGENTS)
        _within("max_steps", max_steps, MOST_STEPS)
        _check_tokenizer(tokenizer)
        self.agent_name = agent_name
        self.tokenizer = tokenizer
        self.sampling_params = sampling_params
        self.max_prompt_length = max_prompt_length
        self.max_response_length = max_response_length
        self.n_parallel_agents = n_parallel_agents
        self.max_steps = max_steps
        self.completions: list[Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]] | None = None
        self.server_addresses: list[str] | None = None

    @abstractmethod
    def initialize(self) -> None:
        """Called once, after ``completions`` and ``server_addresses`` are set."""

    @abstractmethod
    def generate_agent_trajectories_async(self, tasks: list[dict[str, Any]]) -> list[Trajectory]:
        """Play all tasks and return one trajectory for each. Called synchronously, whatever the name says."""


def _within(name: str, value: Any, most: int) -> None:
    if not isinstance(value, int) or not 1 <= value <= most:
        raise ValueError(f"{name} must be an integer from 1 to {most}, not {value!r}")


def _check_tokenizer(tokenizer: Any) -> None:
    if tokenizer is None:
        raise ValueError("tokenizer must be given")
    from transformers import PreTrainedTokenizerBase

    # The base class of both kinds that AgentSDK names; Transformers 5 has tokenizers of neither.
    if not isinstance(tokenizer, PreTrainedTokenizerBase):
        raise TypeError(f"tokenizer must be a Transformers tokenizer, not {type(tokenizer).__name__}")
