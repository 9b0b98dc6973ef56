"""Hostile files: whatever `check` is given, it answers soon, in little memory, and says where the trouble is."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from files import VERL
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentic_rl_wizard.runner.catalogue import problem_codes, problem_text
from agentic_rl_wizard.runner.check import check_document
from agentic_rl_wizard.runner.check.run import MOST_OF_A_KIND
from agentic_rl_wizard.runner.cli.gather.facts_for import facts_for
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.document import Document, parse_document, read_document

MIB = 1 << 20
CPU_SECONDS = 2.0
MEMORY_MIB = 300


def filled(piece: str) -> str:
    """A text of one MiB, the piece over and over."""
    return piece * (MIB // len(piece.encode()))


def worst_texts() -> dict[str, str]:
    """One text for each way of being expensive that was found."""
    letters = "abcdefghijklmnop"
    bomb = "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise(letters))
    merges = "".join(f"k{i}: &k{i} {{<<: [*k{i - 1}, *k{i - 1}], x{i}: 1}}\n" for i in range(1, 2000))
    return {
        "one-line": "a: " + "b" * (MIB - 4),
        "one-word": "a" * MIB,
        "quote": 'a: "' + "b" * (MIB - 10),
        "brackets": "[" * MIB,
        "braces": filled("{a: "),
        "dashes": filled("- "),
        "list-of-dashes": filled("-\n"),
        "indentation": "\n".join(" " * i + "a:" for i in range(1400)),
        "tabs": filled("\t"),
        "tab-then-keys": "#\t\n" + "".join(f"k{i}: {i}\n" for i in range(60_000)),
        "many-keys": "".join(f"k{i}: {i}\n" for i in range(24_000)),
        "misspelt-keys": "".join(f"rollout_{i:x}: {i}\n" for i in range(24_000)),
        "misspelt-in-section": "verl:\n" + "".join(f"  train_batch_siz{i:x}: 1\n" for i in range(24_000)),
        "long-keys": "".join("x" * 1000 + f"{i}: 1\n" for i in range(1000)),
        "dotted-keys": "".join(f'"verl.k{i}": {i}\n' for i in range(24_000)),
        "native-keys": "".join(f"actor_rollout_ref.actor.x{i}: {i}\n" for i in range(20_000)),
        "same-key": filled("a: 1\n"),
        "tags": filled("!a b: c\n"),
        "anchors": "".join(f"k{i}: &a{i} {i}\n" for i in range(24_000)),
        "alias-bomb": "a: &a [x, x, x, x, x, x, x, x, x]\n" + bomb,
        "merge-bomb": "k0: &k0 {x: 1}\n" + merges,
        "carriage-returns": filled("a: b\r"),
        "base-sixty": "a: " + "1:" * 400_000 + "1",
        "digits": "lr: " + "9" * 900_000,
        "hexadecimal": "lr: 0x" + "f" * 900_000,
        "octal": "lr: 0" + "7" * 900_000,
        "escapes": 'a: "' + "\\x41" * 200_000 + '"',
        "block": "a: |\n" + "  x\n" * 250_000,
        "documents": filled("---\n"),
        "flow": "{" + ", ".join(f"k{i}: 1" for i in range(24_000)) + "}",
        "nul": "a: 1\n" + "\0" * 100_000,
    }


MEASURE = """
import json, sys, time
from pathlib import Path
from agentic_rl_wizard.runner.cli.main import main
import contextlib, io
answers = {}
for path in sorted(Path(sys.argv[1]).glob("*.yaml")):
    said = io.StringIO()
    started = time.process_time()
    with contextlib.redirect_stdout(said):
        code = main(["check", "--json", "--no-paths", str(path)])
    problems = json.loads(said.getvalue())["files"][0]["problems"]
    answers[path.stem] = (time.process_time() - started, code, problems[:400])
