"""Edits as people see them: before, the change, after, byte for byte."""

from __future__ import annotations

import pytest
from agentic_rl_wizard.runner.catalogue import Edit
from agentic_rl_wizard.runner.document import (
    EditError,
    add_key,
    add_section,
    apply_edits,
    move_key,
    parse_document,
    remove_key,
    rename_key,
    set_value,
)

FILE = """\
# agentic-rl: target=local
# The head of the file.

# Learning rate.
lr: 1.0e-6   # peak
name: 'it''s'
quoted: "a"
empty:
flow: [a, 'b']   # list
block:
  - one   # first
  - "two"
story: |
  line

base: &base
  x: 1
  y: &why 2
copy: *base
verl:
  <<: *base
  total_epochs: 1
  # Files.
  train_files: /a/b.parquet
"""


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("lr", 5e-7, "lr: 1.0e-6   # peak", "lr: 5.0e-7   # peak"),
        ("name", "don't", "name: 'it''s'", "name: 'don''t'"),
        ("name", "a\nb", "name: 'it''s'", 'name: "a\\nb"'),
        ("name", 3, "name: 'it''s'", "name: 3"),
        ("quoted", "b", 'quoted: "a"', 'quoted: "b"'),
        ("quoted", True, 'quoted: "a"', "quoted: true"),
        ("empty", "x", "empty:\n", "empty: x\n"),
        ("flow", ["c"], "flow: [a, 'b']   # list", "flow: [c]   # list"),
        ("block", ["one", "three"], '  - "two"', '  - "three"'),
        ("block", ["one", "two", "x"], '  - one   # first\n  - "two"', "  - one\n  - two\n  - x"),
        ("block", [], '\n  - one   # first\n  - "two"', " []"),
        ("story", "told", "story: |\n  line\n", "story: told\n"),
        ("copy", None, "copy: *base", "copy: null"),
        ("verl.total_epochs", 9, "  total_epochs: 1", "  total_epochs: 9"),
        ("verl.x", 7, "  <<: *base\n  total_epochs: 1\n", "  <<: *base\n  total_epochs: 1\n  x: 7\n"),
    ],
)
def test_set_value(key: str, value: object, old: str, new: str) -> None:
    assert FILE.count(old) == 1
    if key == "verl.x":  # what a merge brings in is overridden at its use
        after = set_value(FILE, key, value)
        assert parse_document(after).get("base.x") == 1
        assert parse_document(after).get("verl.x") == 7
        assert len(after.splitlines()) == len(FILE.splitlines()) + 1
        return
    assert set_value(FILE, key, value) == FILE.replace(old, new)


def test_the_same_value_changes_nothing() -> None:
    for key in parse_document(FILE).places:
        if "[" not in key and key != "verl":
            assert set_value(FILE, key, parse_document(FILE).get(key)) == FILE


def test_an_anchor_is_never_changed_silently() -> None:
    with pytest.raises(EditError, match="anchor"):
        set_value(FILE, "base.x", 5)
    used_nowhere = "a: &n 1\nb: 2\n"
    assert set_value(used_nowhere, "a", 3) == "a: &n 3\nb: 2\n"


def test_a_section_is_no_value() -> None:
    with pytest.raises(EditError, match="section"):
        set_value(FILE, "verl", 1)
    with pytest.raises(EditError):
        set_value(FILE, "copy.x", 5)
    with pytest.raises(EditError):
        set_value("a: [1\n", "a", 1)


@pytest.mark.parametrize(
    ("key", "value", "after_line", "line"),
    [
        ("kl_coef", 0.1, None, "kl_coef: 0.1"),
        ("verl.val_files", "/v", "  train_files: /a/b.parquet", "  val_files: /v"),
    ],
)
def test_add_key_beside_its_neighbour(key: str, value: object, after_line: str | None, line: str) -> None:
    after = add_key(FILE, key, value)
    lines = after.splitlines()
    assert line in lines
    assert [other for other in lines if other != line] == FILE.splitlines()
    if after_line:
        assert lines[lines.index(line) - 1] == after_line


