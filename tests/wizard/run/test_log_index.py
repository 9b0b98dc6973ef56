from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.runner.stream.levels import level_of
from agentic_rl_wizard.wizard.store.log_index import READ, LogIndex
from agentic_rl_wizard.wizard.store.log_reader import LogReader
from agentic_rl_wizard.wizard.store.log_text import full_text, line_text


def texts(index: LogIndex) -> list[str]:
    index.poll()
    while index.scan():
        pass
    return [line_text(index, line)[0] for line in range(index.line_count)]


def write(path: Path, data: bytes) -> LogIndex:
    path.write_bytes(data)
    return LogIndex(path)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"one", ["one"]),
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"a\tb\n", ["a   b"]),
        (b"\x1b[31mred\x1b[0m [bold]x[/]\n", ["red [bold]x[/]"]),
        (b"nul \x00 here\xff\n", ["nul  here\ufffd"]),
        ("中文 🚀 e\u0301\n".encode(), ["中文 🚀 e\u0301"]),
    ],
)
def test_lines_as_shown(tmp_path: Path, data: bytes, expected: list[str]) -> None:
    assert texts(write(tmp_path / "log", data)) == expected


def test_redraws_of_a_bar_are_one_line_and_metrics_glued_to_it_stay(tmp_path: Path) -> None:
    bars = b"".join(b"\rTraining: %d%%|##| %d/9 [00:01, 2.0it/s]" % (n * 10, n) for n in range(1, 6))
    shown = texts(write(tmp_path / "log", b"start\n" + bars + b"\rstep:7 - a/b:1.0\nend\n"))
    assert shown == ["start", "Training: 50%|##| 5/9 [00:01, 2.0it/s]", "step:7 - a/b:1.0", "end"]


def test_a_bar_behind_rays_prefix_is_one_line(tmp_path: Path) -> None:
    data = b"\x1b[36m(TaskRunner pid=7)\x1b[0m \rTraining Progress:  10%|#| 1/9 [00:01, 2.0it/s]\n"
    assert texts(write(tmp_path / "log", data)) == [
        "(TaskRunner pid=7) Training Progress:  10%|#| 1/9 [00:01, 2.0it/s]"
    ]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from([b"a", b"line", b"\n", b"\r\n", b"\r", b"x" * 50, b"\xe4\xb8\xad"]), max_size=60),
    st.data(),
)
def test_growing_in_any_pieces_gives_what_reading_at_once_gives(pieces: list[bytes], data: st.DataObject) -> None:
    import tempfile

    content = b"".join(pieces)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        expected = texts(write(whole, content))
        grown = Path(folder) / "grown"
        grown.write_bytes(b"")
        index = LogIndex(grown)
        position = 0
        while position < len(content):
            amount = data.draw(st.integers(1, 40))
            with grown.open("ab") as stream:
                stream.write(content[position : position + amount])
            position += amount
            texts(index)
        assert texts(index) == expected
        # Nothing is lost: every byte that isn't a line end is on some line.
        assert "".join(expected).replace(" ", "") == content.replace(b"\r", b"").replace(b"\n", b"").decode()
        index.close()


def test_every_line_of_a_large_file(tmp_path: Path) -> None:
    lines = [f"{n} {'x' * (n % 300)}" for n in range(30_000)]
    index = write(tmp_path / "log", "\n".join(lines).encode() + b"\n")
    assert index.path.stat().st_size > 3 * READ
    assert texts(index) == lines


def test_a_line_of_ten_megabytes_is_cut_on_the_screen_and_whole_on_demand(tmp_path: Path) -> None:
    index = write(tmp_path / "log", b"before\n" + "中".encode() * 3_500_000 + b"\nafter\n")
    shown = texts(index)
    assert [shown[0], shown[2]] == ["before", "after"]
    text, left_out = line_text(index, 1)
    assert set(text) == {"中"}
    assert len(text) * 3 + left_out >= 10_500_000 - 3
    assert len(full_text(index, 1)[0]) == 3_500_000


def test_truncation_starts_over(tmp_path: Path) -> None:
    index = write(tmp_path / "log", b"one\ntwo\nthree\n")
    texts(index)
    index.path.write_bytes(b"new\n")
    assert texts(index) == ["new"]
    assert index.generation == 1


def test_a_rewrite_that_is_longer_is_noticed(tmp_path: Path) -> None:
    index = write(tmp_path / "log", b"one\ntwo\n")
    texts(index)
    index.path.write_bytes(b"another beginning\nand more\n")
    assert texts(index) == ["another beginning", "and more"]


def test_rotation_goes_on_with_the_new_file(tmp_path: Path) -> None:
    index = write(tmp_path / "log", b"old\n")
    texts(index)
    index.path.rename(tmp_path / "log.1")
    index.path.write_bytes(b"new file\n")
    assert texts(index) == ["new file"]


def test_a_deleted_file_stays_readable(tmp_path: Path) -> None:
    index = write(tmp_path / "log", b"one\ntwo\n")
    texts(index)
    index.path.unlink()
    assert texts(index) == ["one", "two"]
    assert index.status == "vanished"


def test_a_file_that_comes_later(tmp_path: Path) -> None:
    index = LogIndex(tmp_path / "log")
    assert texts(index) == []
    assert index.status == "missing"
    index.path.write_bytes(b"here\n")
    assert texts(index) == ["here"]


def test_what_is_no_file_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        index = LogIndex(path)
        assert texts(index) == []
        assert index.status == "refused"


LEVELS = [
    "ERROR 06-09 worker_base.py:581] RuntimeError",
    "Traceback (most recent call last):",
    "ValueError: bad",
    "KeyboardInterrupt",
    "E0612 12:00:00.1 rpc",
    "[E612 06:57:54 ProcessGroup] watchdog",
    "[rank0]:[E 612 06] x",
    "[Error]: The execution of the internal task times out",
    "EI0002: Notify register times out",
    "CUDA out of memory",
    "Segmentation fault",
    "*** SIGABRT received",
    "[F1234 12:00:00] x",
    "WARNING: something",
    "UserWarning: x",
    "Warning: x",
    "W0612 x",
    "[W compiler_depend.ts:487] Warning: NPU warning",
    "x W 612 33] y",
    "2026-01-02 WARN y",
    "INFO all is well",
    "DEBUG x",
    "FATAL z",
    "CRITICAL z",
]


def test_the_fast_filter_finds_every_error_and_warning(tmp_path: Path) -> None:
    prefixes = ["", "(TaskRunner pid=1) ", "\x1b[36m(WorkerDict pid=22)\x1b[0m "]
    lines = [prefix + text for prefix in prefixes for text in LEVELS]
    path = tmp_path / "log"
    for ending in ("\n", "\r\n"):
        path.write_bytes(ending.join(lines).encode() + ending.encode())
        reader = LogReader(path)
        reader.catch_up()
        levels = [level_of(line_text(reader.index, line)[0]) for line in range(len(lines))]
        assert list(reader.levels.errors) == [n for n, level in enumerate(levels) if level == "error"]
        assert list(reader.levels.severe) == [n for n, level in enumerate(levels) if level in {"error", "warning"}]
