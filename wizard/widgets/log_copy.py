"""Taking text out of the screen: the terminal's clipboard (OSC 52, works over ssh), or a file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from textual.app import App

# tmux passes 74,994 bytes of base64 at most, xterm and others less than 100,000; there is no answer that tells.
CLIPBOARD_LIMIT = 48 * 1024


def copy_text(app: App[Any], text: str, name: str) -> tuple[str, dict[str, object]]:
    """Copy a text, or write it to a file where the clipboard can't take it.

    Args:
        app: whose terminal is meant.
        text: what to copy.
        name: for the file, without ending.

    Returns:
        The key of the sentence that says what was done, and its values.
    """
    lines = text.count("\n") + 1
    if len(text.encode("utf-8", "replace")) <= CLIPBOARD_LIMIT and os.environ.get("TERM", "") not in {"linux", "dumb"}:
        app.copy_to_clipboard(text)
        return "run.copied", {"lines": lines}
    path = write_lines(text.split("\n"), name)
    return "run.copied_to_file", {"lines": lines, "path": path}


def write_lines(lines: Iterable[str], name: str, directory: Path | None = None) -> Path:
    """Write lines to a new file in the directory the user is in, else in the one for temporary files.

    Raises:
        OSError: neither can be written to.
    """
    for place in (directory or Path.cwd(), Path(tempfile.gettempdir())):
        for number in range(1, 1000):
            path = place / (f"{name}.txt" if number == 1 else f"{name}-{number}.txt")
            try:
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
            except FileExistsError:
                continue
            except OSError:
                break
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as stream:
                stream.writelines(f"{line}\n" for line in lines)
            return path
    raise OSError(f"no directory to write {name}.txt to")
