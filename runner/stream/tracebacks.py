"""Follows tracebacks through a log in which many processes write between each other."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass

from .outer import Message

_BEGIN = re.compile(r"^\s{0,8}(?:\+ )?Traceback \(most recent call last\)")
_WRAPPER = re.compile(r"^ray\.exceptions\.\w+(?:\(\w+\))?: ")
_FRAME = re.compile(r'^\s+(?:\| )?File "')
# The line that ends a traceback, whatever the name of the exception: `omegaconf.errors.ConfigKeyError: ...`.
_ANY_NAME = re.compile(r"^[A-Za-z_][\w.]{0,150}(?::(?:\s|$)|$)")
_NAMED = re.compile(
    r"^(?:[A-Za-z_][\w.]{0,150}\.)?[A-Z]\w{0,60}(?:Error|Exception|Interrupt|Exit|Timeout)\b(?:\([^)]{0,80}\))?(?::|$)"
    # `socket.gaierror: ...`, `omegaconf.errors.MissingMandatoryValue: ...`
    r"|^(?:[a-z_]\w{0,60}\.){1,6}[a-z]\w{0,60}error:|^(?:\w{1,60}\.){0,6}(?:errors?|exceptions?)\.[A-Z]\w{0,60}:"
)
_MOST_PROCESSES = 512
_LONGEST = 400


@dataclass(slots=True)
class _Open:
    begun: int
    frames: bool = False


class Tracebacks:
    """Tells of each message whether it is the line of an exception.

    A line is one when it ends a traceback of its process, or when it has the shape ``SomeError: words`` by itself
    (loggers often print nothing else). Ray's wrapper (``ray.exceptions.RayTaskError(ValueError): ray::...``) is none:
    the exception that it wraps comes after it.
    """

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[str, int], _Open] = OrderedDict()

    @property
    def any_open(self) -> bool:
        """Whether a traceback of any process is open."""
        return bool(self._open)

    def inside(self, message: Message) -> bool:
        """Whether a traceback of this process is open."""
        return _process(message) in self._open

    def exception(self, number: int, message: Message) -> str | None:
        """The text of the exception that this line tells, or None.

        Args:
            number: of the line, rising.
            message: without outer prefixes.
        """
        text, process = message.text, _process(message)
        if _BEGIN.match(text) or _WRAPPER.match(text):
            self._open[process] = _Open(number)
            self._open.move_to_end(process)
            if len(self._open) > _MOST_PROCESSES:
                self._open.popitem(last=False)
            return None
        current = self._open.get(process)
        if current is None:
            return text if _NAMED.match(text) else None
        if _FRAME.match(text):
            current.frames = True
            return None
        if number - current.begun > _LONGEST:
            del self._open[process]
            return text if _NAMED.match(text) else None
        if _NAMED.match(text) or (current.frames and _ANY_NAME.match(text)):
            del self._open[process]
            return text
        return None


def _process(message: Message) -> tuple[str, int]:
    return (message.origin.name, message.origin.pid) if message.origin else ("", 0)
