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

from .files import files, values


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
