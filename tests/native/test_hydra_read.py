"""Override texts are read as Hydra reads them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentic_rl_wizard.runner.native.hydra_read import OverrideError, read_override, read_value
from agentic_rl_wizard.runner.native.hydra_text import hydra_value

parser = pytest.importorskip("hydra.core.override_parser.overrides_parser").OverridesParser

TEXTS = [
    "1", "-1", "01", "1_000", "1e-6", "1E5", ".5", "5.", "inf", "nan", "1-2", "0x10", "2024-01-01",
    "", "null", "True", "false", "yes", "a b", "x:y", "/data/x.parquet", "$HOME/x", "50%", "a\\,b", "@x",
    "'x y'", "'it\\'s'", '"d\\\\"', "[a,b]", "[ 1 , 2.0,'c d']", "[]", "{}", "{x:1,y:[2,3]}", "{a:{b:c}}",
    '["console","wandb"]', "['/a/b.parquet','/c d/e.parquet']", "${a.b}", "[${a.b},${oc.select:c,1}]",
]  # fmt: skip


def plain(value: Any) -> Any:
    if type(value).__name__ == "QuotedString":
        return value.text
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_values_are_those_of_the_real_parser(text):
    wanted = plain(parser.create().parse_override(f"key={text}").value())
    found = read_override(f"key={text}").value
    assert repr(found) == repr(wanted)


@pytest.mark.parametrize("mark", ["", "+", "++"])
def test_the_prefix_is_told_apart(mark):
    override = read_override(f"{mark}a.b_c=1")
    assert (override.mark, override.key, override.value) == (mark, "a.b_c", 1)


@pytest.mark.parametrize("text", ["", "=1", "a", "a=[1", "a={b:1", "a={b}", "a='x", "a=[1]2", "1a=2", "a b=1"])
def test_what_is_no_override_is_refused(text):
    with pytest.raises(OverrideError):
        read_override(text)


NAMES = st.from_regex(r"[a-z]{1,5}", fullmatch=True)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(values)
def test_what_is_written_is_read_back(value):
    found = read_value(hydra_value(value))
    assert unescaped(found) == value


def unescaped(value: Any) -> Any:
    """A literal ``${`` is written with a backslash for OmegaConf, which takes it off again."""
    if isinstance(value, str):
        import re

        return re.sub(r"(\\+)\$\{", lambda m: "\\" * (len(m[1]) // 2) + "${", value)
    if isinstance(value, list):
        return [unescaped(item) for item in value]
    return {key: unescaped(item) for key, item in value.items()} if isinstance(value, dict) else value
