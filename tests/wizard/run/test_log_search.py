from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.wizard.store.log_query import Query, QueryError, literals_of, repeats_nest
from agentic_rl_wizard.wizard.store.log_reader import LogReader
from agentic_rl_wizard.wizard.store.log_text import line_text

LINES = [
    "alpha beta",
    "Alpha BETA",
    "\x1b[36m(Worker pid=7)\x1b[0m step:1 - reward/mean:0.5",
    "plain.dots(1)",
    "中文日志 奖励",
    "Über ÄHNLICH",
    "WARNING: alpha",
    "ERROR: beta",
]


def reader_of(tmp_path: Path, lines: list[str], ending: str = "\n") -> LogReader:
    path = tmp_path / "log"
    path.write_bytes(ending.join(lines).encode() + ending.encode())
    reader = LogReader(path)
    reader.catch_up()
    return reader


def found(reader: LogReader, query: Query) -> list[int]:
    reader.find(query)
    reader.catch_up()
    assert reader.search is not None
    return list(reader.search.hits)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query("alpha"), [0, 1, 6]),
        (Query("Alpha"), [1]),
        (Query("alpha", case=True), [0, 6]),
        (Query("pid=7) step:1"), [2]),
        (Query("."), [2, 3]),
        (Query("日志"), [4]),
        (Query("ähnlich"), [5]),
        (Query("al.ha$", regex=True), [6]),
        (Query("^alpha|^plain", regex=True), [0, 1, 3]),
        (Query(r"\d\.\d", regex=True), [2]),
        (Query("[bx]eta", regex=True), [0, 1, 7]),
        (Query("step:1.*mean", regex=True), [2]),
        (Query("nothing"), []),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_find(tmp_path: Path, query: Query, expected: list[int], ending: str) -> None:
    assert found(reader_of(tmp_path, LINES, ending), query) == expected


def test_matches_are_those_of_a_plain_loop_over_chunks(tmp_path: Path) -> None:
    lines = [f"line {n} {'needle' if n % 997 == 0 else 'hay'} {'y' * 80}" for n in range(20_000)]
    reader = reader_of(tmp_path, lines)
    assert found(reader, Query("needle")) == [n for n, line in enumerate(lines) if "needle" in line]
    assert found(reader, Query(r"line \d*7 needle", regex=True)) == [
        n for n, line in enumerate(lines) if re.search(r"line \d*7 needle", line)
    ]


def test_a_search_goes_on_with_new_lines(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, ["one", "two"])
    assert found(reader, Query("two")) == [1]
    with reader.index.path.open("a") as stream:
        stream.write("three\ntwo again\n")
    reader.catch_up()
    assert reader.search is not None
    assert list(reader.search.hits) == [1, 3]


def test_level_and_text_filter_together(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, LINES)
    reader.find(Query("alpha"))
    reader.show_only("warning", matching=True)
    reader.catch_up()
    assert [line_text(reader.index, line)[0] for line in reader.rows or ()] == ["WARNING: alpha"]
    reader.show_only("error", matching=False)
    reader.catch_up()
    assert [line_text(reader.index, line)[0] for line in reader.rows or ()] == ["ERROR: beta"]


def test_next_hit_wraps_and_skips_hidden_lines(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, ["x", "hit", "ERROR hit", "x", "hit"])
    reader.find(Query("hit"))
    reader.catch_up()
    assert [reader.hit_near(line, 1) for line in (0, 1, 4)] == [1, 2, 1]
    assert [reader.hit_near(line, -1) for line in (4, 1)] == [2, 4]
    reader.show_only("error", matching=False)
    assert reader.hit_near(0, 1) == 0
    assert reader.line_of_row(0) == 2


@pytest.mark.parametrize(("text", "code"), [("", "empty"), ("(", "bad"), ("(a+)+$", "slow"), ("(.*a){20}", "slow")])
def test_patterns_that_are_refused(text: str, code: str) -> None:
    with pytest.raises(QueryError) as caught:
        Query(text, regex=True)
    assert caught.value.code == code


@pytest.mark.parametrize("pattern", ["(foo|bar)+", "a+b+", r"(\(a\+\))+", "[(+)]+"])
def test_harmless_repeats_are_allowed(pattern: str) -> None:
    assert not repeats_nest(pattern)


PIECES = ["ab", "x", "c*", "d?", "e+", "(fg)", "[hi]", r"\.", r"\d", "k{2}", ".", "|", "^", "$", "(?:mn)?"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6), st.text("abxcdefghi.5kmn", max_size=14))
def test_the_prefilter_never_loses_a_match(pieces: list[str], line: str) -> None:
    pattern = "".join(pieces)
    try:
        found_there = re.search(pattern, line)
    except re.error:
        return
    if found_there:
        position = 0
        for part in literals_of(pattern):
            position = line.find(part, position)
            assert position >= 0, (pattern, literals_of(pattern), line)
            position += len(part)
