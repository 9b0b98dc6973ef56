"""What a person types and the value it stands for, in both directions."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from ...runner.catalogue.parameter import Kind, Parameter

WHOLE = re.compile(r"[+-]?[0-9]+")
LINE_END = re.compile(r"\r\n|[\r\n]")
LONGEST = 4096  # characters of one line of input; a path of document 000 ends at 1024


def parse_typed(parameter: Parameter, typed: str) -> Any:
    """Make a value of ``typed``; what does not fit the kind stays a string, so that the checks can name it.

    Full-width digits and signs, as a Chinese input method writes them, count as their ASCII twins.
    """
    if parameter.nullable and typed.strip().lower() in {"null", "none", "~"}:
        return None
    for choice in parameter.choices:
        if typed.strip() == show_value(choice):
            return choice
    if parameter.kind == "list":
        return parse_items(parameter, typed.splitlines() if "\n" in typed else typed.split(","))
    return _scalar(parameter.kind, typed)


def choices_for(parameter: Parameter, back_end: str) -> tuple[Any, ...]:
    """The values to pick from; none where any is legal, as for choices that only the other back end reads."""
    if parameter.choices_backend and back_end and back_end != parameter.choices_backend:
        return ()
    extra = [one for one in parameter.software_choices if one not in parameter.choices]
    return (*parameter.choices, *extra) if parameter.choices else ()


def parse_items(parameter: Parameter, items: Sequence[str]) -> list[Any]:
    """The items of a list, each of the list's own kind; blank ones are left out."""
    kind = parameter.items or "str"
    return [_scalar(kind, item) for item in (one.strip() for one in items) if item]


def _scalar(kind: Kind, typed: str) -> Any:
    """One value of a kind, or the string itself."""
    plain = unicodedata.normalize("NFKC", typed).strip()
    if kind == "int" and WHOLE.fullmatch(plain) and len(plain) < 20:
        return int(plain)
    if kind == "float":
        return _number(plain, typed)
    if kind == "bool" and plain.lower() in {"true", "false"}:
        return plain.lower() == "true"
    return typed.strip() if kind in {"int", "float", "bool", "path"} else typed


def _number(plain: str, typed: str) -> Any:
    """A finite float; ``nan``, ``inf`` and ``1e400`` stay strings: no parameter means them."""
    try:
        number = float(plain) if "_" not in plain else math.nan
    except ValueError:
        return typed.strip()
    return number if math.isfinite(number) else typed.strip()


def show_value(value: Any) -> str:
    """The text of a value in an input box."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        from ...runner.catalogue.yaml_text import float_text

        return float_text(value)
    if isinstance(value, list | tuple):
        return ", ".join(show_value(item) for item in cast("Sequence[Any]", value))
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def same_value(one: Any, other: Any) -> bool:
    """Equal and of the same type: ``1``, ``1.0`` and ``True`` are three values in YAML."""
    return type(one) is type(other) and one == other


def clean_line(pasted: str) -> tuple[str, bool]:
    """The first line of a paste without control characters, and whether anything was left out.

    Terminals end the lines of a paste with a carriage return, as the Enter key would.
    """
    first = LINE_END.split(pasted[: LONGEST * 2], maxsplit=1)[0]
    kept = "".join(sign for sign in first if sign == "\u200d" or unicodedata.category(sign) not in {"Cc", "Cf", "Cs"})
    kept = kept.strip("\r")[:LONGEST]
    return kept, kept != pasted.rstrip("\r\n")


def line_count(pasted: str) -> int:
    """How many lines a paste has."""
    return len(LINE_END.findall(pasted)) + 1


def printable(text: str) -> str:
    """``text`` with control characters made visible (``␛`` for escape): shown, never obeyed by the terminal."""
    if text.isprintable():
        return text
    return "".join(_picture(sign) for sign in text)


def _picture(sign: str) -> str:
    """A visible stand-in of one control character."""
    code = ord(sign)
    if code < 32:
        return chr(0x2400 + code)
    if code == 127:
        return "␡"
    if unicodedata.category(sign) in {"Cc", "Cs", "Cf", "Zl", "Zp"} and sign != "\u200d":
        return f"\\u{code:04x}"
    return sign
