"""No file, however odd, makes a check raise; every problem has its sentences and a place in the file."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.runner.catalogue import load_catalogue, problem_codes, problem_text
from agentic_rl_wizard.runner.check import World, check_document, check_key
from agentic_rl_wizard.runner.document import EditError, apply_edits, parse_document

PARAMETERS = load_catalogue().parameters
names = st.sampled_from(sorted({p.name for p in PARAMETERS.values()} | {"seq_len", "x", "verl", "mindspeed_rl"}))
odd = (
    st.none()
    | st.booleans()
    | st.integers(-2, 40)
    | st.floats()
    | st.text(max_size=4)
    | st.lists(st.integers(), max_size=2)
)
usual = st.sampled_from(
    [p.default.value for p in PARAMETERS.values() if p.default.value is not None]
    + ["verl", "mindspeed_rl", "gae", "clip-cov"]
)
sections = st.dictionaries(names, odd | usual, max_size=6)
files = st.dictionaries(names, odd | usual | sections, max_size=8)
targets = st.sampled_from([None, "agentsdk", "verl", "local", "mindspeed-rl"])
versions = st.sampled_from(["", "0.4.1", "0.5.0", "0.8.0", "main", "7.3.0", "26.0.0", "nonsense"])


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files, targets, versions)
def test_any_mapping(values: dict[str, Any], target: str | None, version: str) -> None:
    text = yaml.safe_dump(values, allow_unicode=True)
    document = parse_document(text)
    lines = len(re.split(r"\r\n|[\n\r\x85\u2028\u2029]", text))  # the line ends of YAML 1.1
    known = set(problem_codes())
    for problem in check_document(document, World(backend_version=version, verl_version=version), target):
        assert problem.code in known
        assert 0 <= problem.line <= lines
        assert problem_text(problem, "en").message
        assert problem_text(problem, "zh").message
        with contextlib.suppress(EditError):  # refused is not wrong
            apply_edits(text, problem.edits)
    for key in list(values)[:2]:
        check_key(values, key)


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from(list("ab: \n\t-[]{}#&*!|>'\"%@`?,~<=.0159\x00\ufeff😀\r"))))
def test_any_text(text: str) -> None:
    document = parse_document(text)
    try:
        expected: Any = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        assert not document.readable
        return
    if document.readable:
        assert isinstance(expected, dict)
        assert {k: v for k, v in expected.items() if isinstance(k, str)}.keys() == document.values.keys()
    else:
        assert not isinstance(expected, dict) or document.problems[0].code == "yaml-tag"
    check_document(document)
