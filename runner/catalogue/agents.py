"""Sources of agent wrappers (templates/agents): the scaffolds of `agent new` and the quick start's worked example.

A template is Python with three kinds of marked lines. ``#en| text`` and ``#zh| text`` stand for ``text`` in that
language and for nothing in the other; ``#include FILE`` stands for another template. ``__NAME__`` is the agent's name,
``__CLASS__`` the same in camel case. What comes out is one file that belongs to the user.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from .data import templates_root

KINDS = ("single-turn", "tool-use", "environment")
"""What `agent new` can begin with."""

EXAMPLE = "guess_the_number"
"""The worked example: the name of its template and of its file."""

_SPOKEN = re.compile(r"(\s*)#(en|zh)\| ?(.*)")
_INCLUDE = re.compile(r"#include (\S+)")

Language = Literal["en", "zh"]


def wrapper_source(template: str, name: str, lang: str) -> str:
    """A wrapper file.

    Args:
        template: one of `KINDS`, or `EXAMPLE`.
        name: the agent's name, a Python identifier; also the stem of the file.
        lang: language of comments and docstrings.

    Raises:
        KeyError: there is no such template.
    """
    return _written(f"{template}.py.txt", name, lang)


def scaffold_test(kind: str, name: str, lang: str) -> str:
    """The test that stands beside a scaffold, for a file ``<name>.py`` in the same folder.

    Raises:
        KeyError: there is no such kind.
    """
    return _written(f"test_{kind}.py.txt", name, lang)


def class_name(name: str) -> str:
    """``find_door`` -> ``FindDoor``."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_")) or "Agent"


def _written(file: str, name: str, lang: str) -> str:
    lines: list[str] = []
    for line in _lines(file):
        spoken = _SPOKEN.fullmatch(line)
        if spoken is None:
            lines.append(line)
        elif spoken[2] == lang:
            lines.append((spoken[1] + spoken[3]).rstrip())
    text = "\n".join(lines) + "\n"
    return text.replace("__CLASS__", class_name(name)).replace("__NAME__", name)


@lru_cache(maxsize=32)
def _lines(file: str) -> tuple[str, ...]:
    path = templates_root() / "agents" / file
    if path.parent != templates_root() / "agents" or not path.is_file():
        raise KeyError(file)
    found: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        include = _INCLUDE.fullmatch(line)
        found += _lines(include[1]) if include else [line]
    return tuple(found)