# Of this program alone: ru_maxrss also remembers the process that started it.
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(json.dumps([answers, int(peak.split()[1]) / 1024]))
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], float]:
    """Every worst text through the command, in a process of its own: CPU seconds, exit code, problems; peak in MiB."""
    folder = tmp_path_factory.mktemp("worst")
    for name, text in worst_texts().items():
        (folder / f"{name}.yaml").write_bytes(text.encode()[:MIB])
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(folder)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (120, 120)),
    )
    answers, peak = json.loads(done.stdout)
    return answers, peak


@pytest.mark.parametrize("name", worst_texts())
def test_a_worst_text_is_answered_soon(measured: tuple[dict[str, Any], float], name: str) -> None:
    seconds, code, problems = measured[0][name]
    assert seconds < CPU_SECONDS
    assert code in (0, 1)
    if name != "native-keys":  # of which nothing is wrong but that this shape is not checked
        assert code == 1
        assert problems
    assert len([p for p in problems if p["code"] == "unknown-key"]) <= MOST_OF_A_KIND


def test_the_worst_texts_together_need_little_memory(measured: tuple[dict[str, Any], float]) -> None:
    assert measured[1] < MEMORY_MIB


def test_endless_kinds_are_counted() -> None:
    text = VERL + "".join(f"zz{i}: 1\n" for i in range(1000))
    problems = [p for p in check_document(parse_document(text)) if p.code in ("unknown-key", "more-of-a-kind")]
    assert len(problems) == MOST_OF_A_KIND + 1
    last = problems[-1]
    assert (last.code, last.level, last.params["count"]) == ("more-of-a-kind", "error", 1000 - MOST_OF_A_KIND)
    assert last.line == VERL.count("\n") + MOST_OF_A_KIND + 1


# Mutations of a good file.

PIECES = [
    b"\t",
    b"\0",
    b"\xff",
    b"\r",
    b"&a ",
    b"*a",
    b"<<: *a",
    b"!x ",
    b"[",
    b"}",
    b"'",
    b'"',
    b"|",
    b">",
    b"%",
    b"@",
    b"---\n",
]
PIECES += [
    b": ",
    b"- ",
    b"\n",
    b"\n  ",
    b"#",
    b"\xef\xbb\xbf",
    b"\xc3",
    "é\u2028\u0085".encode(),
    b"? ",
    b"null",
    b"2026-13-45",
    b"1:1:1",
]
EDITS = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 30), st.sampled_from(PIECES) | st.binary(max_size=6)),
    max_size=6,
)
FILE_LEVEL = {"file-empty", "file-not-utf8", "required-missing"}


def judged(document: Document, base: Path) -> None:
    problems = check_document(document, facts_for(document, base, progress=lambda seen: seen < 5000))
    known = set(problem_codes())
    lines = len(document.text.splitlines()) + 2
    for problem in problems:
        assert problem.code in known
        assert 0 <= problem.line <= lines or problem.code == "file-not-utf8"
        assert problem_text(problem, "en").message
        assert problem_text(problem, "zh").message
    if not document.readable:
        assert any(p.level == "error" for p in problems)
        assert all(p.line > 0 or p.code in FILE_LEVEL for p in problems), problems


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS)
def test_mutated_files(tmp_path: Path, edits: list[tuple[int, int, bytes]]) -> None:
    data = VERL.encode()
    for position, length, piece in edits:
        data = data[:position] + piece + data[position + length :]
    path = tmp_path / "c.yaml"
    path.write_bytes(data)
    judged(read_document(path), tmp_path)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_random_bytes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "c.yaml"
    path.write_bytes(data)
    judged(read_document(path), tmp_path)


ODD_PATHS = st.text(st.sampled_from(list("a/.~\0\n \ud800é{}$*")), max_size=12)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ODD_PATHS)
def test_odd_paths_inside_a_file(tmp_path: Path, odd: str) -> None:
    document = parse_document(VERL)
    values = {**document.values, "tokenizer_name_or_path": odd, "agent_engine_wrapper_path": odd + "/x" * 3}
    judged(Document(tmp_path / "c.yaml", document.text, values, document.root), tmp_path)


