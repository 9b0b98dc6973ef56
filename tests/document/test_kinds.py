"""Every kind of edit in every style, as exact bytes."""

from __future__ import annotations

import datetime
from collections.abc import Callable
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
from agentic_rl_wizard.runner.document.changes import value_of, with_value
from agentic_rl_wizard.runner.document.place import value_path
from agentic_rl_wizard.runner.document.text import same

from .files import scalars
from .loads import at, every_reading, examples

MANY = "a: [\n  1,  # one\n  2,  # two\n]\nb: 1\n"
PAIRS = "a: {\n  x: 1,  # one\n  y1: 2  # two\n}\nb: 1\n"
BASE = "base: &b {lr: 1, o: {x: 1}}\n"

EXACT: list[tuple[str, str, Callable[..., str], tuple[Any, ...], str]] = [
    # scalars at odd places
    ("below-key", "a:\n  # why\n  x # d\n# c\nb: 1\n", set_value, ("a", "z"), "a:\n  # why\n  z # d\n# c\nb: 1\n"),
    ("empty-comment", "a: # why\nb: 1\n", set_value, ("a", 5), "a: 5 # why\nb: 1\n"),
    ("plain-lines", "a: x\n  y\n# c\nb: 1\n", set_value, ("a", "z"), "a: z\n# c\nb: 1\n"),
    ("literal", "a: | # c\n  x\n  # y\n\nb: 1\n", set_value, ("a", "p\nq\n"), "a: | # c\n  p\n  q\n\nb: 1\n"),
    ("literal-strip", "a: |\n  x\nb: 1\n", set_value, ("a", "one"), "a: |-\n  one\nb: 1\n"),
    ("literal-number", "a: |\n  # y\nb: 1\n", set_value, ("a", 2), "a: 2\nb: 1\n"),
    ("folded", "a: >-\n  x\n  y\n\nb: 1\n", set_value, ("a", "t: #"), 'a: "t: #"\n\nb: 1\n'),
    ("zeros", "a: 1\n", set_value, ("a", "007"), 'a: "007"\n'),
    ("date", "a: 1\n", set_value, ("a", "2026-01-01"), 'a: "2026-01-01"\n'),
    ("exponent", "a: 1\n", set_value, ("a", "1e-6"), 'a: "1e-6"\n'),
    ("float", "a: 1\n", set_value, ("a", 1e-6), "a: 1.0e-6\n"),
    ("emoji", "a: 1\n", set_value, ("a", "😀 x"), 'a: "😀 x"\n'),
    ("colonless", "{a, b: 1}\n", set_value, ("a", 3), "{a: 3, b: 1}\n"),
    ("question", "? a\n? b\n: 2\n", set_value, ("a", 3), "? a\n: 3\n? b\n: 2\n"),
    ("flow-text", "{a: 1, b: 2}\n", set_value, ("a", "x, y"), '{a: "x, y", b: 2}\n'),
    ("end-mark", "%YAML 1.1\n---\na: 1\n...\n", set_value, ("a", 3), "%YAML 1.1\n---\na: 3\n...\n"),
    ("mixed-ends", "a: 1\r\nb: 2\nc: 3\r\n", set_value, ("b", [3]), "a: 1\r\nb: [3]\nc: 3\r\n"),
    ("last-of-two", "a: 1\na: 2\n", set_value, ("a", 3), "a: 1\na: 3\n"),
    # tags and anchors
    ("tag-kept", "a: !!str 5\n", set_value, ("a", "x"), "a: !!str x\n"),
    ("tag-dropped", "a: !!str 5\n", set_value, ("a", 7), "a: 7\n"),
    ("anchor-kept", "a: &x !!float 5 # c\n", set_value, ("a", 7), "a: &x 7 # c\n"),
    ("anchored-block", "a: &x # c\n  lr: 1\nq: 2\n", set_value, ("a", 3), "a: &x 3 # c\nq: 2\n"),
    ("at-use", BASE + "v: *b\n", set_value, ("v.lr", 2), BASE + "v: {<<: *b, lr: 2}\n"),
    ("at-use-deep", BASE + "v: *b\n", set_value, ("v.o.x", 2), BASE + "v: {<<: *b, o: {x: 2}}\n"),
    ("at-use-add", BASE + "v: *b\n", add_key, ("v.new", 2), BASE + "v: {<<: *b, new: 2}\n"),
    ("at-use-remove", BASE + "v: *b\n", remove_key, ("v.lr",), BASE + "v: {o: {x: 1}}\n"),
    (
        "at-merge",
        BASE + "v:\n  <<: *b\n  q: 1\n",
        set_value,
        ("v.o.x", 2),
        BASE + "v:\n  <<: *b\n  q: 1\n  o: {x: 2}\n",
    ),
    ("list-at-use", "b: &l [1]\na: *l\n", insert_item, ("a", 2), "b: &l [1]\na: [1, 2]\n"),
    # mappings and lists
    ("mapping", "v: # w\n  x: 1 # d\n  y1: 2\n", set_value, ("v", {"x": 1, "z": 4}), "v: # w\n  x: 1 # d\n  z: 4\n"),
    ("mapping-flow", "a: {x: 1, z: 2} # c\n", set_value, ("a", {"x": 1, "z": 5}), "a: {x: 1, z: 5} # c\n"),
    ("mapping-new", "a: # w\n  x: 1 # d\n", set_value, ("a", {"q": [1]}), "a: # w\n  q: [1]\n"),
    ("list-to-mapping", "a:\n- 1\n- 2\nb: 1\n", set_value, ("a", {"x": 1}), "a: {x: 1}\nb: 1\n"),
    ("item", "a:\n- x\n- z # c\n", set_value, ("a[1]", "q"), "a:\n- x\n- q # c\n"),
    ("item-between", "a:\n- x\n- z # c\n", set_value, ("a", ["x", "q", "z"]), "a:\n- x\n- q\n- z # c\n"),
    ("item-key", "a:\n  - num: 3\n    w: 4 # c\n", set_value, ("a[0].w", 5), "a:\n  - num: 3\n    w: 5 # c\n"),
    ("item-first-key", "a:\n  - num: 3\n    w: 4 # c\n", remove_key, ("a[0].num",), "a:\n  - w: 4 # c\n"),
    ("item-add-key", "a:\n  - num: 3\nb: 1\n", add_key, ("a[0].w", 4), "a:\n  - num: 3\n    w: 4\nb: 1\n"),
    ("item-removed", "a:\n  - 3\n  - 4 # c\n  # x\nb: 1", remove_key, ("a[1]",), "a:\n  - 3\n  # x\nb: 1"),
    ("item-last", "a: [1]\n", remove_key, ("a[0]",), "a: []\n"),
    ("item-appended", "a:\n  - x  # c\n  # t\nb: 1\n", insert_item, ("a", "z"), "a:\n  - x  # c\n  - z\n  # t\nb: 1\n"),
    ("item-nested", "a:\n  - - 1\n    - 2\n", insert_item, ("a[0]", 0, 0), "a:\n  - - 0\n    - 1\n    - 2\n"),
    ("flow-removed", "a: [1, 2, 3]\n", remove_key, ("a[1]",), "a: [1, 3]\n"),
    ("flow-lines-append", MANY, insert_item, ("a", 9), MANY.replace("]", "  9,\n]")),
    ("flow-lines-front", MANY, insert_item, ("a", 9, 0), MANY.replace("[\n", "[\n  9,\n")),
    ("flow-lines-cut", MANY, remove_key, ("a[0]",), MANY.replace("  1,  # one\n", "")),
    ("flow-pair-added", PAIRS, add_key, ("a.z", 9), PAIRS.replace("2  #", "2, z: 9  #")),
    ("flow-pair-cut", PAIRS, remove_key, ("a.y1",), PAIRS.replace("  y1: 2  # two\n", "")),
    # sections
    ("null-section", "verl: ~ # c\n", add_key, ("verl.x", 1), "verl: {x: 1} # c\n"),
    ("comment-section", "v: # c\n  # x: 1\nb: 1\n", add_key, ("v.x", 1), "v: # c\n  x: 1\n  # x: 1\nb: 1\n"),
    ("made", "", add_key, ("a.b.c", 1), "a:\n  b:\n    c: 1\n"),
    ("made-in-flow", "--- {q: 1}\n", add_key, ("a.b.c", 1), "--- {q: 1, a: {b: {c: 1}}}\n"),
    ("before-end-mark", "---\na: 1\n...\n", add_key, ("b", 3), "---\na: 1\nb: 3\n...\n"),
    ("only-key", "a: 1 # c\n", remove_key, ("a",), "{}\n"),
    ("quoted-name", "'a b': 1\n", rename_key, ("a b", "c d"), "'c d': 1\n"),
    ("odd-name", "a: 1\n", rename_key, ("a", "c: d"), '"c: d": 1\n'),
    ("move-out", "v:\n    q:\n      - 1\n    z: 1\nb: 2\n", move_key, ("v.q", "q"), "v:\n    z: 1\nb: 2\nq:\n  - 1\n"),
    (
        "move-text",
        "a: |\n  x\n  y\nv:\n    q: 1\n",
        move_key,
        ("a", "v.a"),
        "v:\n    q: 1\n    a: |\n      x\n      y\n",
    ),
    (
        "move-comment",
        "q: 1\n# on a\na: 1\n\nv:\n  z: 1\n",
        move_key,
        ("a", "v.a"),
        "q: 1\n\nv:\n  z: 1\n  # on a\n  a: 1\n",
    ),
    ("move-heading", "q: 1\n# all\na: 1\nb: 2\n", move_key, ("a", "v.a"), "q: 1\n# all\nb: 2\nv:\n  a: 1\n"),
    # a block scalar that ends a text without a line end would get one from a line below it
    ("open-end", "a: 1\nt: |\n  x", add_key, ("b", 2), "a: 1\nb: 2\nt: |\n  x"),
    ("far-comment", "t: |\n  x\nb: 1\n    # far\nc: 2\n", remove_key, ("b",), "t: |\n  x\n# far\nc: 2\n"),
]

