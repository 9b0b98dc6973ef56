"""Bytes to lines, and lines to text that is safe to show.

Training logs are other people's bytes: colours of Ray, carriage returns of tqdm, cut UTF-8, NUL bytes, lines of
10 MB. Nothing here fails on them, and memory stays bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# One line keeps at most this many bytes; verl's longest honest line (all metrics of a step) is about 8 KB.
LINE_LIMIT = 1 << 20

_PLAIN = re.compile(rb"[\t\x20-\x7e]*")

# Escape sequences of ECMA-48: CSI, OSC and the other strings (only when terminated: an unterminated one must not
# swallow the text), then two-character ones.
_ESCAPES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)"
    "|\x1b[PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)"
    "|\x1b[ -/]+[0-~]"
    "|\x1b[0-~]"
)
# A colour whose ESC byte was lost on the way (`[36m(TaskRunner pid=1)[0m`); only where Ray puts colours, so
# that "[30m" in a sentence stays.
_BROKEN = re.compile("\ufffd\\[[0-9;]{0,8}m|\\[3[0-9]m(?=\\()|(?<=\\))\\[(?:0|39)m|^\\[[0-9;]{1,8}m")
# Controls (tab stays), C1 controls, and the bidirectional overrides that make a line read differently.
_CONTROLS = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_PREFIX = re.compile(r"\((?P<name>[\w.:<>+-]+)?(?:(?(name)\s)pid=(?P<pid>\d+))?(?:,\s*ip=(?P<ip>[\w.:-]+))?\)\s?")
_KNOWN_WITHOUT_PID = frozenset({"raylet", "autoscaler"})
_REPEATED = re.compile(r" ?\[repeated (\d+)x across cluster\].*$")


def clean_line(raw: bytes | str) -> str:
    """Return the line as plain text: no escape sequences, no control characters but tabs, valid Unicode."""
    if isinstance(raw, bytes):
        raw = raw.rstrip(b"\r\n")
        if _PLAIN.fullmatch(raw):
            text = raw.decode("ascii")
            return _BROKEN.sub("", text) if "m" in text and "[" in text else text
        text = raw.decode("utf-8", "replace")
    else:
        text = raw.rstrip("\r\n")
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", text)
    if "[" in text:
        text = _BROKEN.sub("", text)
    return _CONTROLS.sub("", text)


@dataclass(frozen=True, slots=True)
class Origin:
    """The process a line came from, as Ray's prefix names it: ``(TaskRunnerV1 pid=7, ip=10.0.0.2) ``."""

    name: str
    pid: int = 0
    ip: str = ""


def split_prefix(line: str) -> tuple[Origin | None, str, int]:
    """Split a clean line into (origin or None, text, how often Ray says it was repeated; 1 if it does not say)."""
    repeated = 1
    if "across cluster]" in line:
        found = _REPEATED.search(line)
        if found:
            repeated = int(found[1])
            line = line[: found.start()]
    if not line.startswith("("):
        return None, line, repeated
    match = _PREFIX.match(line)
    if not match or (match["pid"] is None and match["name"] not in _KNOWN_WITHOUT_PID):
        return None, line, repeated
    origin = Origin(match["name"] or "", int(match["pid"] or 0), match["ip"] or "")
    return origin, line[match.end() :], repeated


class LineSplitter:
    """Cuts a stream of bytes into lines; a lone CR (a progress bar's redraw) ends a line as LF does.

    A line longer than ``limit`` is delivered once, cut to ``limit`` bytes; the rest of it is skipped.

    Attributes:
        open_bytes: bytes fed since the last line end, so that a reader can resume at a line's start.
    """

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self.limit = limit
        self.open_bytes = 0
        self._pending = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes, return the lines that they complete (without their ends; empty redraws are left out)."""
        if not data:
            return []
        last = max(data.rfind(b"\n"), data.rfind(b"\r"))
        self.open_bytes = len(data) - last - 1 if last >= 0 else self.open_bytes + len(data)
        redraws = b"\r" in data or self._pending.startswith(b"\r")
        if redraws:
            # The CR stays as the mark of a redraw at the start of its segment, so that a CR and its LF may come
            # in different pieces.
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n\r")
        lines = data.split(b"\n")
        complete = self._join(lines)
        return _without_redraw_marks(complete, self._pending) if redraws else complete

    def _join(self, lines: list[bytes]) -> list[bytes]:
        tail = lines.pop()
        complete: list[bytes] = []
        if lines:
            if not self._skipping:
                lines[0] = self._pending + lines[0] if self._pending else lines[0]
                complete.append(lines[0][: self.limit])
            self._skipping = False
            self._pending = b""
            limit = self.limit
            complete += [line if len(line) <= limit else line[:limit] for line in lines[1:]]
        if self._skipping:
            return complete
        self._pending = self._pending + tail if self._pending else tail
        if len(self._pending) >= self.limit:
            complete.append(self._pending[: self.limit])
            self._pending = b""
            self._skipping = True
        return complete

    def close(self) -> list[bytes]:
        """Return the unfinished last line, if any."""
        rest, self._pending = self._pending.lstrip(b"\r"), b""
        self.open_bytes = 0
        self._skipping = False
        return [rest] if rest else []


def _without_redraw_marks(lines: list[bytes], pending: bytes) -> list[bytes]:
    kept: list[bytes] = []
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else pending
        if line.startswith(b"\r"):
            if len(line) > 1:
                kept.append(line[1:])
        elif line or not following.startswith(b"\r"):
            kept.append(line)
    return kept
