"""Changed lines and differences."""

from agentic_rl_wizard.wizard.form.changes import DiffLine, changed_lines, difference


def test_changed_and_added_lines() -> None:
    assert changed_lines("a\nb\nc\n", "a\nB\nc\n") == {2}
    assert changed_lines("a\nc\n", "a\nb\nc\n") == {2}
    assert changed_lines("a\nb\nc\nd\n", "A\nb\nc\nD\n") == {1, 4}
    assert changed_lines("a\n", "a\n") == frozenset()
    assert changed_lines("", "a\n") == {1}


def test_removed_line_marks_its_place() -> None:
    assert changed_lines("a\nb\nc\n", "a\nc\n") == {2}
    assert changed_lines("a\nb\n", "a\n") == {1}


def test_difference() -> None:
    lines = difference("a\nb\n--- c\n", "a\nB\n--- c\n")
    assert [line for line in lines if line.sign in "+-"] == [DiffLine("-", "b"), DiffLine("+", "B")]
    assert lines[-1] == DiffLine(" ", "--- c")
    assert difference("x\n", "x\n") == []


def test_last_line_end_and_carriage_returns_are_differences() -> None:
    assert len(difference("a\n", "a")) == 3
    assert len(difference("a\r\n", "a\n")) == 3
