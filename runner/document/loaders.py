"""What PyYAML (AgentSDK), ruamel.yaml and OmegaConf (verl) can all read alike, and what they can't."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from .text import EditError


def interpolates(value: Any) -> bool:
    """Whether OmegaConf would put something else in place of a part of the value: ``${...}`` in a text.

    There is no way of writing such a text that the other loaders read alike and OmegaConf leaves alone.
    """
    if isinstance(value, str):
        return "${" in value
    if isinstance(value, Mapping):
        return any(interpolates(item) for item in cast("Mapping[str, Any]", value).values())
    return isinstance(value, (list, tuple)) and any(interpolates(item) for item in cast("list[Any]", value))


def refuse_unwritable(key: str, value: Any) -> None:
    """Refuse a value that can't be written so that all loaders read it back.

    Raises:
        EditError: ``unsafe``; a date (to OmegaConf a text), a key that is no text, half a character.
    """
    if isinstance(value, Mapping):
        for name, item in cast("Mapping[Any, Any]", value).items():
            if not isinstance(name, str):
                raise EditError("unsafe", key, f"the key {name!r} is no text")
            refuse_unwritable(key, name)
            refuse_unwritable(key, item)
    elif isinstance(value, (list, tuple)):
        for item in cast("list[Any]", value):
            refuse_unwritable(key, item)
    elif isinstance(value, str):
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            raise EditError("unsafe", key, "half of a character has no UTF-8 form")
    elif value is not None and not isinstance(value, (bool, int, float)):
        raise EditError("unsafe", key, f"not every loader has a {type(value).__name__}")
