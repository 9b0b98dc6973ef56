"""The sentences of the doctor's findings, in either language (templates/doctor/; the file is the group)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from .data import LANGUAGES, CatalogueError, Entry, read_yaml, templates_root
from .parameter import Text
from .problem import Language
from .show import printable

GROUPS = ("configuration", "python", "software", "ascend", "network", "limits")
_PLACEHOLDER = re.compile(r"\{([a-z_-]+)\}")
_OPTIONAL = re.compile(r"\[\?(.*?)\?\]")  # [? ... ?] is left out unless every placeholder inside has a value
_NOTHING: Text = {"en": "", "zh": ""}


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """What is said about one kind of finding: what was seen, why it matters, the cure, who says so."""

    id: str
    group: str
    params: tuple[str, ...]
    seen: Text
    because: Text
    cure: Text
    source: str = ""


@lru_cache(maxsize=1)
def finding_entries() -> Mapping[str, FindingEntry]:
    """All entries of templates/doctor/, by id.

    Raises:
        CatalogueError: an entry breaks the format; names file and id.
    """
    entries: dict[str, FindingEntry] = {}
    for group in GROUPS:
        content = read_yaml(templates_root() / "doctor" / f"{group}.yaml")
        for name, value in cast("Mapping[Any, Any]", content).items():
            where = f"{group}.yaml: {name}"
            if str(name) in entries:
                raise CatalogueError(f"{where}: declared twice")
            entry = Entry(where, value, ("params", "seen", "because", "cure", "source"))
            entries[str(name)] = read_entry(entry, str(name), group, tuple(map(str, entry.sequence("params"))))
    return entries


def read_entry(entry: Entry, name: str, group: str, params: tuple[str, ...]) -> FindingEntry:
    """The texts of one entry; what is not in ``params`` (nor ``python``, ``pip``, ``npu``) may not be a placeholder.

    Raises:
        CatalogueError: a text is missing, or holds a strange placeholder.
    """
    texts = [entry.text(one) if entry.has(one) or one == "seen" else _NOTHING for one in ("seen", "because", "cure")]
    known = {*params, "python", "pip", "npu"}
    for text in texts:
        for language in LANGUAGES:
            strange = set(_PLACEHOLDER.findall(text[language])) - known
            if strange:
                raise CatalogueError(f"{entry.where}: {language}: placeholders not in params: {sorted(strange)}")
    return FindingEntry(name, group, params, *texts, source=entry.string("source", ""))


def fill(template: str, params: Mapping[str, Any], lang: Language) -> str:
    """A sentence with its values, which are data: braces, markup and control characters in them mean nothing."""

    def value_of(name: str) -> str:
        value: Any = params.get(name, "")
        if isinstance(value, Mapping):
            value = cast("Mapping[str, Any]", value).get(lang, "")
        if isinstance(value, (list, tuple)):
            items = [str(item) for item in cast("list[Any]", value)]
            value = ("、" if lang == "zh" else ", ").join(items[:12]) + (" …" if len(items) > 12 else "")
        return printable(str(value), 400)

    def optional(match: re.Match[str]) -> str:
        return match[1] if all(value_of(name) for name in _PLACEHOLDER.findall(match[1])) else ""

    kept = _OPTIONAL.sub(optional, template)
    return _PLACEHOLDER.sub(lambda match: value_of(match[1]) or "?", kept).strip()
