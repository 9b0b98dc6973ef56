"""Every legal value survives Hydra's own parser and OmegaConf's interpolation."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.runner.native.hydra_text import hydra_string, hydra_value, override

hydra = pytest.importorskip("hydra", reason="the real parser comes with the local extra")
from hydra.core.override_parser.overrides_parser import OverridesParser  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402

PARSER = OverridesParser.create()


def through(value):
    """The value as a training process would see it."""
    parsed = PARSER.parse_override(override("a.b", value, declared=True))
    config = OmegaConf.create({"a": {"b": parsed.value()}})
    return OmegaConf.to_container(config, resolve=True)["a"]["b"]


AWKWARD = [
    "plain", "two words", "a,b", "[x]", "{k: v}", "it's", 'say "hi"', "a=b", "中文 路径", "后缀'",
    "tail\\", "\\'", "\\\\'",
    "${oc.env:HOME}", "\\${x}", "\\\\${x}", "$", "", " ", " lead", "true", "null", "NaN", "1e-6", "007", "12:30", "a#b",
    "#", "a: b", "~", "/data/a b/c.parquet", "()", "%", "*",
    "emoji 🚀", "tab\tin", "a/b", "-", "x-y", "@here", "!", "&",
]  # fmt: skip


@pytest.mark.parametrize("value", AWKWARD)
def test_awkward_strings_survive(value):
    assert through(value) == value
    assert through([value, "z"]) == [value, "z"]


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\\'\"${},[]=: "), max_size=24))
def test_any_string_survives(value):
    assert through(value) == value


@settings(max_examples=200, deadline=None)
@given(st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False))
def test_scalars_keep_value_and_type(value):
    back = through(value)
    assert back == value
    assert type(back) is type(value)


def test_nan_and_containers():
    assert math.isnan(through(float("nan")))
    assert through({"k": [1, "a b", None], "m n": 2.5}) == {"k": [1, "a b", None], "m n": 2.5}


def test_plain_words_stay_readable_and_plus_only_when_undeclared():
    assert hydra_string("token-mean") == "token-mean"
    assert hydra_value([1, "model"]) == "[1,model]"
    assert override("x.y", 1, declared=False) == "+x.y=1"


def test_unknown_types_are_refused():
    with pytest.raises(TypeError):
        hydra_value(object())
