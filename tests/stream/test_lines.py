import pytest

from agentic_rl_wizard.runner.stream import LineSplitter, clean_line, split_prefix


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"\x1b[36m(TaskRunnerV1 pid=7)\x1b[0m hello\r\n", "(TaskRunnerV1 pid=7) hello"),
        (b"[36m(TaskRunner pid=7)[0m hello", "(TaskRunner pid=7) hello"),
        ("\ufffd[36m(TaskRunner pid=7)\ufffd[0m hello".encode(), "(TaskRunner pid=7) hello"),
        (b"\x1b]0;evil title\x07text", "text"),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"\x1b]0;never ended", "0;never ended"),
        (b"\x1bPq#0;2;0\x1b\\sixel", "sixel"),
        (b"a\x00b\x07c\x08d\te", "abcd\te"),
        (b"\xff\xfe caf\xc3", "\ufffd\ufffd caf\ufffd"),
        ("训练 \u202eneil\u202c".encode(), "训练 neil"),
        ("\x9b31mred\x9b0m".encode(), "red"),
        (b"waits [30m or longer], array[36m]", "waits [30m or longer], array[36m]"),
        (b"", ""),
    ],
)
def test_a_line_becomes_text_that_is_safe_to_show(raw: bytes, shown: str) -> None:
    assert clean_line(raw) == shown
    assert clean_line(clean_line(raw)) == shown


@pytest.mark.parametrize(
    ("line", "name", "pid", "ip", "text", "times"),
    [
        ("(TaskRunnerV1 pid=12) hi", "TaskRunnerV1", 12, "", "hi", 1),
        ("(WorkerDict pid=12, ip=10.0.0.2) hi", "WorkerDict", 12, "10.0.0.2", "hi", 1),
        ("(pid=24898) hi", "", 24898, "", "hi", 1),
        ("(raylet) low on memory", "raylet", 0, "", "low on memory", 1),
        ("(W pid=1) x [repeated 3x across cluster]", "W", 1, "", "x", 3),
    ],
)
def test_the_prefix_of_ray(line: str, name: str, pid: int, ip: str, text: str, times: int) -> None:
    origin, rest, repeated = split_prefix(line)
    assert origin is not None
    assert (origin.name, origin.pid, origin.ip, rest, repeated) == (name, pid, ip, text, times)


@pytest.mark.parametrize("line", ["(see below) text", "('a', 1)", "()", "plain", "(1) first"])
def test_other_parentheses_are_text(line: str) -> None:
    assert split_prefix(line) == (None, line, 1)


def cut_in_pieces(data: bytes, size: int) -> list[bytes]:
    splitter = LineSplitter()
    lines: list[bytes] = []
    for start in range(0, len(data), size):
        lines += splitter.feed(data[start : start + size])
    return lines + splitter.close()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_lines_and_redrawn_bars_whatever_the_pieces(size: int) -> None:
    data = b"one\r\n\ntwo\n\rbar 1\rbar 2\r\nthree\rfour\n\nend"
    assert cut_in_pieces(data, size) == [b"one", b"", b"two", b"bar 1", b"bar 2", b"three", b"four", b"", b"end"]


def test_a_huge_line_is_cut_and_the_next_is_whole() -> None:
    splitter = LineSplitter(limit=1000)
    lines: list[bytes] = []
    for _ in range(10_000):
        lines += splitter.feed(b"x" * 1000)
    lines += splitter.feed(b"tail\nnext\n")
    assert [len(line) for line in lines] == [1000, 4]
    assert lines[-1] == b"next"


def test_a_reader_can_resume_at_the_start_of_the_open_line() -> None:
    data = b"one\ntwo\rthr"
    splitter = LineSplitter()
    for byte in data:
        splitter.feed(bytes([byte]))
    assert data[len(data) - splitter.open_bytes :] == b"thr"
