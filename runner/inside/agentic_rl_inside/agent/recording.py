"""What the model generated during one call of the wrapper: the tokens themselves, not their text."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Generated:
    """An answer as a generator gives it.

    Attributes:
        tokens: Token ids, the end-of-turn token included where the model wrote it.
        log_probs: One a token (nats), or None where the engine gives none.
        finish: ``stop``, ``length`` or ``abort``.
        steps: Oldest and newest version of the weights (training step), or None.
    """

    tokens: list[int]
    log_probs: list[float] | None = None
    finish: str = "stop"
    steps: tuple[int, int] | None = None


@dataclass(frozen=True)
class Record:
    """One request and its answer."""

    prompt: tuple[int, ...]
    answer: Generated
    session: str


@dataclass
class Recording:
    """The requests of one call; filled from the generator's thread, read from others."""

    records: list[Record] = field(default_factory=list[Record])
    running: int = 0
    requests: int = 0
    refused: str = ""
    """The last request that was refused, as the wrapper was told."""
    touched: float = field(default_factory=time.monotonic)
    closed: bool = False
    _by_prompt: dict[tuple[int, ...], list[Record]] = field(default_factory=dict[Any, Any])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self) -> None:
        """A request starts.

        Raises:
            RuntimeError: the call was given up; whoever still plays is told so.
        """
        with self._lock:
            if self.closed:
                raise RuntimeError("this call of the wrapper was given up")
            self.running += 1
            self.requests += 1
            self.touched = time.monotonic()

    def end(self, record: Record | None) -> None:
        """A request ends, with an answer or without."""
        with self._lock:
            self.running -= 1
            self.touched = time.monotonic()
            if record is not None:
                self.records.append(record)
                self._by_prompt.setdefault(record.prompt, []).append(record)

    def idle(self) -> float:
        """Seconds since the last sign of life; 0 while requests run."""
        with self._lock:
            return 0.0 if self.running else time.monotonic() - self.touched

    def of_prompt(self, prompt: Sequence[int]) -> list[Record]:
        """Answers to exactly this prompt."""
        return self._by_prompt.get(tuple(prompt), [])

    def lengths(self) -> frozenset[int]:
        """Lengths of the prompts."""
        return frozenset(map(len, self._by_prompt))
