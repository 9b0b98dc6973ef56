"""Values as OmegaConf, verl's loader, reads them where it differs from PyYAML: ``1e-6`` is a number there."""

from __future__ import annotations

import re
from typing import Any

# A plain scalar is a float for OmegaConf also without a dot before the exponent (its yaml loader, 2.3).
_FLOAT = re.compile(r"[-+]?(?:[0-9][0-9_]*)(?:\.[0-9_]*)?[eE][-+]?[0-9]+\Z|[-+]?\.[0-9_]+[eE][-+]?[0-9]+\Z")


def omegaconf_value(value: Any, quoted: bool = False) -> Any:
    """The value of a scalar as OmegaConf has it.

    Args:
        value: as PyYAML has it.
        quoted: whether the file writes it in quotes, which makes it a text for both.
    """
    if isinstance(value, str) and not quoted and _FLOAT.match(value):
        return float(value.replace("_", ""))
    return value
