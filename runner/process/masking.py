"""Secrets are masked in all that is written or shown, train.log excepted (design 8)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

MASKED = "***"

_SECRET_KEY = re.compile(
    r"(?:^|[^a-z])(?:api_?key|access_?key|secret_?key|private_?key|token|secret|passw(?:or)?d|credentials?)$"
)
# "token" is also what language models are made of: names of special tokens and counts are no secrets.
_HARMLESS = re.compile(
    r"(?:^|[^a-z])(?:eos|bos|pad|unk|sep|cls|mask|stop|image|video|special|per|max|min|start|end)_?token$"
)
_PAIR = re.compile(
    r"""(?P<key>["']?(?P<name>[A-Za-z_][\w.\-]*)["']?\s*(?P<sign>[:=])(?:[ \t]*))"""
    r"""(?P<value>"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s,{}\[\]#"'|>][^\s,}\]]*)"""
)
_BLOCK = re.compile(r"""^(?P<indent>\s*)["']?(?P<name>[A-Za-z_][\w.\-]*)["']?\s*:\s*[|>][+\-\d]*\s*$""")
_URL = re.compile(r"(?P<scheme>\b[a-z][a-z0-9+.\-]*://)[^\s/@:]+:[^\s/@]+@")
_PASSWORD = re.compile(r"[a-z][a-z0-9+.\-]*://[^\s/@:]+:([^\s/@]+)@")
_SHORTEST = 8  # characters of a secret that is looked for by its value
_NO_SECRET = re.compile(r"(?:[-+]?\d+(?:\.\d*)?|true|false|null|none|~|yes|no|\*\*\*)$", re.IGNORECASE)


def is_secret(key: str) -> bool:
    """Whether a key or variable by its name holds a secret (``WANDB_API_KEY``, ``hf_token``, not ``max_tokens``)."""
    name = re.sub(r"([a-z])([A-Z])", r"\1_\2", key.rsplit(".", 1)[-1]).replace("-", "_").lower()
    return bool(_SECRET_KEY.search(name)) and not _HARMLESS.search(name)


def mask_text(text: str) -> str:
    """Mask values of secret keys in YAML, JSON or ``KEY=value`` text, and passwords in URLs; all else stays."""
    lines: list[str] = []
    block: int | None = None
    for line in text.split("\n"):
        if block is not None:
            indent = len(line) - len(line.lstrip())
            if line.strip() and indent <= block:
                block = None
            elif line.strip():
                lines.append(line[:indent] + MASKED)
                continue
        started = _BLOCK.match(line)
        if started and is_secret(started["name"]):
            block = len(started["indent"])
        lines.append(_mask_line(line))
    return "\n".join(lines)


def mask_said(text: str, environment: Mapping[str, str] | None = None) -> str:
    """`mask_text`, and each secret of the environment wherever it stands: other programs print them without a name.

    Args:
        text: what another program said.
        environment: whose secrets; those of this process when None. Values below 8 characters may be plain words.
    """
    text = mask_text(text)
    for name, value in (os.environ if environment is None else environment).items():
        password = _PASSWORD.match(value)
        for secret in (value if is_secret(name) else "", password[1] if password else ""):
            if len(secret) >= _SHORTEST and not _NO_SECRET.match(secret):
                text = text.replace(secret, MASKED)
    return text


def _mask_line(line: str) -> str:
    def hide(match: re.Match[str]) -> str:
        value = match["value"]
        if not is_secret(match["name"]) or _NO_SECRET.match(value.strip("\"'")):
            return match[0]
        quote = value[0] if value[0] in "\"'" else ""
        return f"{match['key']}{quote}{MASKED}{quote}"

    return _URL.sub(rf"\g<scheme>{MASKED}@", _PAIR.sub(hide, line))


def mask_value(value: Any, key: str = "") -> Any:
    """A copy of plain data (mappings, sequences, scalars) with secrets masked."""
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value)
        return {str(name): mask_value(item, str(name)) for name, item in items.items()}
    if isinstance(value, str):
        return MASKED if value and is_secret(key) and not _NO_SECRET.match(value) else mask_text(value)
    if isinstance(value, Sequence):
        return [mask_value(item, key) for item in cast("Sequence[Any]", value)]
    return value
