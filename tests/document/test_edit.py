"""Byte-exact edits: one edit changes its lines and nothing else, and loads to what was meant in every loader."""

import io

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from agentic_rl_wizard.runner.catalogue import Edit
from agentic_rl_wizard.runner.document import (
    EditError,
    add_key,
    apply_edits,
    move_key,
    parse_document,
    remove_key,
    rename_key,
    set_value,
)

TEXT = """\
# head
lr: 1.0e-6  # rate
name: 'x y' # quoted
verl:
  # about the batch
  train_batch_size: 8   # trailing

  ckpt_content:
    - model # weights
    - optimizer
  # end of the section

last: [1, 2]
"""


def changed_lines(before, after):
    import difflib

    a, b = before.splitlines(keepends=True), after.splitlines(keepends=True)
    moves = [m for m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if m[0] != "equal"]
    return sum(max(i2 - i1, j2 - j1) for _, i1, i2, j1, j2 in moves)


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("lr", 5.0e-5, "lr: 5.0e-5  # rate"),
        ("name", "it's", "name: 'it''s' # quoted"),
        ("name", 7, "name: 7 # quoted"),
        ("verl.train_batch_size", 16, "  train_batch_size: 16   # trailing"),
        ("verl.train_batch_size", None, "  train_batch_size: null   # trailing"),
        ("verl.ckpt_content[1]", "extra", "    - extra"),
        ("verl.ckpt_content", ["model", "extra"], "    - extra"),
        ("verl.ckpt_content", ["model", "optimizer", "extra"], "    - extra"),
        ("last", [3], "last: [3]"),
        ("last[1]", 5, "last: [1, 5]"),
    ],
)
def test_one_edit_changes_one_line(key, value, line):
    after = set_value(TEXT, key, value)
    assert line in after.splitlines()
    assert changed_lines(TEXT, after) == 1


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_byte_order_mark_and_missing_last_line_end_stay(ending, bom, last):
    text = bom + TEXT.replace("\n", ending)
    text = text if last else text.removesuffix(ending)
    for after in (
        set_value(text, "lr", 2.0),
        set_value(text, "last", []),
        add_key(text, "verl.total_epochs", 3),
        add_key(text, "zzz", 1),
        remove_key(text, "last"),
    ):
        assert after.startswith(bom)
        assert after.replace(ending, "").count("\n") == 0
        assert changed_lines(text, after) <= 2


def test_a_value_that_is_already_there_leaves_the_bytes_alone():
    assert set_value(TEXT, "lr", 1.0e-6) == TEXT
    assert set_value("a: 'x'\n", "a", "x") == "a: 'x'\n"


def test_new_keys_take_the_place_of_the_catalogue():
    after = add_key(TEXT, "verl.total_epochs", 3, comment=["Passes over the data."])
    lines = after.splitlines()
    at = lines.index("  total_epochs: 3")
    assert lines[at - 1] == "  # Passes over the data."
    assert lines[at + 1] == "  # about the batch"
    own = add_key("a: 1\nc: 3\n", "b", 2, order=["a", "b", "c"])
    assert own == "a: 1\nb: 2\nc: 3\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "verl:\n  x: 1\n"),
        ("# comment\n", "# comment\nverl:\n  x: 1\n"),
        ("a: 1", "a: 1\nverl:\n  x: 1"),
        ("a: 1\r\nverl:\r\n", "a: 1\r\nverl:\r\n  x: 1\r\n"),
        ("verl: {}\n", "verl: {x: 1}\n"),
        ("verl: {y: 2} # c\n", "verl: {y: 2, x: 1} # c\n"),
        ("verl:\n    y: 2\n", "verl:\n    y: 2\n    x: 1\n"),
    ],
)
def test_sections_are_found_or_made(text, expected):
    assert add_key(text, "verl.x", 1) == expected


def test_an_alias_is_replaced_at_its_use_and_an_anchor_is_never_changed_for_others():
    assert set_value("a: &x 1\nb: *x\n", "b", 2) == "a: &x 1\nb: 2\n"
    with pytest.raises(EditError) as refused:
        set_value("a: &x 1\nb: *x\n", "a", 2)
    assert refused.value.code == "shared"
    assert set_value("a: &x 1\n", "a", 2) == "a: &x 2\n"


def test_a_merged_key_is_written_beside_the_merge():
    text = "base: &b {q: 1}\nverl:\n  <<: *b\n"
    assert set_value(text, "verl.q", 5) == text + "  q: 5\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a:\nb: 1\n", "a: 2\nb: 1\n"),
        ("a: |\n  x\n  y\n# c\nb: 1\n", "a: 2\n# c\nb: 1\n"),
        ("a: >-\n  x\nb: 1\n", "a: 2\nb: 1\n"),
        ("a: 'x\n  y'\nb: 1\n", "a: 2\nb: 1\n"),
        ("a:\n  - 1\n  - 2\n# c\nb: 1\n", "a: 2\n# c\nb: 1\n"),
        ("{a: 1, b: 1}\n", "{a: 2, b: 1}\n"),
        ("a : 1\nb: 1\n", "a : 2\nb: 1\n"),
        ("? a\n: 1\nb: 1\n", "? a\n: 2\nb: 1\n"),
        ('"a": 1\nb: 1\n', '"a": 2\nb: 1\n'),
    ],
)
def test_values_in_every_style_can_be_replaced(text, after):
    assert set_value(text, "a", 2) == after


