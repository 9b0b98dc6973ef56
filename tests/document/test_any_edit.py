"""Any edit of any file: it loads to what was meant in every loader, and the lines of everything else stay."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.runner.document import (
    EditError,
    add_key,
    insert_item,
    interpolates,
    move_key,
    parse_document,
    remove_key,
    rename_key,
    set_value,
)
from agentic_rl_wizard.runner.document.changes import value_of, with_item, with_value, without
from agentic_rl_wizard.runner.document.place import value_path
from agentic_rl_wizard.runner.document.text import same

from .files import nested_files, scalars, trees
from .loads import at, every_reading, examples, other_lines

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]


def drawn_key(data: st.DataObject, text: str) -> tuple[str, Any]:
    document = parse_document(text)
    assert document.readable
    key = data.draw(st.sampled_from(list(document.places)))
    return key, value_path(document.values, key)


def lines_of(text: str, key: str) -> int:
    """Number of lines that a key and its value stand on."""
    place = parse_document(text).places[key]
    return text.count("\n", place.key_start, place.value_end) + 1


@settings(max_examples=examples(400), deadline=None, suppress_health_check=SLOW)
@given(nested_files(), trees, st.data())
def test_set(text: str, value: Any, data: st.DataObject) -> None:
    key, path = drawn_key(data, text)
    before = parse_document(text)
    after = set_value(text, key, value)
    assert same(parse_document(after).values, with_value(before.values, path, value), ordered=False)
    for loader, found in every_reading(after, not interpolates([value, after])):
        assert same(at(found, path), value, ordered=False), loader
    old, new = other_lines(text, after)
    assert old <= lines_of(text, key)
    if old == 1 and not isinstance(value, (list, dict)):
        assert new == 1
    assert set_value(text, key, value_of(before.values, path)) == text


@settings(max_examples=examples(200), deadline=None, suppress_health_check=SLOW)
@given(nested_files(), st.data())
def test_remove(text: str, data: st.DataObject) -> None:
    key, path = drawn_key(data, text)
    before = parse_document(text)
    after = remove_key(text, key)
    wanted = without(before.values, path)
    for loader, found in every_reading(after, not interpolates(after)):
        mine, theirs = value_of(wanted, path[:-1]), at(found, path[:-1])
        assert len(mine) == len(theirs), loader
    assert same(parse_document(after).values, wanted)
    old, new = other_lines(text, after)
    assert new <= 1
    assert old <= lines_of(text, key) + 2  # the line of the section that is empty now, or of the next key of an item


@settings(max_examples=examples(200), deadline=None, suppress_health_check=SLOW)
@given(nested_files(), trees, st.sampled_from(["lr2", "verl.new", "actor.rollout.tp", "trainer.a.b", "model.x"]))
def test_add(text: str, value: Any, key: str) -> None:
    before = parse_document(text)
    try:
        after = add_key(text, key, value)
    except EditError as refused:
        assert refused.code == "unsafe"
        assert refused.detail.endswith("is no section")
        return
    path = value_path(parse_document(after).values, key)
    assert path is not None
    assert same(parse_document(after).values, with_value(before.values, path, value), ordered=False)
    for loader, found in every_reading(after, not interpolates([value, after])):
        assert same(at(found, path), value, ordered=False), loader
    old, new = other_lines(text, after)
    assert old <= 1  # a flow section, or a last line that had no line end
    assert new <= old + len(path)
    assert same(parse_document(remove_key(after, key)).get("zz"), None)


@settings(max_examples=examples(200), deadline=None, suppress_health_check=SLOW)
@given(nested_files(), st.sampled_from(["lr9", "a: b", "yes", "1", "键 x"]), st.data())
def test_rename(text: str, name: str, data: st.DataObject) -> None:
    key, path = drawn_key(data, text)
    if isinstance(path[-1], int):
        with pytest.raises(EditError):
            rename_key(text, key, name)
        return
    whole = path[-1].rpartition(".")[0] + "." + name if "." in path[-1] else name
    if whole in value_of(parse_document(text).values, path[:-1]):
        return
    after = rename_key(text, key, name)
    value = value_of(parse_document(text).values, path)
    assert same(value_of(parse_document(after).values, (*path[:-1], whole)), value)
    for loader, found in every_reading(after, not interpolates(after)):
        assert whole in at(found, path[:-1]), loader
    assert other_lines(text, after) == (1, 1)


@settings(max_examples=examples(200), deadline=None, suppress_health_check=SLOW)
@given(nested_files(), st.data())
def test_move(text: str, data: st.DataObject) -> None:
    key, path = drawn_key(data, text)
    before = parse_document(text)
    after = move_key(text, key, "moved.here")
    wanted = with_value(without(before.values, path), ("moved", "here"), value_of(before.values, path))
    assert same(parse_document(after).values, wanted, ordered=False)
    own = {line.strip() for line in text.splitlines()}
    added = [line for line in after.splitlines() if line.strip() not in own]
    assert len(added) <= 4  # moved:, here:, {} or [] left behind, and a flow entry that was cut


@settings(max_examples=examples(200), deadline=None, suppress_health_check=SLOW)
@given(nested_files(), scalars, st.integers(0, 4), st.data())
def test_insert_an_item_and_take_it_out_again(text: str, value: Any, index: int, data: st.DataObject) -> None:
    document = parse_document(text)
    lists = [key for key, place in document.places.items() if place.kind == "list"]
    if not lists:
        return
    key = data.draw(st.sampled_from(lists))
    path = value_path(document.values, key)
    assert path is not None
    index = min(index, len(value_of(document.values, path)))
    after = insert_item(text, key, value, index)
    wanted = with_item(document.values, path, index, value)
    assert same(parse_document(after).values, wanted)
    for loader, found in every_reading(after, not interpolates([value, after])):
        assert same(at(found, path)[index], value), loader
    back = remove_key(after, f"{key}[{index}]")
    assert same(parse_document(back).values, document.values)
    old, new = other_lines(text, after)
    assert (old <= 1 and new <= 2) or not text.endswith("\n")
