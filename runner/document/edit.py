"""Byte-exact edits of a YAML text: one edit changes one line, every other byte stays.

Each function takes the whole text and returns the whole new text, after it has made sure that the new text loads, holds
the intended change, and nothing else has changed. ruamel.yaml's round trip does not keep bytes (facts C6: 74 changed
lines with nothing edited), hence edits by the spans of the parser.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from ..catalogue.problem import Edit
from .compose import ComposeError, compose
from .emit import format_like, format_scalar
from .errors import EditError
from .insert import add_key
from .lines import line_start
from .nodes import Entry, Node, entry_at
from .place_lines import entry_end, entry_start
from .verify import ABSENT, parsed, same, uses_of, verified


def set_value(text: str, key: str, value: Any) -> str:
    """Set a dotted key; its quoting style and trailing comment stay, an absent key is added.

    A value that an alias or a merge brings in is set at its use, the anchor stays. A list keeps its layout; where only
    some items of it change, only those lines do.

    Raises:
        EditError: a section is no value; or the value bears an anchor that is used elsewhere.
    """
    before = parsed(text)
    if before.has(key) and same(before.get(key), value):
        return text
    root = compose(text)
    found = entry_at(root, key) if root is not None else None
    if root is None or found is None:
        return add_key(text, key, value)
    if _shared(root, key):
        raise EditError(f"{key} bears an anchor that is used elsewhere")
    return verified(before, _replaced(text, key, found[1], value), {key: value})


def remove_key(text: str, key: str, comments: bool = False) -> str:
    """Remove a key and its value, every occurrence of it; other lines stay.

    Args:
        text: the whole text.
        key: dotted key.
        comments: remove the comment lines directly above too.

    Raises:
        EditError: the key is not there, or an alias needs it.
    """
    from .lines import comment_block

    before = parsed(text)
    after = text
    while (found := _find(after, key)) is not None:
        mapping, entry = found
        if mapping.flow:
            after = _without_flow_entry(after, mapping, entry)
            continue
        start = entry_start(after, entry)
        if not after[start : entry.key.outer].strip(" ") == "":
            raise EditError(f"{key} does not begin its line")
        if comments and (block := comment_block(after, start)) > 1:
            start = block
        after = after[:start] + after[entry_end(after, entry) :]
    if after == text:
        raise EditError(f"{key} does not stand in the text")
    return verified(before, after, {key: ABSENT})


def rename_key(text: str, key: str, name: str) -> str:
    """Give a key another name; its value, comment and place stay.

    Raises:
        EditError: the key is not there, or the new name is taken.
    """
    before = parsed(text)
    section = key.rpartition(".")[0]
    renamed = f"{section}.{name}" if section else name
    if before.has(renamed):
        raise EditError(f"{renamed} is there already")
    after = text
    while (found := _find(after, key)) is not None:
        node = found[1].key
        after = after[: node.start] + format_like(name, node.style) + after[node.end :]
    if after == text:
        raise EditError(f"{key} does not stand in the text")
    return verified(before, after, {renamed: before.get(key), key: ABSENT})


def move_key(text: str, key: str, target: str, order: Sequence[str] | None = None) -> str:
    """Move a key to another dotted key, for example ``train_files`` to ``verl.train_files``.

    Value and trailing comment go along as they are written; a section that is missing is made.

    Raises:
        EditError: the key is not there, or the target is taken.
    """
    before = parsed(text)
    found = _find(text, key)
    if found is None:
        raise EditError(f"{key} does not stand in the text")
    if before.has(target):
        raise EditError(f"{target} is there already")
    mapping, entry = found
    value = before.get(key)
    moved = ""
    if not mapping.flow and entry.value.kind != "alias" and "\n" not in text[entry.key.start : entry.value.end]:
        moved = text[entry.key.end : entry_end(text, entry)].rstrip("\r\n")
    without = remove_key(text, key)
    after = add_key(without, target, value, order, raw=moved)
    return verified(before, after, {target: value, key: ABSENT})


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits that problems offer, in turn.

    Raises:
        EditError: one of them is not possible; none is then made.
    """
    for edit in edits:
        if edit.kind == "set":
            text = set_value(text, edit.key, edit.value)
        elif edit.kind == "remove":
            text = remove_key(text, edit.key)
        elif edit.kind == "rename":
            text = rename_key(text, edit.key, str(edit.value))
        else:
            text = move_key(text, edit.key, str(edit.value))
    return text


def _find(text: str, key: str) -> tuple[Node, Entry] | None:
    try:
        root = compose(text)
    except ComposeError as error:
        raise EditError(f"after the edit the text would not load: {error}") from error
    return entry_at(root, key) if root is not None else None


def _shared(root: Node, key: str) -> bool:
    """Whether the value, or a section around it, bears an anchor that is used elsewhere."""
    parts = key.split(".")
    for depth in range(1, len(parts) + 1):
        found = entry_at(root, ".".join(parts[:depth]))
        if found is not None and found[1].value.kind != "alias":
            node = found[1].value
            if (depth == len(parts) or node.anchor) and uses_of(root, node, itself_only=depth < len(parts)):
                return True
    return False


def _replaced(text: str, key: str, entry: Entry, value: Any) -> str:
    node = entry.value
    if node.kind == "mapping" and not node.flow:
        raise EditError(f"{key} is a section")
    if node.kind == "sequence" and not node.flow:
        return _block_list(text, entry, value)
    anchor = f"&{node.anchor} " if node.anchor else ""
    new = format_like(value, node.style)
    if node.outer == node.end and node.kind == "scalar":  # nothing after the colon
        return text[: node.end] + (" " if text[node.end - 1 : node.end] != " " else "") + new + text[node.end :]
    end = node.end
    if node.style in ("|", ">"):
        # A block scalar takes its last line end with it: keep that, and any blank lines below.
        content = text[node.start : end].rstrip(" \r\n")
        end = node.start + len(content)
    if node.kind == "scalar" and not node.tag:
        return text[: node.start] + new + text[end:]
    return text[: node.outer] + anchor + new + text[end:]


def _block_list(text: str, entry: Entry, value: Any) -> str:
    node = entry.value
    if not isinstance(value, list) or not value:
        colon = text.index(":", entry.key.end)
        return text[: colon + 1] + " " + format_scalar(value) + text[node.end :]
    items = cast("list[Any]", value)
    if any(item.kind != "scalar" or item.style in ("|", ">") for item in node.items):
        raise EditError("a list of other things than plain values")
    if len(items) == len(node.items):
        for old, new in reversed(list(zip(node.items, items, strict=True))):
            written = format_like(new, old.style)
            text = text[: old.start] + written + text[old.end :]
        return text
    first = node.items[0]
    start = line_start(text, first.start)
    dash = text[start : first.start]
    newline = "\r\n" if "\r\n" in text[start : node.end + 2] else "\n"
    return text[:start] + newline.join(dash + format_like(item, first.style) for item in items) + text[node.end :]


def _without_flow_entry(text: str, mapping: Node, entry: Entry) -> str:
    position = mapping.entries.index(entry)
    if position + 1 < len(mapping.entries):
        return text[: entry.key.outer] + text[mapping.entries[position + 1].key.outer :]
    start = mapping.entries[position - 1].value.end if position else entry.key.outer
    return text[:start] + text[max(entry.value.end, entry.key.end) :]
