"""Values as text, in the style of what they replace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..catalogue.yaml_text import yaml_text
from .errors import EditError


def format_scalar(value: Any) -> str:
    """One value (a scalar, or a list or mapping in brackets) as PyYAML, ruamel.yaml and OmegaConf all read it back.

    Raises:
        EditError: the value has a type that YAML can't hold.
    """
    try:
        return yaml_text(value)
    except TypeError as error:
        raise EditError(str(error)) from error


def format_like(value: Any, style: str) -> str:
    """The value; a text in the quotes of the one it replaces, where those can hold it."""
    if isinstance(value, str):
        if style == "'" and value.isprintable():
            return "'" + value.replace("'", "''") + "'"
        if style == '"':
            quoted = yaml_text(value)
            return quoted if quoted.startswith('"') else f'"{quoted}"'
    return format_scalar(value)


def comment_lines(comment: str | Sequence[str], indent: str) -> list[str]:
    """Comment lines with their mark; an empty one stays a lone mark."""
    given = comment.splitlines() if isinstance(comment, str) else list(comment)
    return [f"{indent}# {line}".rstrip() for line in given]