def test_remove_rename_move():
    assert "ckpt_content" not in remove_key(TEXT, "verl.ckpt_content")
    assert "# end of the section" in remove_key(TEXT, "verl.ckpt_content")
    assert remove_key("v: {a: 1, b: 2}\n", "v.a") == "v: {b: 2}\n"
    assert remove_key("v: {a: 1, b: 2}\n", "v.b") == "v: {a: 1}\n"
    assert remove_key("v:\n  a: 1 # c\nz: 1\n", "v.a") == "v: {}\nz: 1\n"
    assert changed_lines(TEXT, rename_key(TEXT, "lr", "rate")) == 1
    moved = move_key(TEXT, "lr", "verl.lr")
    assert "  lr: 1.0e-6  # rate" in moved.splitlines()
    assert parse_document(moved).get("verl.lr") == 1.0e-6
    with pytest.raises(EditError):
        rename_key("a: 1\nb: 2\n", "a", "b")
    with pytest.raises(EditError):
        set_value(TEXT, "absent", 1)
    with pytest.raises(EditError):
        set_value("a: [", "a", 1)


def test_edits_of_a_problem_are_made_in_order_or_not_at_all():
    edits = [Edit("rename", "verl.ckpt_content", "keep"), Edit("move", "lr", "verl.lr"), Edit("set", "new", 1)]
    after = parse_document(apply_edits(TEXT, edits))
    assert (after.get("verl.keep"), after.get("verl.lr"), after.get("new")) == (["model", "optimizer"], 1.0e-6, 1)
    with pytest.raises(EditError):
        apply_edits(TEXT, [Edit("set", "lr", 1), Edit("remove", "gone")])


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029\ufeff"), max_size=20)
    | st.sampled_from(
        ["1e-6", "010", "yes", "2026-01-01", "12:30", "null", "~", "#", "a: b", "- x", "", " ", "'", '"', "\\"]
    )
)
VALUES = SCALARS | st.lists(SCALARS, max_size=4)
KEYS = st.sampled_from(["lr", "name", "verl.train_batch_size", "verl.ckpt_content", "last"])


@settings(max_examples=250, deadline=None)
@given(KEYS, VALUES)
def test_any_value_loads_back_in_every_loader(key, value):
    after = set_value(TEXT, key, value)
    assert changed_lines(TEXT, after) <= 5
    if key in ("lr", "name", "last"):
        assert changed_lines(TEXT, after) <= 1
    for load in (yaml.safe_load, lambda t: YAML(typ="safe", pure=True).load(io.StringIO(t))):
        found = load(after)
        for part in key.split("."):
            found = found[part]
        assert found == value
        assert type(found) is type(value)


@settings(max_examples=60, deadline=None)
@given(VALUES)
def test_omegaconf_reads_the_same(value):
    omegaconf = pytest.importorskip("omegaconf").OmegaConf
    texts = value if isinstance(value, list) else [value]
    if any(isinstance(t, str) and "${" in t for t in texts):
        return  # an interpolation to OmegaConf; AgentSDK's loader knows none
    found = omegaconf.to_container(omegaconf.create(set_value(TEXT, "name", value)))
    assert found["name"] == value


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(KEYS, VALUES), min_size=1, max_size=5))
def test_there_and_back_again_gives_the_same_values(steps):
    text = TEXT
    for key, value in steps:
        text = set_value(text, key, value)
    for key in {k for k, _ in steps}:
        text = set_value(text, key, parse_document(TEXT).get(key))
    assert parse_document(text).values == parse_document(TEXT).values


@pytest.mark.parametrize("text", ["a.b: 1\n", "c[x]: 1\n", "base: &b {x: 1}\nm:\n  <<: *b\n"])
def test_keys_that_no_dotted_name_reaches_are_refused(text: str) -> None:
    key = list(parse_document(text).places)[-1]
    for edit in (lambda: set_value(text, key, 2), lambda: remove_key(text, key), lambda: move_key(text, key, "verl.z")):
        try:
            assert parse_document(edit()).readable
        except EditError:
            continue


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_key_is_added_at_its_place_with_the_comment_of_the_catalogue(lang):
    from agentic_rl_wizard.runner.catalogue import load_catalogue, render_template
    from agentic_rl_wizard.runner.catalogue.key_comment import key_comment

    whole = render_template("agentsdk-verl", lang, minimal=True)
    document = parse_document(whole)
    for parameter in load_catalogue().parameters.values():
        if parameter.section != "verl" or not document.has(parameter.key):
            continue
        comment = key_comment(parameter.key, lang)
        assert comment
        without = remove_key(whole, parameter.key)
        after = add_key(without, parameter.key, document.get(parameter.key), comment=comment)
        lines = after.splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith(f"  {parameter.name}:"))
        assert lines[at - 1] == f"  # {comment[-1]}"
        assert parse_document(after).values == document.values
