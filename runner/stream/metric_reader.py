"""Reads the metrics of a whole log, line after line: what one line can't tell, the lines before it do.

AgentSDK on verl replaces verl's trainer: it names the step in one line (``Epoch 0, step 3 started.``) and prints
numbers of that step in others (``Reward stats - min: ...``, ``Actor output metrics: {...}``); a whole row comes only
when a checkpoint is saved (``Step 3, metrics: {...}``). Source: AgentSDK 26.0.0's trainer, facts of its log lines.
"""

from __future__ import annotations

import re

from .dict_metrics import read_pairs
from .lines import clean_line
from .metrics import parse_metric_line
from .outer import message_of

MetricRow = tuple[int, dict[str, float]]

# Any of these words is in each line that this reader understands; readers of big logs look for them first.
METRIC_WORDS: tuple[bytes, ...] = (
    b"step:",
    b"iteration",
    b", step ",
    b", metrics: {",
    b"output metrics: {",
    b"Reward stats",
    b"validation mean reward",
    b"test score",
)

_NUMBER = r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|nan|inf)"
_STARTED = re.compile(r"^Epoch \d{1,9}, step (\d{1,12}) started\b")
_WHOLE = re.compile(r"^Step (\d{1,12}), metrics: (\{.*)$")
_ACTOR = re.compile(r"^(?:Actor|Critic) output metrics: (\{.*)$")
_REWARDS = re.compile(rf"^Reward stats - min:\s*({_NUMBER}),?\s+max:\s*({_NUMBER}),?\s+mean:\s*({_NUMBER})")
_VALIDATE = re.compile(r"^validate iteration:\s*(\d{1,12})")
_SCORE = re.compile(rf"^(validation mean reward|test score):\s*({_NUMBER})\s*$")
_SCORE_KEYS = {"validation mean reward": "validation/mean_reward", "test score": "validation/test_score"}
# A line cut by a terminal's hard wrap goes on, without a prefix, in the middle of a key or of a value.
_CONTINUED = re.compile(
    r"^[\w/.@()%-]{0,120}(?::[-+\w.()]{1,40})?(?: - |- )[\w-]{1,40}/|^[\w/.@()-]{0,120}:[-+\w.()]{1,40}$"
)
_MOST_WRAPPED = 60


class MetricReader:
    """Feed it every line of a log (or every line that holds one of METRIC_WORDS; wrapped lines are lost then)."""

    def __init__(self) -> None:
        self._step: int | None = None
        self._wrapped: list[str] = []

    def read(self, line: bytes | str) -> MetricRow | None:
        """The row that a line tells: (step, {key: value}), or None.

        A hard-wrapped line tells its row in pieces: each piece gives the keys that it completes.
        """
        if isinstance(line, bytes) and not self._wrapped and not any(word in line for word in METRIC_WORDS):
            return None
        text = clean_line(line)
        if self._wrapped and (row := self._join(text)):
            return row
        row = parse_metric_line(text)
        if row is not None:
            self._wrapped = [text] if "step:" in text else []
            return row
        return self._of_agentsdk(text)

    def _join(self, text: str) -> MetricRow | None:
        """The row of the wrapped line so far, should this line go on with it."""
        if len(self._wrapped) >= _MOST_WRAPPED or not _CONTINUED.search(text) or "step:" in text[:60]:
            self._wrapped = []
            return None
        self._wrapped.append(text)
        return parse_metric_line("".join(self._wrapped))

    def _of_agentsdk(self, line: str) -> MetricRow | None:
        text = message_of(line).text
        if found := _STARTED.match(text) or _VALIDATE.match(text):
            self._step = int(found[1])
            return None
        if found := _WHOLE.match(text):
            data = read_pairs(found[2])
            return (int(found[1]), data) if data else None
        if self._step is None:
            return None
        data: dict[str, float] = {}
        if found := _ACTOR.match(text):
            data = read_pairs(found[1])
        elif found := _REWARDS.match(text):
            data = {f"reward/{name}": float(found[place]) for place, name in enumerate(("min", "max", "mean"), 1)}
        elif found := _SCORE.match(text):
            data = {_SCORE_KEYS[found[1]]: float(found[2])}
        return (self._step, data) if data else None