REFUSED: list[tuple[str, str, Callable[..., str], tuple[Any, ...], str, str]] = [
    ("anchor", BASE + "v: *b\n", set_value, ("base.lr", 3), "shared", "v.lr"),
    ("anchor-merged", BASE + "v:\n  <<: *b\n", set_value, ("base", 3), "shared", ""),
    ("anchor-removed", BASE + "v: *b\n", remove_key, ("base",), "shared", ""),
    ("anchor-list", "b: &l [1]\na: *l\n", insert_item, ("b", 2), "shared", "a"),
    ("merged", BASE + "v:\n  <<: *b\n", remove_key, ("v.lr",), "unsafe", "merge"),
    ("twice", "a: 1\nb: 2\na: 3\n", remove_key, ("a",), "unsafe", "lines 1 and 3"),
    ("date", "a: 1\n", set_value, ("a", datetime.date(2026, 1, 1)), "unsafe", "date"),
    ("surrogate", "a: 1\n", set_value, ("a", ["\ud800"]), "unsafe", "UTF-8"),
    ("odd-key", "a: 1\n", set_value, ("a", {1: 2}), "unsafe", "key 1"),
    ("documents", "a: 1\n---\nb: 2\n", set_value, ("a", 3), "unreadable", "yaml-multiple-documents"),
    ("tag", "a: !mine 1\n", set_value, ("a", 3), "unreadable", "yaml-tag"),
    ("no-text-key", "on: 1\n", set_value, ("on", 3), "unsafe", "name"),
    ("no-section", "a: 1\n", add_key, ("a.b", 3), "unsafe", "a is no section"),
    ("no-list", "a: 1\n", insert_item, ("a", 3), "unsafe", "no list"),
    ("no-item", "a: [1]\n", set_value, ("a[1]", 3), "absent", ""),
    ("absent", "a: 1\n", move_key, ("b", "c"), "absent", ""),
    ("taken", "a: 1\nc.d: 2\n", move_key, ("a", "c.d"), "exists", ""),
    ("taken-name", "v: {a: 1, b: 2}\n", rename_key, ("v.a", "b"), "exists", ""),
]


