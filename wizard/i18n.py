"""Texts of the screens in English and Chinese (data in ``wizard/texts/*.yaml``), switchable at run time.

The first part of a key names the file: ``t("run.title")`` is the entry ``title`` of ``texts/run.yaml``,
where it is written as ``title: {en: ..., zh: ...}``. Placeholders are those of `str.format`,
and ``{n:line|lines}`` is the first word where ``n`` is one, else the second. A file is read when the first of its
keys is asked for, so a screen pays for its own texts only. No Textual in here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Literal

Language = Literal["en", "zh"]

LANGUAGES: tuple[Language, ...] = ("en", "zh")

TEXTS = Path(__file__).parent / "texts"


class _Words(Formatter):
    """`str.format` that also knows singular and plural."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """``error|errors`` picks a word, anything else is a format."""
        one, several, many = format_spec.partition("|")
        if several:
            return one if str(value) == "1" else many
        return str(super().format_field(value, format_spec))


class _Current:
    """The language in use; one per process, because a terminal shows one program to one person."""

    language: Language | None = None


@cache
def load_texts(name: str) -> Mapping[str, Mapping[str, str]]:
    """Read ``texts/<name>.yaml``.

    Raises:
        OSError: there is no such file.
    """
    import yaml  # a few ms, and only where a text is shown

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data: Any = yaml.load((TEXTS / f"{name}.yaml").read_text(encoding="utf-8"), Loader=loader)  # noqa: S506
    return {str(key): {str(k): str(v) for k, v in entry.items()} for key, entry in data.items()}


def preferred_language(environ: Mapping[str, str] | None = None) -> Language:
    """The language to start with: ``AGENTIC_RL_LANG``, else the locale (``zh*`` is Chinese), else English."""
    env = os.environ if environ is None else environ
    for name in ("AGENTIC_RL_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = env.get(name, "")
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def language() -> Language:
    """The language in use."""
    if _Current.language is None:
        _Current.language = preferred_language()
    return _Current.language


def set_language(value: str) -> None:
    """Use another language from now on (texts already on the screen need `Retranslatable.retranslate`).

    Raises:
        ValueError: not one of `LANGUAGES`.
    """
    if value not in LANGUAGES:
        raise ValueError(f"unknown language {value!r}: {', '.join(LANGUAGES)}")
    _Current.language = "zh" if value == "zh" else "en"


def next_language() -> Language:
    """The language that the switching key turns to."""
    return LANGUAGES[(LANGUAGES.index(language()) + 1) % len(LANGUAGES)]


def t(key: str, /, **values: object) -> str:
    """The text of a key in the language in use.

    Args:
        key: ``<file>.<entry>``; an entry may contain dots itself.
        values: what its placeholders stand for.

    Returns:
        The text, or the key itself where there is none: a missing text must not take a screen down.
    """
    name, _, entry = key.partition(".")
    try:
        texts = load_texts(name)[entry]
    except (OSError, KeyError):
        return key
    text = texts.get(language()) or texts.get("en") or key
    return _Words().format(text, **values) if values else text
