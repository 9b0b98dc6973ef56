import json
from pathlib import Path

from agentic_rl_wizard.runner.stream import JsonLines, metric_row


def row(step: int, **data: float) -> str:
    return json.dumps({"step": step, "data": data}) + "\n"


def steps(reader: JsonLines) -> list[int]:
    return [found[0] for found in map(metric_row, reader.read()) if found]


def test_a_half_written_line_waits_for_its_end(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    reader = JsonLines(path)
    assert reader.read() == []
    whole = row(1, a=1) + row(2, a=2)
    path.write_text(whole[:-5])
    assert steps(reader) == [1]
    path.write_text(whole)
    assert steps(reader) == [2]


def test_nan_broken_lines_and_things_that_are_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text(
        '{"step": 1, "data": {"a": NaN, "b": "text", "c": -Infinity, "d": true, "e": null}}\n'
        '{"step": 2, "da\n[1]\n\x00\n'
        '{"step": NaN, "data": {}}\n{"step": 3, "data": {"a": 1}}\n'
    )
    reader = JsonLines(path)
    rows = [found for found in map(metric_row, reader.read()) if found]
    assert [step for step, _ in rows] == [1, 3]
    assert set(rows[0][1]) == {"a", "c", "d", "e"}
    assert reader.broken == 3


def test_a_truncated_file_starts_over_even_when_it_is_longer_soon(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text(row(1, a=1) + row(2, a=2))
    reader = JsonLines(path)
    assert steps(reader) == [1, 2]
    path.write_text("")
    assert steps(reader) == []
    path.write_text(row(7, bbbbbbbbbbbb=1) + row(8, a=2) + row(9, a=1))
    assert steps(reader) == [7, 8, 9]
    path.write_text(row(20, cccccccccccccccccc=1) + "".join(row(n, a=2) for n in range(21, 30)))
    assert steps(reader) == list(range(20, 30))


def test_a_replaced_file_starts_over(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text(row(1, a=1))
    reader = JsonLines(path)
    assert steps(reader) == [1]
    other = tmp_path / "new"
    other.write_text(row(1, a=1) + row(2, a=1))
    other.replace(path)
    assert steps(reader) == [1, 2]
