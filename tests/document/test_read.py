"""Whatever is in a file, reading it gives a Document whose problems say where and what."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import pytest
import yaml
from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.document import SIZE_LIMIT, parse_bytes, parse_document, read_document

# text -> code, line, column, a word of the English sentence
REFUSED = [
    ("a: 1\nb:\n\tc: 2\n", "yaml-tab", 3, 1, "tab"),
    ("a: 1\nb:\n  \tc: 2\n", "yaml-tab", 3, 3, "tab"),
    ("a: b\n\tc: d\n", "yaml-tab", 2, 1, "tab"),
    ("a:\t1\n", "yaml-syntax", 1, 3, "tab"),  # libyaml would let it pass, yaml.safe_load does not
    ("a: 1: 2\n", "yaml-syntax", 1, 5, "second colon"),
    ("a: 'x\nb: 1\n", "yaml-syntax", 3, 1, "never closed"),
    ("a: [1, 2\nb: 3\n", "yaml-syntax", 2, 2, "bracket"),
    ("foo\nbar: 1\n", "yaml-syntax", 2, 4, "second colon"),
    ("  a: 1\nb: 2\n", "yaml-syntax", 2, 1, "left margin"),
    ("a: @x\n", "yaml-syntax", 1, 4, "@"),
    ("a: *x\n", "yaml-syntax", 1, 4, "anchor"),
    ("a: &q 1\nb: &q 2\n", "yaml-syntax", 2, 4, "twice"),
    ('a: "\\q"\n', "yaml-syntax", 1, 6, "single quotes"),
    ("a: 1\nb: \x01\n", "yaml-syntax", 2, 4, "control character"),
    ("a: 1\nb: 2\x00\n", "yaml-syntax", 2, 5, "code 00"),
    ("? [a]\n: 1\n", "yaml-syntax", 1, 3, "name"),
    ("a: 2026-13-45\n", "yaml-syntax", 1, 4, "timestamp"),
    ("a: =\n", "yaml-syntax", 1, 4, "="),
    ("a: 1\n---\nb: 2\n", "yaml-multiple-documents", 2, 1, "more than one"),
    ("a: !!python/object:os.system 1\n", "yaml-tag", 1, 4, "!!python/object:os.system"),
    ("a: 1\nb: !mine {x: 1}\n", "yaml-tag", 2, 4, "!mine"),
    ("a: &a [*a]\n", "yaml-too-deep", 1, 4, "deep"),
    ("[" * 5000, "yaml-too-deep", 1, 101, "deep"),
    ("- 1\n- 2\n", "file-not-mapping", 1, 1, "a list"),
    ("just a text\n", "file-not-mapping", 1, 1, "a text"),
    ("", "file-empty", 0, 0, "no parameter"),
    ("# only a comment\n", "file-empty", 0, 0, "no parameter"),
    ("~\n", "file-empty", 0, 0, "no parameter"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "word"), REFUSED)
def test_what_cannot_be_read(text: str, code: str, line: int, column: int, word: str) -> None:
    document = parse_document(text)
    assert not document.readable
    assert not document.values
    (problem,) = document.problems
    assert (problem.level, problem.code, problem.line, problem.column) == ("error", code, line, column)
    assert word in problem_text(problem, "en").message
    assert problem_text(problem, "zh").message


def test_whatever_safe_load_refuses_is_refused_and_nothing_else() -> None:
    for text, code, *_ in REFUSED:
        if code in ("yaml-too-deep", "file-not-mapping", "file-empty"):
            continue
        with pytest.raises((yaml.YAMLError, ValueError)):
            yaml.safe_load(text)


def test_aliases_that_explode_are_counted_not_unfolded() -> None:
    lines = ["a: &a [1,2,3,4,5,6,7,8,9]"]
    lines += [f"k{i}: &k{i} [{','.join(['*' + ('a' if i == 0 else f'k{i - 1}')] * 9)}]" for i in range(12)]
    (problem,) = parse_document("\n".join(lines)).problems
    assert (problem.code, problem.line) == ("yaml-alias-explosion", 5)


def test_a_chain_of_deep_anchors_ends_in_a_problem_not_in_a_recursion_error() -> None:
    lines = [f"k{i}: &k{i} {'[' * 90}{f'*k{i - 1}' if i else '1'}{']' * 90}" for i in range(60)]
    (problem,) = parse_document("\n".join(lines)).problems
    assert problem.code == "yaml-too-deep"


def test_duplicate_key_names_both_places_and_the_last_value_counts() -> None:
    document = parse_document("lr: 1.0\nother: 2\nverl:\n  x: 1\n  x: 2\nlr: 3.0\n")
    assert document.readable
    assert document.values == {"other": 2, "verl": {"x": 2}, "lr": 3.0}
    inner, outer = document.problems
    assert (inner.key, inner.line, inner.column, inner.params["first_line"]) == ("verl.x", 5, 3, 4)
    assert (outer.key, outer.line, outer.params["first_line"]) == ("lr", 6, 1)
    assert outer.level == "warning"  # the loader accepts it
    assert "line 1" in problem_text(outer, "en").message


@pytest.mark.parametrize(
    ("written", "value", "code", "level", "offered"),
    [
        ("1e-6", "1e-6", "yaml-exponent", "warning", 1e-6),
        ("5E5", "5E5", "yaml-exponent", "warning", 5e5),
        ("010", 8, "yaml11-octal", "warning", None),
        ("yes", True, "yaml11-boolean-word", "hint", True),
        ("Off", False, "yaml11-boolean-word", "hint", False),
        ("12:30", 750, "yaml-sexagesimal", "warning", "12:30"),
        ("2026-01-02", datetime.date(2026, 1, 2), "yaml-date", "warning", "2026-01-02"),
    ],
)
def test_pitfalls(written: str, value: object, code: str, level: str, offered: object) -> None:
    document = parse_document(f"# head\nverl:\n  k: {written}  # why\n")
    assert document.values == {"verl": {"k": value}}
    (problem,) = document.problems
    assert (problem.code, problem.level, problem.key, problem.line, problem.column) == (code, level, "verl.k", 3, 6)
    assert [edit.value for edit in problem.edits] == ([] if offered is None else [offered])
    assert written in problem_text(problem, "en").message


@pytest.mark.parametrize(
    "written", ["1.0e-6", "'1e-6'", '"yes"', "0", "00", "0x10", "true", "False", "-0.5", "2026", "no-op"]
)
def test_no_pitfall(written: str) -> None:
    assert parse_document(f"k: {written}\n").problems == ()


def test_keys_that_are_no_texts() -> None:
    document = parse_document("lr: 1.0\non: 2\n3: 4\n")
    assert [(p.code, p.line, p.params["got"]) for p in document.problems] == [
        ("non-string-key", 2, "boolean"),
        ("non-string-key", 3, "int"),
    ]
    assert dict(document.values) == {"lr": 1.0}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_places_survive_bom_line_ends_and_emoji(newline: str, bom: str) -> None:
    text = bom + newline.join(["# 头 😀", "name: '😀x'  # c", "list: [😀, b]", "verl:", "  路径: /p"]) + newline
    document = parse_document(text)
    assert document.text == text
    place = document.places["name"]
    assert (place.line, place.column, place.value_line, place.value_column) == (2, 1, 2, 7)
    assert text[place.value_start : place.value_end] == "'😀x'"
    second = document.places["list[1]"]
    assert text[second.value_start : second.value_end] == "b"
    inner = document.places["verl.路径"]
    assert (inner.line, inner.column) == (5, 3)
    assert text[inner.value_start : inner.value_end] == "/p"


def test_merge_and_alias_give_the_values_but_stand_at_their_use() -> None:
    text = "base: &b\n  x: 1\n  y: 2\nverl:\n  <<: *b\n  y: 3\nother: *b\n"
    document = parse_document(text)
    assert document.values == yaml.safe_load(text)
    assert document.places["verl.x"].line == 5
    assert document.places["verl.y"].line == 6
    assert document.place("other.x").line == 7
    assert "x" not in document.places


def test_file_problems(tmp_path: Path) -> None:
    big = tmp_path / "big.yaml"
    big.write_bytes(b"# " + b"x" * (2 * SIZE_LIMIT))
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"a: 1\nb: \xe4\xf6\n")
    utf16 = tmp_path / "utf16.yaml"
    utf16.write_bytes("a: 1\n".encode("utf-16"))
    exact = tmp_path / "exact.yaml"
    exact.write_bytes(b"a: 1\n#" + b"x" * (SIZE_LIMIT - 6))
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)

    def only(path: Path) -> tuple[str, int, int]:
        (problem,) = read_document(path).problems
        return problem.code, problem.line, problem.column

    assert only(tmp_path / "absent.yaml") == ("file-missing", 0, 0)
    assert only(latin / "below") == ("file-missing", 0, 0)
    assert only(tmp_path) == ("file-is-directory", 0, 0)
    assert only(big) == ("file-too-large", 0, 0)
    assert only(latin) == ("file-not-utf8", 2, 4)
    assert only(utf16) == ("file-not-utf8", 1, 1)
    assert only(fifo) == ("file-unreadable", 0, 0)  # and it has not waited for a writer
    assert read_document(exact).values == {"a": 1}


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("a: 1\n")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # the tests may run as root, to whom no mode is an obstacle
    (problem,) = read_document(path).problems
    assert problem.code == "file-unreadable"
    assert "Permission denied" in problem_text(problem, "en").message


def test_bytes_are_kept_as_text() -> None:
    data = "\ufeffa: 1\r\nb: 2".encode()
    assert parse_bytes(data).text.encode() == data


def test_shared_cases_read_as_pyyaml_does() -> None:
    folder = Path(__file__).resolve().parents[3].parent / "shared" / "cases"
    files = sorted(folder.glob("*/*.yaml"))
    if not files:
        pytest.skip("no shared cases beside this working tree")
    for path in files:
        assert read_document(path).values == yaml.safe_load(path.read_text(encoding="utf-8")), path
