"""Ways to write a new value where an old one stands; the first that loads to what was meant is taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ..catalogue.yaml_text import string_text, yaml_text
from .place import Place
from .text import line_end, newline_at, prefix_of, rest_of_line, skip_blank


def replacements(text: str, place: Place, old: Any, value: Any) -> Iterator[str]:
    """The text with the value at ``place`` replaced, in several ways, the one that changes least first."""
    if place.style == "literal" and isinstance(value, str):
        written = _literal(text, place, value)
        if written is not None:
            yield written
    if place.style == "block":
        if value and isinstance(value, (list, dict)) and type(old) is type(value):  # pyright: ignore[reportUnknownArgumentType]
            yield _as_block(text, place, value)
        yield _on_one_line(text, place, value)
    start, end = place.value_start, place.value_end
    new = styled(text[start:end], value)
    if place.key_end >= 0 and start == end and ":" not in text[place.key_end : start]:  # {a} or "? a"
        if prefix_of(text, place.key_start).strip() == "?":
            at = line_end(text, place.key_end)
            line = " " * (place.column - 3) + f": {new}"
            yield text[:at] + line + newline_at(text, at) + text[at:]
        yield text[:start] + f": {new}" + text[end:]
    yield text[:start] + _gap(text, start) + new + text[end:]
    if place.node_start < start or (place.node_start < end and place.style == "plain"):  # without the tag
        start = place.node_start
        anchor = f"&{place.anchor} " if place.anchor and place.kind != "alias" else ""
        yield text[:start] + _gap(text, start) + anchor + new + text[end:]


def styled(written: str, value: Any) -> str:
    """The new value in the quoting style of the old one, where that style can hold it."""
    if isinstance(value, str) and value.isprintable():
        if written.startswith("'"):
            return "'" + value.replace("'", "''") + "'"
        if written.startswith('"') and not string_text(value).startswith('"'):
            return f'"{value}"'
    return yaml_text(value)


def _gap(text: str, start: int) -> str:
    return " " if start > 0 and text[start - 1] in ":-," else ""


def _on_one_line(text: str, place: Place, value: Any) -> str:
    """A block collection becomes a value on the line of its key; the comment of that line stays."""
    anchor = f"&{place.anchor} " if place.anchor else ""
    if place.key_end < 0:
        end = place.value_end if place.value_line == place.line and _one_line(text, place) else _block_end(text, place)
        return text[: place.node_start] + anchor + yaml_text(value) + text[end:]
    colon = skip_blank(text, place.key_end) + 1
    rest = rest_of_line(text, colon)
    written = text[place.node_start : place.value_start].partition("\n")[0].partition(" #")[0].rstrip()
    tail = rest.rstrip().removeprefix(f" {written}" if written else "")
    comment = tail if tail.lstrip().startswith("#") else ""
    return text[:colon] + " " + anchor + yaml_text(value) + comment + text[_block_end(text, place) :]


def _one_line(text: str, place: Place) -> bool:
    return "\n" not in text[place.value_start : place.value_end]


def _block_end(text: str, place: Place) -> int:
    """End of a block with the comment behind its last entry, which is about that entry."""
    return place.value_end + len(rest_of_line(text, place.value_end))


def _as_block(text: str, place: Place, value: Any) -> str:
    """A block collection stays one, an entry a line."""
    first = next(iter((place.children or {}).values()))
    start = place.value_start
    indent = newline_at(text, start) + " " * len(prefix_of(text, start))
    if isinstance(value, Mapping):
        start = first.key_start
        indent = newline_at(text, start) + " " * (first.column - 1)
        pairs = cast("Mapping[str, Any]", value).items()
        lines = [f"{string_text(name)}: {yaml_text(item)}" for name, item in pairs]
    else:
        lines = [f"- {yaml_text(item)}" for item in cast("list[Any]", value)]
    return text[:start] + indent.join(lines) + text[_block_end(text, place) :]


def _literal(text: str, place: Place, value: str) -> str | None:
    """Lines of a literal block (``|``) replaced by others; None where such a block can't hold the text."""
    header, end_of_header, body = text[place.value_start : place.value_end].partition("\n")
    lines = value.split("\n")
    if (
        not end_of_header
        or not value.strip("\n")
        or value.startswith((" ", "\n", "\t"))
        or any(c in header for c in "123456789")
    ):
        return None
    if not all(line.isprintable() for line in lines):
        return None
    first = body.splitlines()[0] if body else ""
    indent = first[: len(first) - len(first.lstrip(" "))]
    tail = len(value) - len(value.rstrip("\n"))
    mark = "" if tail == 1 else "-" if tail == 0 else "+"
    changed = (
        header
        if header.rstrip("\r").partition("#")[0].strip() == f"|{mark}"
        else header.replace(header.partition("#")[0].rstrip(), f"|{mark}", 1)
    )
    newline = "\r\n" if header.endswith("\r") else "\n"
    shown = lines[:-1] if tail else lines
    written = newline.join(indent + line if line else "" for line in shown)
    return text[: place.value_start] + changed + "\n" + written + text[place.value_end :]
