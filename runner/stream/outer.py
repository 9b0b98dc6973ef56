"""What stands before a message: time stamps of collectors, Ray's prefix, ranks, the prefixes of half a dozen loggers.

One line may carry several of them, one inside the other: a container's time stamp, Ray's ``(WorkerDict pid=7)``,
vLLM's ``ERROR 06-09 06:57:48 [core.py:390]``, and only then ``ValueError: ...``. MindSpeed-RL's lines carry two
times, local outside and UTC inside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .lines import Origin, split_prefix

_DATE = r"\d{4}-\d\d-\d\d[T _-]\d\d:\d\d:\d\d(?:[.,:]\d{1,9})*(?:Z|[+-]\d\d:?\d\d)?"
_LEVEL = r"(?P<level{n}>DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL|EVENT)"
_SOURCE = r"[\w./<>-]{1,200}:\d+"

# Each is tried at the start of what is left, again and again; the first that matches is taken off.
_OUTER = re.compile(
    "|".join(
        pattern.replace("{n}", str(number))
        for number, pattern in enumerate(
            (
                # Seconds since the start, as `ts -s` prints them before everything else.
                r"\s*\d{1,6}\.\d{1,6}(?=\s+\S)\s+",
                # vLLM: `ERROR 06-09 06:57:48 [core.py:390] `, older `ERROR 06-09 06:57:48 core.py:390] `.
                rf"{_LEVEL} \d\d-\d\d \d\d:\d\d:\d\d (?:\[[^\]]{{1,200}}\]|{_SOURCE}\])\s?",
                # Python's logging with a format of its own, Ray's, MindSpeed-RL's, TransferQueue's.
                rf"(?:\[{_DATE}\]|{_DATE})\s*(?:-\s*|\t)?{_LEVEL}\b\s*(?:{_SOURCE}\s*)?(?:--|-|:|\|)?\s*",
                rf"{_LEVEL}:{_DATE}:",
                rf"{_LEVEL}:[\w.]{{1,100}}:(?=\S)",
                # AgentSDK: `[ERROR] 2026-01-02-03:04:05.678.901 [trainer.py:12] fit: `; CANN: `[ERROR] RUNTIME(12):`.
                rf"\[{_LEVEL}\]\s*(?:{_DATE}\s*)?(?:\[{_SOURCE}\]\s*(?:[\w<>.]{{1,80}}:\s)?)?",
                # A container's or a collector's time stamp, MindSpeed-RL's inner time.
                rf"(?:\[{_DATE}\]|{_DATE})\s+",
                # torchrun and torch.distributed.
                r"\[(?:rank|default)\d{1,6}\]:\s?",
                # The level alone, behind MindSpeed-RL's inner time.
                rf"{_LEVEL}\b:?\s+",
            )
        )
    )
)
_MOST = 6


@dataclass(frozen=True, slots=True)
class Message:
    """A line without what stands before it.

    Attributes:
        text: the message; indentation of the message itself stays.
        origin: the process, innermost, where Ray (or vLLM) names it.
        level: the word of the innermost logger, "" where none was named.
    """

    text: str
    origin: Origin | None = None
    level: str = ""


def message_of(line: str) -> Message:
    """Take the outer prefixes off a clean line."""
    origin: Origin | None = None
    level = ""
    text = line
    for _ in range(_MOST):
        found, rest, _ = split_prefix(text)
        if found is not None:
            origin, text = found, rest
            continue
        match = _OUTER.match(text) if text[:1] in _FIRST else None
        if match is None or match.end() == 0:
            break
        level = next((value for value in match.groups() if value), level)
        text = text[match.end() :]
    return Message(text, origin, level)


# What an outer prefix may begin with; indented code and prose end the search at once.
_FIRST = frozenset(" 0123456789[DIWECF")
