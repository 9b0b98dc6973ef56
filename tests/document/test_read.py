"""Reading: values as PyYAML sees them, places, and every kind of broken file as a problem with its place."""

import pytest

from agentic_rl_wizard.runner.document import parse_document, read_document


def codes(document):
    return [(p.code, p.line, p.column) for p in document.problems]


def test_places_point_at_the_values_with_bom_crlf_and_wide_characters():
    text = "\ufeffname: 中文🚀 # c\r\nitems: &x [1, 2]\r\nsame: *x\r\nverl:\r\n  lr: &q 'a'\r\n"
    document = parse_document(text)
    assert document.readable
    assert document.values == {"name": "中文🚀", "items": [1, 2], "same": [1, 2], "verl": {"lr": "a"}}

    def written(key):
        place = document.places[key]
        return text[place.value_start : place.value_end]

    assert [written(k) for k in ("name", "items", "items[1]", "same", "verl.lr")] == [
        "中文🚀",
        "[1, 2]",
        "2",
        "*x",
        "'a'",
    ]
    assert (document.places["verl.lr"].line, document.places["verl.lr"].column) == (5, 3)


def test_values_are_those_of_agentsdk_loader():
    document = parse_document("a: 1e-6\nb: 010\nc: yes\nd: 12:30\ne: 1.0e-6\nf: 2026-01-01\n")
    assert document.values["a"] == "1e-6"
    assert (document.values["b"], document.values["c"], document.values["d"]) == (8, True, 750)
    found = {p.code: p for p in document.problems}
    assert found["yaml11-octal"].params["plain"] == "10"
    assert found["yaml11-boolean-word"].level == "hint"
    assert found["yaml-sexagesimal"].params["value"] == 750
    assert found["yaml-date"].line == 6


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("file-empty", 0, 0)),
        ("# only a comment\n", ("file-empty", 0, 0)),
        ("- a\n", ("file-not-mapping", 1, 1)),
        ("hello\n", ("file-not-mapping", 1, 1)),
        ("a:\n\tb: 1\n", ("yaml-tab", 2, 1)),
        ("verl:\n  a: 1\n \tb: 2\n", ("yaml-tab", 3, 2)),
        ("a: !!python/object:os.system x\n", ("yaml-tag", 1, 4)),
        ("a: !mine 1\n", ("yaml-tag", 1, 4)),
        ("a: 1\n---\nb: 2\n", ("yaml-multiple-documents", 2, 1)),
        ("a: [1, 2\nb: 3\n", ("yaml-syntax", 2, 2)),
        ("a: 'open\n", ("yaml-syntax", 2, 1)),
        ("a: \x00\n", ("yaml-syntax", 1, 4)),
        ("ok: 1\nb: \x1b[31m\n", ("yaml-syntax", 2, 4)),
        ("a: 2026-13-45\n", ("yaml-syntax", 1, 4)),
        ("a: &x [*x]\n", ("yaml-too-deep", 1, 8)),
        ("a: *gone\n", ("yaml-syntax", 1, 4)),
    ],
)
def test_broken_texts_become_one_error_with_its_place(text, expected):
    document = parse_document(text)
    assert not document.readable
    errors = [p for p in document.problems if p.level == "error"]
    assert [(p.code, p.line, p.column) for p in errors] == [expected]


def test_duplicate_keys_name_both_places_and_the_last_wins():
    document = parse_document("lr: 1\nverl:\n  a: 1\n  b: 2\n  a: 3\nlr: 2\n")
    assert document.readable
    assert document.values["lr"] == 2
    assert [(p.key, p.line, p.params["first_line"]) for p in document.problems] == [("verl.a", 5, 3), ("lr", 6, 1)]


def test_alias_bombs_are_not_unfolded():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    document = parse_document("\n".join(lines))
    assert not document.readable
    assert document.problems[-1].code == "yaml-alias-explosion"


def test_deep_nesting_is_refused_without_a_crash():
    assert [p.code for p in parse_document("a: " + "[" * 5000 + "]" * 5000).problems] in (
        ["yaml-too-deep"],
        ["yaml-syntax"],
    )
    assert parse_document("a: " + "[" * 100 + "]" * 100).problems[0].code == "yaml-too-deep"


def test_merges_are_resolved_and_have_no_value_of_their_own():
    document = parse_document("base: &b {q: 1}\nverl:\n  <<: *b\n  r: 2\n")
    assert document.get("verl.q") == 1
    assert document.places["verl.q"].line == 3
    assert document.places["verl.q"].value_start == -1


def test_a_key_that_is_no_text():
    document = parse_document("on: 1\n7: 2\n'8': 3\n")
    assert [(p.code, p.line) for p in document.problems] == [("non-string-key", 1), ("non-string-key", 2)]


