"""What a command line asks for and can't have, and files that a command writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .locale_language import pick

if TYPE_CHECKING:
    from ..catalogue import Language


class UsageError(Exception):
    """The command line asks for something that can't be done; the text is for the user."""


def write_new_file(path: Path, text: str, force: bool, lang: Language) -> None:
    """Write a file in one piece with mode 640 (``document.write_atomically``); with ``force`` one that is there too.

    Raises:
        UsageError: the file exists and ``force`` is false, or it can't be written.
    """
    from ..document import write_atomically

    if not path.name or path.is_dir():
        raise UsageError(pick(lang, f"{path} is a directory", f"{path} 是目录"))
    try:
        write_atomically(path, text, new=not force)
    except FileExistsError as error:
        raise UsageError(
            pick(lang, f"{path} exists; --force overwrites it", f"{path} 已存在；使用 --force 覆盖")
        ) from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
