"""The comment that a key gets when it is added to a file, in the words of the templates' short form."""

from __future__ import annotations

from .load import load_catalogue
from .problem import Language
from .render import COLUMNS
from .wrap import wrap


def key_comment(key: str, lang: Language, family: str = "agentsdk", prefix: str = "") -> list[str]:
    """Comment lines for a key, without their mark; none for a key that the catalogue doesn't know.

    Args:
        key: dotted key as the file has it.
        lang: language of the comment.
        family: the catalogue that knows the key (`load_catalogue`).
        prefix: what stands before the catalogue's keys in the file (``backend_config.``).
    """
    resolved = load_catalogue(family).resolve(key.removeprefix(prefix))
    if resolved is None:
        return []
    parameter = resolved[0]
    room = COLUMNS - len("# ") - 2 * key.count(".")
    return wrap(parameter.help[lang], room)