def test_files_that_can_not_be_read(tmp_path):
    assert codes(read_document(tmp_path / "gone.yaml")) == [("file-missing", 0, 0)]
    assert codes(read_document(tmp_path)) == [("file-is-directory", 0, 0)]
    big = tmp_path / "big.yaml"
    big.write_bytes(b"# " + b"x" * 2 * 1024 * 1024)
    assert codes(read_document(big)) == [("file-too-large", 0, 0)]
    edge = tmp_path / "edge.yaml"
    edge.write_bytes(b"a: 1 # " + b"x" * (1024 * 1024 - 7))
    assert read_document(edge).readable
    gbk = tmp_path / "gbk.yaml"
    gbk.write_bytes(b"a: 1\nb: " + "配置".encode("gbk"))
    assert codes(read_document(gbk)) == [("file-not-utf8", 2, 4)]
    assert codes(read_document(tmp_path / ("n" * 300))) == [("file-unreadable", 0, 0)]
    assert codes(read_document("nul\0name")) == [("file-unreadable", 0, 0)]


def test_absent_keys_have_the_place_of_their_section():
    document = parse_document("a: 1\nverl:\n  b: 1\n")
    assert document.place("verl.missing").line == 2
    assert document.place("missing").line == 0
    assert document.get("verl.missing", 7) == 7
    assert document.has("verl.b")
    assert not document.has("a.b")


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("a: 'open\nb: 1\n", "quotation mark", "引号"),
        ("a: [1, 2\nb: 3\n", "bracket", "括号"),
        ("a: b: c\n", "second colon", "冒号"),
        ("a: *gone\n", "anchor", "锚点"),
        ("a: 1\nb\nc: 2\n", "colon", "冒号"),
        ("verl:\n    a: 1\n  b: 2\n", "indentation", "缩进"),
        ("a: @x\n", "quotes", "引号"),
        ("a: \x07\n", "control character", "控制字符"),
    ],
)
def test_syntax_errors_are_said_in_words_of_both_languages(text, english, chinese):
    from agentic_rl_wizard.runner.catalogue import problem_text

    (problem,) = [p for p in parse_document(text).problems if p.level == "error"]
    assert english in problem_text(problem, "en").message
    assert chinese in problem_text(problem, "zh").message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v:\n  a: 010\n", ("yaml11-octal", "v.a", 2, 6)),
        ("v: [1, -0_17]\n", ("yaml11-octal", "v[1]", 1, 8)),
        ("v:\n- x\n- yes\n", ("yaml11-boolean-word", "v[1]", 3, 3)),
        ("a: 1:30:00\n", ("yaml-sexagesimal", "a", 1, 4)),
        ("a: 2026-01-01\n", ("yaml-date", "a", 1, 4)),
        ("a: 2026-01-01 10:00:00\n", ("yaml-date", "a", 1, 4)),
        ("v: {a: 1, b: 2, a: 3}\n", ("duplicate-key", "v.a", 1, 17)),
        ("v:\n  a.b: 1\n  a.b: 2\n", ("duplicate-key", "v.a.b", 3, 3)),
        ("v:\n  ~: 1\n", ("non-string-key", "v.~", 2, 3)),
        ("v:\n  2026-01-01: 1\n", ("non-string-key", "v.2026-01-01", 2, 3)),
        ("v:\n  1.5: 1\n", ("non-string-key", "v.1.5", 2, 3)),
        ("v:\n  a: !!python/name:os.system\n", ("yaml-tag", "v.a", 2, 6)),
        ("v:\n  - a\n \t- b\n", ("yaml-tab", "", 3, 2)),
    ],
)
def test_pitfalls_are_located(text, expected):
    (problem,) = parse_document(text).problems
    assert (problem.code, problem.key, problem.line, problem.column) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a: 08\n",
        "a: '010'\n",
        "a: !!str 010\n",
        "a: 2026-01-01 and later\n",
        "a: 0\n",
        "a: 0.10\n",
        "a: '1:30'\n",
        "a: 1:75\n",
        "a: 1e-6\n",
        "a: ~\n",
        "a: ! x\n",
        "'on': 1\n",
        "n: 1\n",
        "# tab\tin a comment!\na: 1 #\there too!\n",
        "a: &x 1\nb: *x\n",
    ],
)
def test_what_is_read_as_it_is_written_is_no_problem(text):
    assert parse_document(text).problems == ()


def test_flat_and_nested_names_are_found_as_values_are():
    document = parse_document("a.b: 1\na:\n  b: 2\n  c.d: 3\n  e:\n  - {f.g: 4}\n")
    assert (document.get("a.b"), document.places["a.b"].line) == (1, 1)
    assert (document.get("a.c.d"), document.places["a.c.d"].line) == (3, 4)
    assert document.places["a.e[0].f.g"].line == 6
    assert "a.x" not in document.places
    assert document.place("a.c.x").line == 2
