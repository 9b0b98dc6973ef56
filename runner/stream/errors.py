"""The first cause in a log that ended badly: the last traceback's words, not the noise of the shutdown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .levels import level_of
from .lines import split_prefix

_EXCEPTION = re.compile(
    r"^(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Warning)\b(?:\([^)]*\))?(?::|$)"
)
_RAY_WRAPPER = re.compile(r"^ray\.exceptions\.\w+(?:\(\w+\))?: ")
# Printed while processes die, whatever the cause was.
_NOISE = re.compile(
    r"main process disappeared|resource_tracker|leaked semaphore|Engine core proc .* died|TCPStore|"
    r"terminate called|SIGTERM received|SIGABRT received|The actor .*died|RayActorError|ActorDiedError|"
    r"Exception ignored in|destroy_process_group|Set the environment variable HYDRA_FULL_ERROR|"
    r"KeyboardInterrupt|SystemExit|core_worker_process|Connection reset by peer|Broken pipe|PC: @ |@ +0x[0-9a-f]+ |"
    r"^The above exception was|^During handling of the above"
)
_BLOCK = 40


@dataclass(frozen=True, slots=True)
class ErrorBlock:
    """What to show of a failure.

    Attributes:
        summary: the most telling line.
        lines: the end of the block it was found in, ready to print.
        number: line number (from 1, in the lines handed over) of the summary.
    """

    summary: str
    lines: tuple[str, ...]
    number: int


def last_error(lines: Iterable[str], keep: int = 5000) -> ErrorBlock | None:
    """Find the last telling error in clean lines.

    Preferred: the exception lines that end the last traceback (with Ray's wrapper, the inner exception that
    comes after it), then the first line of error level after it, then any line of error level.
    """
    texts: list[str] = []
    dropped = 0
    for line in lines:
        texts.append(split_prefix(line)[1])
        if len(texts) > 2 * keep:
            dropped += len(texts) - keep
            del texts[:-keep]
    at = _last_exception(texts)
    if at is None:
        at = next((i for i, text in enumerate(texts) if level_of(text) == "error" and not _NOISE.search(text)), None)
        if at is None:
            return None
        block = texts[at : at + 3]
        return ErrorBlock(texts[at].strip(), tuple(block), dropped + at + 1)
    start = at
    while start > 0 and at - start < _BLOCK and not texts[start].startswith("Traceback (most recent"):
        start -= 1
    end = at + 1
    # A message may go on over some lines ("To append to your config use +...").
    while end < len(texts) and end - at < 6 and texts[end].strip() and not _NOISE.search(texts[end]):
        if level_of(texts[end]) != "info" or texts[end].startswith("Traceback"):
            break
        end += 1
    block = texts[max(start, at - 8) : end]
    return ErrorBlock(texts[at].strip(), tuple(line for line in block if line.strip(" ^~")), dropped + at + 1)


def _last_exception(texts: list[str]) -> int | None:
    inside = False
    found: int | None = None
    wrapper: int | None = None
    for index, text in enumerate(texts):
        if text.startswith("Traceback (most recent call last)") or _RAY_WRAPPER.match(text):
            inside = True
        if not inside or not _EXCEPTION.match(text):
            if inside and _RAY_WRAPPER.match(text):
                wrapper = index
            continue
        if _NOISE.search(text):
            continue
        if _RAY_WRAPPER.match(text):
            wrapper = index
        else:
            found = index
    return found if found is not None else wrapper
