"""The edits that give a key of a native file another name, wherever verl has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ...catalogue import Edit
from ..view import View
from .given import Given


def called(view: View, one: Given, name: str) -> tuple[Edit, ...]:
    """The edit after which the file sets ``name`` instead of the given key; empty where it takes more than one.

    Args:
        view: the file.
        one: the key as it stands there. A name with Hydra's sign is only ever rid of it.
        name: verl's key that is meant.
    """
    document = view.document
    prefix = one.key.removesuffix(one.sign + one.name)
    if one.key not in document.places or f"{prefix}{name}" in document.places or (one.sign and name != one.name):
        return ()
    written = _written(document.values, one.key)
    if not one.sign and one.name.rpartition(".")[0] == name.rpartition(".")[0]:
        return (Edit("rename", one.key, name.rpartition(".")[2]),)
    if written == one.key or one.sign:  # a flat key is one text
        return (Edit("rename", one.key, f"{prefix}{name}"),) if written == one.key else ()
    if written.rpartition(".")[0]:
        return _in_part(one, written, name)
    old, new = one.name.split("."), name.split(".")
    differing = [index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a != b]
    if len(old) == len(new) and len(differing) == 1:
        section = prefix + ".".join(old[: differing[0] + 1])
        taken = prefix + ".".join(new[: differing[0] + 1])
        if section in document.places and taken not in document.places and not _others(view, one, old, differing[0]):
            return (Edit("rename", section, new[differing[0]]),)
    return (Edit("move", one.key, f"{prefix}{name}"),)


def _others(view: View, one: Given, parts: list[str], index: int) -> bool:
    """Whether the section also holds keys that are in their right place."""
    above = ".".join(parts[: index + 1]) + "."
    return any(key.startswith(above) and key != one.name and view.declared(key) for key in view.entries)


def _in_part(one: Given, written: str, name: str) -> tuple[Edit, ...]:
    """A dotted key below a section: the section stays what it is."""
    above = one.name.removesuffix(written)
    return (Edit("rename", one.key, name.removeprefix(above)),) if name.startswith(above) else ()


def _written(values: Mapping[str, Any], key: str) -> str:
    """The text before the colon: the whole of a flat dotted key, else its last part (or several of them)."""
    inside: Mapping[str, Any] = values
    rest = key
    while True:
        name = next((text for text in map(str, inside) if rest.startswith(f"{text}.")), "")
        below: Any = inside.get(name)
        if not name or not isinstance(below, Mapping):
            return rest
        inside, rest = cast("Mapping[str, Any]", below), rest[len(name) + 1 :]