# Things that are no files.


def place(tmp_path: Path, kind: str) -> str:
    path = tmp_path / "x.yaml"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            here = os.open(".", os.O_RDONLY)
            os.chdir(tmp_path)  # a socket's path must be short
            server.bind("x.yaml")
            os.fchdir(here)
            os.close(here)
    elif kind == "dangling":
        path.symlink_to(tmp_path / "nowhere")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "link-to-fifo":
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to(tmp_path / "pipe")
    elif kind == "directory":
        path.mkdir()
    elif kind == "below-a-file":
        (tmp_path / "f").write_text("a: 1")
        return str(tmp_path / "f" / "x.yaml")
    elif kind == "long":
        return str(tmp_path / ("x" * 300))
    elif kind == "nul":
        return f"{tmp_path}/a\0b"
    elif kind.startswith("/"):
        return kind
    return str(path)


SPECIAL = {
    "fifo": "file-special",
    "socket": "file-special",
    "link-to-fifo": "file-special",
    "/dev/zero": "file-special",
    "/dev/null": "file-special",
    "/dev/tty": "file-special",
    "dangling": "file-missing",
    "absent": "file-missing",
    "loop": "file-unreadable",
    "below-a-file": "file-unreadable",
    "long": "file-unreadable",
    "nul": "file-unreadable",
    "directory": "file-is-directory",
}


@pytest.mark.parametrize("kind", SPECIAL)
def test_what_is_no_file_is_a_problem_and_not_waited_for(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place(tmp_path, kind)
    assert main(["check", "--json", path]) == 2
    (entry,) = json.loads(capsys.readouterr().out)["files"]
    assert [p["code"] for p in entry["problems"]] == [SPECIAL[kind]]


@pytest.mark.parametrize(
    "kind", ["fifo", "socket", "dangling", "loop", "link-to-fifo", "/dev/zero", "long", "directory"]
)
def test_paths_that_lead_to_no_file(tmp_path: Path, kind: str) -> None:
    odd = place(tmp_path, kind)
    config = tmp_path / "c.yaml"
    config.write_text(VERL.replace("/m/model", odd).replace("/m/wrapper.py", odd).replace("/d/train.parquet", odd))
    assert main(["check", str(config)]) == 1  # and it comes back: nothing was waited for
    judged(read_document(config), tmp_path)


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_closed_directories(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "below").mkdir(parents=True)
    (closed / "c.yaml").write_text("a: 1")
    closed.chmod(0)
    try:
        assert read_document(closed / "c.yaml").problems[0].code == "file-unreadable"
        config = tmp_path / "c.yaml"
        config.write_text(VERL.replace("/m/model", str(closed)))
        assert "path-unreadable" in [
            p.code for p in check_document(read_document(config), facts_for(read_document(config), tmp_path))
        ]
    finally:
        closed.chmod(0o750)


def test_a_file_that_vanishes_after_the_first_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("a: 1")
    looked = Path.stat

    def look_and_remove(self: Path, **options: Any) -> os.stat_result:
        found = looked(self, **options)
        if self == path:
            os.unlink(path)
        return found

    monkeypatch.setattr(Path, "stat", look_and_remove)
    assert [p.code for p in read_document(path).problems] == ["file-missing"]


def test_a_pipe_that_takes_the_place_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("a: 1")
    looked = Path.stat

    def look_and_swap(self: Path, **options: Any) -> os.stat_result:
        found = looked(self, **options)
        if self == path:
            os.unlink(path)
            os.mkfifo(path)
        return found

    monkeypatch.setattr(Path, "stat", look_and_swap)
    assert [p.code for p in read_document(path).problems] == ["file-special"]