@pytest.mark.parametrize(("text", "edit", "given_", "after"), [c[1:] for c in EXACT], ids=[c[0] for c in EXACT])
def test_exact_bytes(text: str, edit: Callable[..., str], given_: tuple[Any, ...], after: str) -> None:
    assert edit(text, *given_) == after
    if text and "\r\n" not in text:
        assert edit(text.replace("\n", "\r\n"), *given_) == after.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("text", "edit", "given_", "code", "detail"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_refused(text: str, edit: Callable[..., str], given_: tuple[Any, ...], code: str, detail: str) -> None:
    with pytest.raises(EditError) as refused:
        edit(text, *given_)
    assert refused.value.code == code
    assert detail in refused.value.detail


def test_an_interpolation_is_known_as_what_the_loaders_do_not_agree_on() -> None:
    assert interpolates({"a": ["${b}"]})
    assert not interpolates({"a": ["$b", "{c}", 1, None]})


ANCHORED = """\
base: &b
  lr: 1 # c
  opt: &o {x: 1, w: [1, 2]}
list: &l
- &one 1
- 2
free: &f 5
verl:
  <<: *b
  own: 3
mind: *b
opts: {q: *o, r: [*one, *l]}
two:
  <<: [*b, *o]
same: *l
"""


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), scalars | st.lists(scalars, max_size=3))
def test_an_edit_never_reaches_others_through_an_anchor(data: st.DataObject, value: Any) -> None:
    document = parse_document(ANCHORED)
    keys = [*document.places, "mind.lr", "mind.opt.x", "opts.q.w", "opts.r[1][0]", "same[1]", "verl.opt.x", "two.x"]
    key = data.draw(st.sampled_from([k for k in keys if value_path(document.values, k)]))
    path = value_path(document.values, key)
    assert path is not None
    wanted = with_value(document.values, path, value)
    try:
        after = set_value(ANCHORED, key, value)
    except EditError as refused:
        assert refused.code == "shared"
        assert key.startswith(("base", "list"))
        return
    assert same(parse_document(after).values, wanted, ordered=False)
    for loader, found in every_reading(after, not interpolates(value)):
        assert same(at(found, path), value, ordered=False), loader
        assert same(at(found, ("free",)), value_of(wanted, ("free",))), loader