def test_add_key_orders() -> None:
    text = "a: 1\nc:\n  deep: 1  # x\n# about e\ne: 5\n"
    order = ["a", "b", "c", "d", "e"]
    assert add_key(text, "b", 2, order) == text.replace("a: 1\n", "a: 1\nb: 2\n")
    assert add_key(text, "d", 4, order, "why\nso") == text.replace("# about", "# why\n# so\nd: 4\n# about")
    first = "# head\n\n# about b\nb: 1\n"
    assert add_key(first, "a", 0, ["a", "b"]) == "# head\n\na: 0\n# about b\nb: 1\n"
    assert add_key("# head\nb: 1\n", "a", 0, ["a", "b"]) == "# head\na: 0\nb: 1\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", "verl:\n  lr: 1\n"),
        ("# c\n", "# c\nverl:\n  lr: 1\n"),
        ("a: 1", "a: 1\nverl:\n  lr: 1"),
        ("a: 1\r\n", "a: 1\r\nverl:\r\n  lr: 1\r\n"),
        ("a: 1\nverl:\n", "a: 1\nverl:\n  lr: 1\n"),
        ("a: 1\nverl:  # later\nb: 2\n", "a: 1\nverl:  # later\n  lr: 1\nb: 2\n"),
        ("verl:\n    x: 1\n", "verl:\n    x: 1\n    lr: 1\n"),
        ("verl: {x: 1}\n", "verl: {x: 1, lr: 1}\n"),
        ("verl: {}\n", "verl: {lr: 1}\n"),
        ("---\na: 1\n...\n", "---\na: 1\nverl:\n  lr: 1\n...\n"),
    ],
)
def test_add_key_makes_or_fills_its_section(text: str, after: str) -> None:
    assert add_key(text, "verl.lr", 1) == after


def test_add_section() -> None:
    assert add_section("a: 1\n", "verl", {"x": "yes", "z": [1]}, "two keys") == (
        'a: 1\nverl:\n  # two keys\n  x: "yes"\n  z: [1]\n'
    )
    with pytest.raises(EditError):
        add_section(FILE, "verl", {"x": 1})
    with pytest.raises(EditError):
        add_key(FILE, "lr", 1)


def test_remove_key() -> None:
    assert remove_key(FILE, "lr") == FILE.replace("lr: 1.0e-6   # peak\n", "")
    assert remove_key(FILE, "lr", comments=True) == FILE.replace("# Learning rate.\nlr: 1.0e-6   # peak\n", "")
    assert remove_key(FILE, "story") == FILE.replace("story: |\n  line\n", "")
    assert remove_key(FILE, "block") == FILE.replace('block:\n  - one   # first\n  - "two"\n', "")
    assert remove_key("a: 1\nb: 2\na: 3\n", "a") == "b: 2\n"
    assert remove_key("f: {a: 1, b: 2}\n", "f.a") == "f: {b: 2}\n"
    assert remove_key("f: {a: 1, b: 2}\n", "f.b") == "f: {a: 1}\n"
    assert remove_key("verl:\n  a: 1\nb: 2\n", "verl.a") == "verl:\nb: 2\n"
    with pytest.raises(EditError):
        remove_key(FILE, "base")  # its alias would lead nowhere
    with pytest.raises(EditError):
        remove_key(FILE, "absent")


def test_rename_key() -> None:
    assert rename_key(FILE, "lr", "rate") == FILE.replace("lr: 1.0", "rate: 1.0")
    assert rename_key(FILE, "verl.total_epochs", "epochs") == FILE.replace("  total_epochs", "  epochs")
    assert rename_key("'a b' : 1\n", "a b", "c") == "'c' : 1\n"
    with pytest.raises(EditError, match="already"):
        rename_key(FILE, "lr", "name")


def test_move_key_into_the_section_that_lost_its_indentation() -> None:
    text = "lr: 1.0e-6\nverl:\ntotal_epochs: 1   # once\ntrain_files: '/a'\n"
    edits = [Edit("move", "total_epochs", "verl.total_epochs"), Edit("move", "train_files", "verl.train_files")]
    assert apply_edits(text, edits) == "lr: 1.0e-6\nverl:\n  train_files: '/a'\n  total_epochs: 1   # once\n"


def test_move_key_into_a_section_that_is_not_there() -> None:
    assert move_key("a: 1\nckpt_content:\n- model\n", "ckpt_content", "verl.ckpt_content") == (
        "a: 1\nverl:\n  ckpt_content: [model]\n"
    )


def test_crlf_and_bom_stay() -> None:
    text = "\ufeff# head\r\na: 1\r\nb: 2"
    assert set_value(text, "b", 3) == "\ufeff# head\r\na: 1\r\nb: 3"
    assert add_key(text, "c", 3) == "\ufeff# head\r\na: 1\r\nb: 2\r\nc: 3"
    assert remove_key(text, "a") == "\ufeff# head\r\nb: 2"
    assert remove_key("\ufeffa: 1\r\nb: 2", "a") == "\ufeffb: 2"
