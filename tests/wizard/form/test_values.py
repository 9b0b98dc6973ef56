"""Typed text to values and back."""

import pytest
import yaml

from agentic_rl_wizard.runner.catalogue.parameter import Parameter
from agentic_rl_wizard.wizard.form.values import clean_line, line_count, parse_typed, printable, same_value, show_value

EMPTY = {"en": "", "zh": ""}


def parameter(kind: str, **more: object) -> Parameter:
    return Parameter("k", "", "g", kind, EMPTY, EMPTY, EMPTY, "", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        ("int", "8", 8),
        ("int", " -3 ", -3),
        ("int", "８１９２", 8192),
        ("int", "1.5", "1.5"),
        ("int", "1e3", "1e3"),
        ("int", "0x10", "0x10"),
        ("int", "1_000", "1_000"),
        ("int", "9" * 30, "9" * 30),
        ("float", "1e-6", 1e-6),
        ("float", "1E-6", 1e-6),
        ("float", ".5", 0.5),
        ("float", "２．５", 2.5),
        ("float", "3", 3.0),
        ("float", "nan", "nan"),
        ("float", "1e999", "1e999"),
        ("float", "1_0.0", "1_0.0"),
        ("float", "0.0.1", "0.0.1"),
        ("bool", "True", True),
        ("bool", "yes", "yes"),
        ("str", " a b ", " a b "),
        ("path", " /a b ", "/a b"),
    ],
)
def test_typed(kind: str, typed: str, value: object) -> None:
    assert same_value(parse_typed(parameter(kind), typed), value)


def test_lists() -> None:
    words = parameter("list", items="str")
    assert parse_typed(words, "problem, answer,,") == ["problem", "answer"]
    assert parse_typed(parameter("list", items="int"), "1, 2, x") == [1, 2, "x"]
    assert show_value(["a", "b"]) == "a, b"


def test_null_only_where_it_is_legal() -> None:
    assert parse_typed(parameter("int", nullable=True), "null") is None
    assert parse_typed(parameter("int"), "null") == "null"


def test_choice_of_another_type() -> None:
    assert same_value(parse_typed(parameter("str", choices=(1, "a")), "1"), 1)


@pytest.mark.parametrize("number", [1e-6, 0.1, 1e22, 2.0, 1.5e-300, 123456.789, -0.0])
def test_shown_numbers_are_numbers_to_pyyaml(number: float) -> None:
    assert same_value(yaml.safe_load(show_value(number)), number)


def test_paste_of_many_lines_gives_the_first() -> None:
    for end in ("\n", "\r", "\r\n"):  # terminals send carriage returns, programs what they like
        assert clean_line(f"a{end}" * 10_000) == ("a", True)
        assert line_count(f"a{end}b{end}c") == 3
    assert clean_line("just one\r\n") == ("just one", False)
    assert clean_line("\x1b[31mred\x1b[0m\u202e")[0] == "[31mred[0m"
    assert clean_line("x" * 1_000_000)[1]


def test_control_characters_are_shown_not_obeyed() -> None:
    assert printable("a\x1b]0;t\x07\u202eb\x7f") == "a␛]0;t␇\\u202eb␡"
    assert printable("学习率 é 👨‍👩‍👧") == "学习率 é 👨‍👩‍👧"
