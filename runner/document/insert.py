"""Where a new key goes, and the lines it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from ..catalogue.yaml_text import string_text
from .changes import value_of
from .comments import above_comments
from .flow import insert_between
from .model import Document
from .place import Path, Place, Step, dotted, value_path
from .text import EditError, line_end, prefix_of, put_lines


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a new key is to stand.

    Attributes:
        holder: path of the mapping that gets it; there is one, or a null in its place.
        names: the name, behind those of the sections that have to be made.
    """

    holder: Path
    names: tuple[str, ...]

    @property
    def path(self) -> Path:
        """Path of the new key."""
        return (*self.holder, *self.names)


def spot_of(document: Document, key: str) -> Spot:
    """Where a dotted key goes: into the section that is there, in the style (flat or nested) of its neighbours.

    Raises:
        EditError: what should be its section is none.
    """
    holder: Path = ()
    rest = key
    for at in (i for i in range(len(key) - 1, 0, -1) if key[i] == "."):
        found = value_path(document.values, key[:at])
        if found is not None:
            value = value_of(document.values, found)
            if value is not None and not isinstance(value, Mapping):
                raise EditError("unsafe", key, f"{key[:at]} is no section")
            holder, rest = found, key[at + 1 :]
            break
    parts = rest.split(".")
    matched = len(key.split(".")) - len(parts)
    flat = max(_flat_spots(document, holder, key), default=None, key=lambda found: found[0])
    if len(parts) > 1 and flat is not None and flat[0] > matched:
        return flat[1]
    if any("[" in part for part in parts):
        raise EditError("unsafe", key, "there is no such list")
    return Spot(holder, tuple(parts))


def _flat_spots(document: Document, holder: Path, key: str) -> list[tuple[int, Spot]]:
    """Spots beside flat dotted names that begin like the key, in the holder or above, with the names they share."""
    found: list[tuple[int, Spot]] = []
    for depth in range(len(holder) + 1):
        above = dotted(holder[:depth])
        rest = key[len(above) + 1 :] if above else key
        values = value_of(document.values, holder[:depth])
        for name in cast("Mapping[str, Any]", values) if isinstance(values, Mapping) else ():
            shared = _shared(name, rest) if "." in name else 0
            if shared:
                found.append((len(key.split(".")) - len(rest.split(".")) + shared, Spot(holder[:depth], (rest,))))
    return found


def _shared(name: str, other: str) -> int:
    """How many parts two dotted names share in front; the last part of each is its own."""
    count = 0
    for left, right in zip(name.split(".")[:-1], other.split(".")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count


def insert_entry(
    text: str,
    document: Document,
    spot: Spot,
    written: str,
    order: Sequence[str],
    comment: Iterable[str],
    in_front: bool = False,
) -> str:
    """The text with ``name: written`` at a spot.

    Args:
        text: the text before.
        document: the same, read.
        spot: where the key goes.
        written: the value as YAML; lines behind the first are indented as if the key stood in column 0.
        order: names of the section in their order.
        comment: lines to write above the key.
        in_front: put the key in front of the neighbour that it would follow. A block scalar (``|``) that ends the text
            without a last line end would get one from a line below it.
    """
    place = document.root.at(spot.holder) if document.readable else None
    gap = "" if not written or written.startswith(("\n", "\r")) else " "
    *sections, name = (string_text(n) for n in spot.names)
    single = "".join(f"{s}: {{" for s in sections) + f"{name}: {written}" + "}" * len(sections)
    step = _step(document)
    entry = [*(f"# {line}" if line else "#" for line in comment), *f"{name}:{gap}{written}".splitlines()]
    for section in reversed(sections):
        entry = [f"{section}:", *(f"{step}{line}" if line else "" for line in entry)]
    if place is None:
        return put_lines(text, len(text), entry)
    if place.kind == "alias":
        return text[: place.value_start] + f"{{<<: *{place.anchor}, {single}}}" + text[place.value_end :]
    if place.kind != "mapping":  # null, written or not
        if place.value_end > place.value_start or place.key_end < 0 or _in_flow(document, spot.holder):
            gap = " " if text[place.value_start - 1] in ":-," else ""
            return text[: place.value_start] + f"{gap}{{{single}}}" + text[place.value_end :]
        indent = " " * (place.column - 1) + step
        return put_lines(text, line_end(text, place.value_end), [indent + line if line else "" for line in entry])
    own = {n: p for n, p in (place.children or {}).items() if p.written}
    before, after = _neighbours(spot.names[0], own, order)
    if in_front and before is not None:
        before, after = None, before
    if place.style == "flow":
        return insert_between(text, place, before, after, single)
    return _into_block(text, own, before, after, entry, bool(list(comment)))


def _into_block(
    text: str, own: Mapping[Step, Place], before: Place | None, after: Place | None, entry: list[str], apart: bool
) -> str:
    first = next(iter(own.values()))
    if before is None and after is not None and prefix_of(text, after.key_start).strip():
        before = first  # "- a: 1": nothing goes in front of a
    place = before or after or first
    if before is not None:
        at = line_end(text, max(before.value_end - 1, before.key_start))
    else:
        at = above_comments(text, place, own.values())
    indent = " " * (place.column - 1)
    blank = apart and text[at:].startswith(("\n", "\r\n"))  # entries stand apart there: so does this one
    return put_lines(text, at, [*([""] if blank else []), *(indent + line if line else "" for line in entry)])


def _neighbours(name: str, own: Mapping[Step, Place], order: Sequence[str]) -> tuple[Place | None, Place | None]:
    """The present key that the new one follows, else the one that it precedes; unknown names go to the end.

    A flat dotted name follows those that begin like it.
    """
    if not own:
        return None, None
    prefix = ""
    if "." in name:
        most = max(_shared(str(n), name) for n in own)
        prefix = ".".join(name.split(".")[:most]) + "." if most else ""
    beside = {str(n)[len(prefix) :]: p for n, p in own.items() if str(n).startswith(prefix)}
    short = name[len(prefix) :]
    last = next(reversed(beside.values()))
    if short not in order:
        return last, None
    rank = {n: i for i, n in enumerate(order)}
    earlier = [s for s in beside if rank.get(s, len(order)) < rank[short]]
    if earlier:
        return beside[max(earlier, key=lambda s: rank[s])], None
    later = [s for s in beside if s in rank]
    return (None, beside[min(later, key=lambda s: rank[s])]) if later else (last, None)


def _in_flow(document: Document, path: Path) -> bool:
    places = [document.root.at(path[:depth]) for depth in range(len(path))]
    return any(place is not None and place.style == "flow" for place in places)


def _step(document: Document) -> str:
    """The indentation of a section in this text."""
    for child in (document.root.children or {}).values():
        inner = next(iter((child.children or {}).values()), None)
        if child.kind == "mapping" and child.style == "block" and inner is not None and inner.column > child.column:
            return " " * (inner.column - child.column)
    return "  "


@lru_cache(maxsize=256)
def catalogue_order(section: str) -> tuple[str, ...]:
    """Names of a section in the order in which templates write them."""
    from ..catalogue import load_catalogue

    catalogue = load_catalogue()
    names = [p.name for group in catalogue.groups for p in catalogue.group(group) if p.section == section]
    return (*names, *(s for s in ("verl", "mindspeed_rl") if not section))
