"""Hydra override texts: a value in, one argv item out, so that Hydra's parser gives exactly that value back.

Hydra (1.3) reads ``key=value`` with a grammar of its own; OmegaConf then resolves ``${...}`` in what Hydra has read:
both layers are escaped here. Source: Hydra's OverrideParser.g4 and OmegaConf's interpolation grammar; held by
tests/native/test_hydra_text.py against the real parser.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

_PLAIN = re.compile(r"[A-Za-z_/][A-Za-z0-9_/.\-]*\Z")
_WORDS = frozenset({"true", "false", "null", "nan", "inf"})
_INTERPOLATION = re.compile(r"(\\*)\$\{")
_BEFORE_QUOTE = re.compile(r"(\\*)'")
_IN_KEY = re.compile(r"([\\()\[\]{}:=, \t])")
_TRAILING = re.compile(r"(\\+)\Z")


class Reference(str):
    """An OmegaConf interpolation that is meant as one (``${data.train_batch_size}``): passed on as it is."""


def with_references(value: Any) -> Any:
    """A text with an interpolation becomes a `Reference`, inside lists too: OmegaConf reads it as one in every form."""
    if isinstance(value, str) and "${" in value:
        return Reference(value)
    if isinstance(value, list):
        return [with_references(item) for item in cast("list[Any]", value)]
    return value


def hydra_string(value: str) -> str:
    """Write a string; plain words stay bare, everything else is quoted and escaped."""
    if _PLAIN.match(value) and value.lower() not in _WORDS:
        return value
    # OmegaConf: an odd number of backslashes before "${" makes it literal.
    text = _INTERPOLATION.sub(lambda m: "\\" * (2 * len(m[1]) + 1) + "${", value)
    # Hydra: backslashes count only in front of a quote, there each pair is one.
    text = _BEFORE_QUOTE.sub(lambda m: "\\" * (2 * len(m[1]) + 1) + "'", text)
    text = _TRAILING.sub(lambda m: m[1] * 2, text)
    return f"'{text}'"


def hydra_value(value: Any) -> str:
    """Write any YAML value (scalar, list, mapping) in Hydra's override grammar.

    Raises:
        TypeError: the value has a type that Hydra can't take.
    """
    if isinstance(value, Reference):
        return str(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "nan"
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return repr(value)
    if isinstance(value, str):
        return hydra_string(value)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[Any, Any]", value).items()
        return "{" + ",".join(f"{_hydra_key(str(k))}:{hydra_value(v)}" for k, v in pairs) + "}"
    if isinstance(value, Sequence):
        return "[" + ",".join(hydra_value(item) for item in cast("Sequence[Any]", value)) + "]"
    raise TypeError(f"no Hydra form for {type(value).__name__}")


def _hydra_key(text: str) -> str:
    """Write a key of a mapping: Hydra knows no quotes there, only backslashes."""
    return _IN_KEY.sub(r"\\\1", text)


def override(key: str, value: Any, *, declared: bool) -> str:
    """One argv item; ``+`` is put in front only where the key is not declared by that verl."""
    return f"{'' if declared else '+'}{key}={hydra_value(value)}"
