"""`agentic-rl check` as it is used: exit codes, lines, JSON, colours, hostile files."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.document import write_atomically

WRAPPER = """\
from agentic_rl import BaseEngineWrapper


class Wrapper(BaseEngineWrapper):
    def initialize(self):
        pass

    def generate_agent_trajectories_async(self, tasks):
        return [self.play(task) for task in tasks]
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which everything a file names is as agentic_rl wants it."""
    monkeypatch.delenv("AGENTIC_RL_PYTHON", raising=False)
    folder = Path(os.path.realpath(tmp_path)) / "place"
    (folder / "model").mkdir(parents=True)
    for directory in (folder, folder / "model"):
        directory.chmod(0o750)
    for name in ("model/config.json", "train.parquet", "test.parquet"):
        write_atomically(folder / name, "x")
    write_atomically(folder / "wrapper.py", WRAPPER)
    return folder


def config(place: Path, more: str = "", name: str = "c.yaml") -> Path:
    path = place / name
    text = f"""\
tokenizer_name_or_path: {place}/model
model_name: qwen2.5-7b
agent_name: math
agent_engine_wrapper_path: {place}/wrapper.py
train_backend: verl
num_gpus_per_node: 4
verl:
  train_files: {place}/train.parquet
  val_files: {place}/test.parquet
{more}"""
    write_atomically(path, text)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = main(["check", "--lang", "en", *map(str, arguments)])
    return code, capsys.readouterr().out


def run_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[dict[str, Any]]]:
    code, out = run(capsys, "--json", *arguments)
    return code, json.loads(out)["files"]


PROBE = """\
import json, sys
request = json.loads(sys.argv[2])
columns = ["prompt", "data_source", "reward_model.ground_truth", "extra_info.question", "extra_info.index"]
files = {p: {"format": "parquet", "columns": columns, "rows": 100} for p in request["paths"]}
files[[p for p in files if "train" in p][0]]["columns"] = ["question"]
print(json.dumps({"python": "3.11", "versions": {}, "missing": [], "files": files}))
"""


def interpreter(place: Path) -> Path:
    """A training interpreter of our own: it answers without any parquet reader."""
    script = place / "answer.py"
    script.write_text(PROBE)
    python = place / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
    python.chmod(0o755)
    return python


def test_a_good_file(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(place)
    code, out = run(capsys, path, "--no-paths")
    assert code == 0
    assert out == f"{path}: no problems (target agentsdk)\n"


def test_lines_of_the_report(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(place, "lr: 1e-6\nrollot_n: 2\n")
    code, out = run(capsys, path, "--no-paths")
    assert code == 1
    assert out.splitlines()[0] == f'{path}:10:5: error wrong-type: lr must be a number; "1e-6" is a text.'
    assert "    fix: Write it with both: 1.0e-6." in out
    assert f"{path}:11:1: error unknown-key: There is no parameter rollot_n." in out
    assert out.endswith(f"{path}: 2 errors (target agentsdk)\n")
    assert "\x1b" not in out


def test_json(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(place, "lr: 1e-6\n")
    code, files = run_json(capsys, path, "--no-paths")
    assert code == 1
    (entry,) = files
    assert (entry["file"], entry["target"], entry["ok"]) == (str(path), "agentsdk", False)
    (problem,) = entry["problems"]
    assert set(problem) == {"level", "code", "key", "line", "column", "message", "because", "fix"}
    assert (problem["level"], problem["code"], problem["key"]) == ("error", "wrong-type", "lr")
    assert (problem["line"], problem["column"]) == (10, 5)


def test_paths_are_looked_at(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(place)
    (place / "wrapper.py").chmod(0o644)
    (place / "model" / "config.json").chmod(0o600)
    (place / "test.parquet").unlink()
    code, (entry,) = run_json(capsys, path)
    assert code == 1
    assert [(p["code"], p["key"]) for p in entry["problems"] if not p["code"].startswith("data-")] == [
        ("path-tree-mode", "tokenizer_name_or_path"),
        ("path-mode", "agent_engine_wrapper_path"),
        ("path-missing", "verl.val_files"),
    ]
    assert run(capsys, path, "--no-paths")[0] == 0


def test_the_file_itself_must_have_mode_640(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(place)
    path.chmod(0o644)
    _, (entry,) = run_json(capsys, path)
    (problem,) = [p for p in entry["problems"] if p["code"] == "path-mode"]
    assert (problem["line"], problem["key"]) == (0, "")
    assert "must be exactly 640" in problem["message"]
    _, (entry,) = run_json(capsys, path, "--target", "local")
    assert "path-mode" not in [p["code"] for p in entry["problems"]]


def test_relative_paths_count_from_the_file(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "# agentic-rl: target=local\ntokenizer_name_or_path: model\nverl:\n"
    text += "  train_files: train.parquet\n  val_files: absent\n"
    write_atomically(place / "l.yaml", text)
    monkeypatch.chdir(place.parent)
    _, (entry,) = run_json(capsys, "place/l.yaml")
    found = [(p["code"], p["key"]) for p in entry["problems"] if p["code"].startswith("path")]
    assert found == [("path-missing", "verl.val_files")]


def test_data_through_the_training_interpreter(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (entry,) = run_json(capsys, config(place), "--python", interpreter(place))
    assert code == 1
    assert {(p["code"], p["key"]) for p in entry["problems"]} == {("data-column-missing", "verl.train_files")}
    assert "prompt" in entry["problems"][0]["message"]


def test_an_interpreter_without_a_reader_says_nothing_about_the_file(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from agentic_rl_wizard.runner.cli.gather import asking
    from agentic_rl_wizard.runner.facts import DataFacts, TrainingFacts

    def answer(python: str, paths: list[str], **_: object) -> TrainingFacts:
        files = {path: DataFacts(path, "parquet", error="pyarrow is needed to read it") for path in paths}
        return TrainingFacts(python, missing=("pyarrow",), files=files)

    monkeypatch.setattr(asking, "ask_python", answer)
    assert run_json(capsys, config(place)) == (0, [run_json(capsys, config(place), "--no-paths")[1][0]])


def test_an_interpreter_that_does_not_answer(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (entry,) = run_json(capsys, config(place), "--python", place / "absent")
    assert code == 0
    assert [(p["code"], p["level"]) for p in entry["problems"]] == [("python-missing", "warning")]


@pytest.mark.parametrize(
    ("content", "code", "exit_code", "line"),
    [
        (b"", "file-empty", 1, 0),
        (b"# " + b"x" * 2**21, "file-too-large", 1, 0),
        (b"a: 1\nb: \xff\n", "file-not-utf8", 1, 2),
        (b"lr: 1.0\n\tx: 1\n", "yaml-tab", 1, 2),
        (b"verl:\n\tx: 1\n", "yaml-tab", 1, 2),
        (b"a: 1\n--- \nb: 2\n", "yaml-multiple-documents", 1, 2),
        (b"a: [1\n", "yaml-syntax", 1, 2),
        (b"a: 1\x00\n", "yaml-syntax", 1, 1),
        (b"- a\n", "file-not-mapping", 1, 1),
        (b"[" * 100_000, "yaml-too-deep", 1, 1),
    ],
    ids=["empty", "large", "bytes", "tab", "tab-in-section", "documents", "open", "nul", "list", "deep"],
)
def test_bad_files(
    place: Path, capsys: pytest.CaptureFixture[str], content: bytes, code: str, exit_code: int, line: int
) -> None:
    path = place / "bad.yaml"
    path.write_bytes(content)
    returned, (entry,) = run_json(capsys, path)
    assert returned == exit_code
    assert [(p["code"], p["line"], p["level"]) for p in entry["problems"]] == [(code, line, "error")]


def test_files_that_cannot_be_read(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = config(place)
    code, files = run_json(capsys, place / "absent.yaml", place, good, "--no-paths")
    assert code == 2
    assert [p["code"] for entry in files for p in entry["problems"]] == ["file-missing", "file-is-directory"]
    assert files[2]["ok"]


def test_bom_and_crlf(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(place, "lr: 1e-6\n")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    _, (entry,) = run_json(capsys, path, "--no-paths")
    assert [(p["line"], p["column"]) for p in entry["problems"]] == [(10, 5)]


def test_strict_counts_warnings(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(place, "  kl_loss_coef: 0.5\n")
    assert run(capsys, path, "--no-paths")[0] == 0
    code, out = run(capsys, path, "--no-paths", "--strict")
    assert code == 1
    assert out.endswith("1 warning (target agentsdk)\n")


def test_several_files_have_a_total(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out = run(capsys, config(place), config(place, "x: 1\n", "d.yaml"), "--no-paths")
    assert out.splitlines()[-1] == "2 files: 1 error"


def test_chinese(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--lang", "zh", "--no-paths", str(config(place, "lr: 1e-6\n"))]) == 1
    out = capsys.readouterr().out
    assert "错误 wrong-type: lr 应为数值" in out
    assert "1 个错误（目标 agentsdk）" in out


def test_nothing_in_a_file_reaches_the_terminal_as_a_command(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(place, 'lr: "\\e[2J\\e]0;x\\a\\u202e"\n"k\\e[1m": 1\n', "a\x1b[31m.yaml")
    for arguments in ((path,), (path, "--json"), (path, "--json", "--lang", "zh")):
        _, out = run(capsys, *arguments, "--no-paths")
        assert "\x1b" not in out
        assert "\x07" not in out
        assert "\u202e" not in out


def test_colour_only_on_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from agentic_rl_wizard.runner.cli.check.report import wants_colour

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert wants_colour(Terminal())
    assert not wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(Terminal())


def test_usage(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["check"], ["check", "--target", "nowhere", "x"]):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 2
    capsys.readouterr()


def test_machine_profile(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = place / "m.yaml"
    profile.write_text("accelerator: npu\ndevices_per_node: 2\n")
    code, (entry,) = run_json(capsys, config(place), "--no-paths", "--machine", profile)
    assert code == 1
    assert [p["code"] for p in entry["problems"]] == ["devices-too-few"]
    profile.write_text("accelerator: abacus\n")
    assert run(capsys, config(place), "--machine", profile)[0] == 2
    assert run(capsys, config(place), "--machine", place / "absent")[0] == 2


@pytest.mark.parametrize("name", ["c.yaml", "./c.yaml", "../place/c.yaml"])
def test_a_file_named_by_a_relative_path_is_no_link(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    config(place)
    monkeypatch.chdir(place)
    code, out = run(capsys, name, "--python", place / "absent")
    assert code == 0, out
    (place / "link.yaml").symlink_to("c.yaml")
    assert "path-is-link" in run(capsys, "link.yaml", "--python", place / "absent")[1]


def test_data_that_nobody_can_read_here_is_no_error(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_atomically(place / "train.parquet", "PAR1....PAR1")
    write_atomically(place / "test.parquet", "PAR1....PAR1")
    script = place / "bare"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')  # without site-packages there is no pyarrow
    script.chmod(0o755)
    code, (entry,) = run_json(capsys, config(place), "--python", script)
    assert code == 0
    assert [(p["level"], p["code"]) for p in entry["problems"]] == [("hint", "data-not-read")] * 2
    assert "pyarrow" in entry["problems"][0]["because"]


def test_templates_are_clean_apart_from_their_paths(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for template in ("agentsdk-verl", "local-quickstart"):
        path = place / f"{template}.yaml"
        assert main(["new", template, "-o", str(path)]) == 0
        code, out = run(capsys, path, "--no-paths", "--strict")
        assert code == 0, out
        _, (entry,) = run_json(capsys, path)
        assert {p["code"] for p in entry["problems"] if p["level"] != "hint"} <= {"path-missing"}
