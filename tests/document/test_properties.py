"""Properties of reading and editing, over generated files: PyYAML is the judge of values, the bytes of the rest."""

from __future__ import annotations

import io
import math
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from agentic_rl_wizard.runner.catalogue.yaml_text import yaml_text as format_scalar
from agentic_rl_wizard.runner.document import add_key, parse_document, remove_key, set_value
from agentic_rl_wizard.runner.document.text import same

TRICKY = ["yes", "No", "on", "null", "~", "1e-6", "010", "0x1F", "12:30", "2026-01-01", "1_000", ".5", "1.", "-", "+"]
TRICKY += [
    "a: b",
    "a #b",
    "#x",
    "*a",
    "&a",
    "!t",
    "%x",
    "@x",
    "`x",
    "- a",
    "? a",
    "a:",
    " lead",
    "trail ",
    "",
    "'",
    '"',
]
TRICKY += ["😀", "路径", "a\nb", "tab\there", "\x07", "\x85", "\u2028", "\ufeff", "{a}", "[a", "a,b", "<<", "="]
TRICKY += [".inf", "${a}"]
texts = st.sampled_from(TRICKY) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(-(10**12), 10**12) | st.floats()
scalars = st.none() | st.booleans() | numbers | texts
values = scalars | st.lists(scalars, max_size=4)

SCALARS_AS_WRITTEN = [
    "1",
    "0.5",
    "text",
    "'q''x'",
    '"d\\n"',
    "true",
    "",
    "[a, 'b', 3]",
    "{x: 1}",
    "/p/a.b",
    "~",
    "5e-7",
]
COMMENTS = ["", "  # why", " #", "   "]


@st.composite
def files(draw: Any) -> str:
    """A file of two levels, as people write it: comments, blanks, any line end, perhaps a BOM and no last newline."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines = ["# head 😀"] if draw(st.booleans()) else []
    count = draw(st.integers(1, 5))
    for index in range(count):
        if draw(st.booleans()):
            lines.append(draw(st.sampled_from(["", "# note", "   "])))
        lines.append(f"key{index}: {draw(st.sampled_from(SCALARS_AS_WRITTEN))}{draw(st.sampled_from(COMMENTS))}")
    if draw(st.booleans()):
        lines.append("block:")
        lines += ["  - one", "  # between", "  - 'two'"]
    if draw(st.booleans()):
        lines += ["story: |", "  first", "", "  last", ""]
    lines.append("verl:" + draw(st.sampled_from(COMMENTS)))
    for index in range(draw(st.integers(1, 3))):
        lines.append(f"  inner{index}: {draw(st.sampled_from(SCALARS_AS_WRITTEN))}")
    text = newline.join(lines) + (newline if draw(st.booleans()) else "")
    return ("\ufeff" if draw(st.booleans()) else "") + text


def load(text: str) -> Any:
    return yaml.safe_load(text)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files())
def test_values_are_pyyamls_and_places_point_at_them(text: str) -> None:
    document = parse_document(text)
    assert document.readable
    assert same(document.values, load(text))
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    for key, place in document.places.items():
        if "[" in key:
            continue
        assert lines[place.line - 1][place.column - 1 :].startswith(key.rpartition(".")[2])


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files(), values, st.data())
def test_one_edit_changes_one_line(text: str, value: Any, data: st.DataObject) -> None:
    document = parse_document(text)
    keys = [k for k in document.places if k.startswith("key") and "[" not in k and "." not in k]
    keys += [k for k in document.places if k.startswith("verl.inner") and k.count(".") == 1 and "[" not in k]
    key = data.draw(st.sampled_from(keys))
    after = set_value(text, key, value)
    assert same(parse_document(after).get(key), value)
    old, new = text.splitlines(keepends=True), after.splitlines(keepends=True)
    if "\x85" not in after and "\u2028" not in after:
        assert len(old) == len(new)
        assert sum(a != b for a, b in zip(old, new, strict=True)) == (0 if same(document.get(key), value) else 1)
    back = set_value(after, key, document.get(key))
    assert same(parse_document(back).values, document.values)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files(), values, st.sampled_from(["lr", "verl.train_batch_size", "unheard_of", "verl.unheard_of"]))
def test_added_and_removed_again_gives_the_same_bytes(text: str, value: Any, key: str) -> None:
    after = add_key(text, key, value)
    added = [line for line in after.splitlines() if line not in text.splitlines()]
    assert len(after.splitlines()) == len(text.splitlines()) + 1
    assert len(added) == 1
    assert remove_key(after, key).rstrip("\r\n") == text.rstrip("\r\n")


@settings(max_examples=400, deadline=None)
@given(values)
def test_every_loader_reads_what_was_meant(value: Any) -> None:
    line = f"k: {format_scalar(value)}\n"
    assert "\n" not in line[:-1]
    assert same(yaml.safe_load(line)["k"], value)
    for version in ((1, 1), (1, 2)):
        reader = YAML(typ="safe", pure=True)
        reader.version = version
        assert same(reader.load(io.StringIO(line))["k"], value), version


@settings(max_examples=150, deadline=None)
@given(values)
def test_omegaconf_reads_what_was_meant(value: Any) -> None:
    omegaconf = pytest.importorskip("omegaconf")
    line = f"k: {format_scalar(value)}\n"
    found = omegaconf.OmegaConf.to_container(omegaconf.OmegaConf.create(line), resolve=False)["k"]
    assert same(found, value)


def test_floats_carry_dot_and_sign() -> None:
    assert format_scalar(1e-06) in ("1.0e-06", "1.0e-6")
    assert format_scalar(5e22) == "5.0e+22"
    assert format_scalar(math.inf) == ".inf"
