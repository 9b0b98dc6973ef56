"""How serious a line is, across the many log formats that meet in one training log."""

from __future__ import annotations

import re
from typing import Literal

Level = Literal["error", "warning", "info", "debug"]

# Words in capitals are levels of some logger; exception names and glog's letters are errors as well.
_ERROR = re.compile(
    r"\b(?:ERROR|CRITICAL|FATAL)\b|^Traceback \(most recent call last\)"
    r"|^\s*[\w.]*(?:Error|Exception|Interrupt)\b(?:\(|:|$)"
    r"|^\[[^\]]*\bE \d+ \d+\]|^E\d{4} |\*\*\* SIG[A-Z]+ received|Segmentation fault|\[(?:E|F)\d{4} "
    r"|\b(?:EI|EJ|EZ|EE|EL)\d{4}:|\bout of memory\b"
)
_WARNING = re.compile(r"\bWARN(?:ING)?\b|\b\w*Warning\b:|^W\d{4} |^\[W|\bW \d+ \d+\]|^Warning")
_DEBUG = re.compile(r"\b(?:DEBUG|TRACE)\b")
_HINTS = ("rror", "ERR", "arn", "WARN", "Traceback", "xception", "nterrupt", "CRITICAL", "FATAL", "SIG", "fault",
          "memory", "DEBUG", "TRACE", "E", "[W", "W")  # fmt: skip


def level_of(line: str) -> Level:
    """The level of a clean line, with or without Ray's prefix; ``info`` where it does not say."""
    start = line.find(") ") + 2 if line.startswith("(") else 0
    text = line[start:] if start > 1 else line
    if not any(hint in text for hint in _HINTS):
        return "info"
    if _ERROR.search(text):
        return "error"
    if _WARNING.search(text):
        return "warning"
    return "debug" if _DEBUG.search(text) else "info"
