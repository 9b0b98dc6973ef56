"""The cells of the table that `npu-smi info` draws.

Cells overflow their columns, frames are 98, 106 or 116 characters wide, and pairs are glued (`59356/ 65536`):
so lines are split on the bars and values are told apart by their shape, never by offsets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .device_types import number, word

_LABEL = re.compile(r"([A-Za-z][\w -]{0,40}?)[ ]{0,3}\([^)]{0,10}\)")
_VALUE = r"(?:[0-9]{1,12}|NA|N/A|-)"
_TOKEN = re.compile(rf"(?P<used>{_VALUE})[ ]{{0,12}}/[ ]{{0,12}}(?P<total>{_VALUE})(?![^\s])|(?P<single>\S+)")

Pair = tuple[int | None, int | None]


def cells_of(line: str) -> list[str] | None:
    """The raw cells of a line; None for a line without bars. Text before the first bar (`# |`, a time) is ignored."""
    start = line.find("|")
    if start < 0:
        return None
    body = line[start + 1 :].rstrip()
    return body.removesuffix("|").split("|")


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a header cell such as ``Power(W)  Temp(C)  Hugepages-Usage(page)``."""

    singles: tuple[tuple[str, int], ...] = ()
    pairs: tuple[str, ...] = ()

    @staticmethod
    def of(cell: str) -> Labels:
        """Read a header cell; the labels of used/total pairs hold the word usage."""
        found = [(match[1].strip().lower(), match.start()) for match in _LABEL.finditer(cell)]
        return Labels(
            tuple(one for one in found if "usage" not in one[0]), tuple(name for name, _ in found if "usage" in name)
        )

    def read(self, cell: str) -> tuple[dict[str, float | None], dict[str, Pair]]:
        """The values of a cell by label: single numbers and used/total pairs."""
        single_tokens: list[tuple[str, int]] = []
        pairs: list[Pair] = []
        for match in _TOKEN.finditer(cell):
            if match["single"] is not None:
                single_tokens.append((match["single"], match.start()))
            else:
                pairs.append((_whole(match["used"]), _whole(match["total"])))
        # The pairs end the cell: where one is missing (`NA` alone), those that are there are the last ones.
        by_pair = dict(zip(reversed(self.pairs), reversed(pairs), strict=False))
        singles: dict[str, float | None] = {}
        if len(single_tokens) >= len(self.singles):
            for (name, _), (token, _) in zip(self.singles, single_tokens, strict=False):
                singles[name] = _number(token)
        else:  # a blank in the table: only the columns tell which value is missing
            for token, at in single_tokens:
                name = min(self.singles, key=lambda one: abs(one[1] - at))[0]
                singles.setdefault(name, _number(token))
        return singles, by_pair


def _number(text: str) -> float | None:
    found = word(text)
    return None if found is None else number(found.rstrip("%"))


def _whole(text: str) -> int | None:
    value = _number(text)
    return None if value is None else round(value)
