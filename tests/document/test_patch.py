"""What is known of the text before an edit, plus the changed part, is what a full reading says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.runner.document import parse_document, recent
from agentic_rl_wizard.runner.document.patch import patched
from agentic_rl_wizard.runner.document.text import same

from .files import files, nested_files
from .loads import examples

PIECES = st.sampled_from(
    [
        *(
            "\n",
            " ",
            "  ",
            "a",
            "a: 1",
            "a: 1\n",
            "  b: 2\n",
            "- x\n",
            "#",
            "# c\n",
            ":",
            "'",
            '"',
            "[",
            "]",
            "{",
            "}",
            ",",
        ),
        *("|", "|\n", ">-\n", "|+\n", "---\n", "...\n", "%YAML 1.1\n", "&x ", "*x", "!t ", "? ", "\t", "\r", "\r\n"),
        *(
            "yes",
            "2026-01-01",
            "<<: ",
            "\ufeff",
            "\x85",
            "\u2028",
            "key0: 1\n",
            "\n\n",
            "1:30",
            "- ",
            "on: 1\n",
            "=",
            "~",
        ),
    ]
)


def fresh(text: str) -> Any:
    recent.forget()
    return parse_document(text)


def check(text: str, changed: str) -> bool:
    """Whether the change could be patched; what comes out must be what a full reading gives."""
    before = fresh(text)
    found = patched(before, changed)
    if found is None:
        return False
    whole = fresh(changed)
    assert found.readable == whole.readable
    assert same(found.values, whole.values)
    assert found.root == whole.root
    assert found.problems == whole.problems
    assert found.plain == whole.plain
    return True


@settings(max_examples=examples(1000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(files(), nested_files()), st.data())
def test_random_damage_reads_as_a_full_reading_says(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    stop = min(len(text), start + data.draw(st.sampled_from([0, 0, 0, 1, 2, 5, 20])))
    changed = text[:start] + "".join(data.draw(st.lists(PIECES, max_size=3))) + text[stop:]
    check(text, changed)
    assert fresh(text).text == text


@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(nested_files(), st.data())
def test_a_changed_scalar_is_patched(text: str, data: st.DataObject) -> None:
    document = fresh(text)
    scalars = [p for p in document.places.values() if p.style == "plain" and p.value_end > p.value_start]
    if not document.plain or not scalars:
        return
    place = data.draw(st.sampled_from(scalars))
    assert check(text, text[: place.value_start] + "7" + text[place.value_end :]) or "\n..." in text


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("v:\n  a: 1\n  b: 2\n", "v:\n  # c\n    a: 1\n  b: 2\n"),  # the entry leaves its column
        ("a: |+\n  x\nb: 1\n", "a: |+\n  x\n\nc: 2\n"),  # a blank line joins the block scalar above
        ("a: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\na: 3\n"),  # a name that stands elsewhere too
        ("a: 1\nb: 2\nc: 3\n", "a: 1\nb: &x 2\nc: 3\n"),
        ("a: 1\nb: 2\nc: 3\n", "a: 1\n---\nb: 2\nc: 3\n"),
        ("a:\nb: 2\n", "a:\n- 2\n"),
        ("a: 1\nb: 2\n", "a: 1\n  b: 2\n"),
        ("a: [1]\nb: 2\n", "a: [1\nb: 2\n"),
        ("a: x\nb: 2\n", "a: x\n b: 2\n"),
    ],
)
def test_a_change_that_reaches_beyond_its_entry(text: str, changed: str) -> None:
    check(text, changed)
    assert fresh(text).plain
