"""Values written as YAML so that PyYAML, ruamel.yaml and OmegaConf all read the same thing back."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, cast

_PLAIN = re.compile(r"(?:\.{0,2}/)?[A-Za-z_][A-Za-z0-9_./+-]*\Z|(?:\.{0,2}/)[A-Za-z0-9_./+-]*\Z")
# Words that one of the loaders (YAML 1.1, YAML 1.2, OmegaConf) takes for something else than a text.
_RESERVED = frozenset("y n yes no on off true false null none nan inf".split())  # noqa: SIM905
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\", "\0": "\\0"}


def yaml_text(value: Any) -> str:
    """One value on one line: a scalar, or a list or mapping in flow style.

    Raises:
        TypeError: the value has a type that a configuration can't hold.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(yaml_text(item) for item in cast("list[Any]", value)) + "]"
    if isinstance(value, Mapping):
        pairs = cast("Mapping[Any, Any]", value).items()
        return "{" + ", ".join(f"{yaml_text(key)}: {yaml_text(item)}" for key, item in pairs) + "}"
    raise TypeError(f"no YAML form for {type(value).__name__}")


def float_text(value: float) -> str:
    """A float with a dot and, where there is an exponent, a sign: without them PyYAML reads a text."""
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    mantissa, e, exponent = repr(value).partition("e")
    if not e:
        return mantissa
    if "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}e{int(exponent):+d}"


def string_text(value: str) -> str:
    """A text, plain where no loader can take it for something else, else in double quotes."""
    if _PLAIN.match(value) and value.lower() not in _RESERVED:
        return value
    return '"' + "".join(_escaped(character) for character in value) + '"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    code = ord(character)
    if character.isprintable() or character == " ":
        return character
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
