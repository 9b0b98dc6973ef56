"""A file whose model and data are the quick start's own: they are made when it is run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue import render_template
from agentic_rl_wizard.runner.check import check_document, quick_data_folder
from agentic_rl_wizard.runner.cli.gather.facts_for import facts_for
from agentic_rl_wizard.runner.cli.launch import launch
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.cli.quickstart import data as quick_data
from agentic_rl_wizard.runner.document import parse_document, read_document

INSIDE = str(Path(__file__).resolve().parents[2] / "runner" / "inside")
if INSIDE not in sys.path:
    sys.path.insert(0, INSIDE)

TEXT = render_template("local-quickstart", "en")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "c.yaml"
    path.write_text(TEXT)
    return path


def codes(file: Path) -> dict[str, str]:
    document = read_document(file)
    problems = check_document(document, facts_for(document, file.parent, cache=False))
    return {p.key: f"{p.level} {p.code}" for p in problems if p.code.startswith("path")}


def test_what_is_made_at_the_start_is_a_hint(file: Path) -> None:
    assert set(codes(file).values()) == {"hint path-made-at-start"}
    assert set(codes(file)) == {"tokenizer_name_or_path", "verl.train_files", "verl.val_files"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tiny/train.parquet", "mine/train.parquet"),
        ("tiny/model", "tiny/other"),
        ("# agentic-rl: target=local", "# agentic-rl: target=verl"),
    ],
    ids=["own-data", "own-model", "not-on-this-cpu"],
)
def test_other_missing_paths_stay_errors(file: Path, old: str, new: str) -> None:
    assert old in TEXT
    file.write_text(TEXT.replace(old, new))
    assert "error path-missing" in codes(file).values() and "hint path-made-at-start" not in codes(file).values()


def test_half_of_it_is_an_error(file: Path) -> None:
    (file.parent / "tiny" / "model").mkdir(parents=True)
    assert codes(file)["verl.train_files"] == "error path-missing"


def test_the_folder_is_named_by_all_three() -> None:
    assert quick_data_folder(parse_document(TEXT)) == "tiny"
    assert quick_data_folder(parse_document(TEXT.replace("tiny/heldout", "other/heldout"))) is None
    assert quick_data_folder(parse_document("a: 1\n")) is None


def test_run_makes_it_beside_the_file_and_starts_only_then(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[Path] = []

    def make(out: Path, *_: object) -> int:
        made.append(out)
        return 3  # as when the training interpreter can't: nothing is started then

    monkeypatch.setattr(launch, "make_quick_data", make)
    assert main(["run", str(file), "--lang", "en"]) == 3
    assert made == [file.parent / "tiny"]
    assert not (file.parent / "runs").exists()
    assert "Traceback" not in capsys.readouterr().err


AGENT = render_template("local-agent", "en")


@pytest.fixture
def agent(file: Path) -> Path:
    file.write_text(AGENT)
    return file


def test_the_examples_wrapper_is_made_too(agent: Path) -> None:
    made = {"tokenizer_name_or_path", "verl.train_files", "verl.val_files", "agent_engine_wrapper_path"}
    assert set(codes(agent)) == made
    assert set(codes(agent).values()) == {"hint path-made-at-start"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("path: guess_the_number.py", "path: mine.py"),
        ("# agentic-rl: target=local", "# agentic-rl: target=verl"),
        ("game/heldout", "mine/heldout"),
    ],
    ids=["own-wrapper", "not-on-this-cpu", "own-data"],
)
def test_another_missing_wrapper_stays_an_error(agent: Path, old: str, new: str) -> None:
    assert old in AGENT
    agent.write_text(AGENT.replace(old, new))
    assert codes(agent)["agent_engine_wrapper_path"] == "error path-missing"


def test_run_writes_the_wrapper_in_the_persons_language_and_asks_for_the_games_data(
    agent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(launch, "make_quick_data", lambda *arguments: asked.append(arguments) or 3)
    assert main(["run", str(agent), "--lang", "zh"]) == 3
    (arguments,) = asked
    assert isinstance(arguments, tuple)
    assert (arguments[0], arguments[-1]) == (agent.parent / "game", "guess")
    wrapper = agent.parent / "guess_the_number.py"
    assert wrapper.stat().st_mode & 0o777 == 0o640
    assert "猜数字" in wrapper.read_text("utf-8")
    wrapper.write_text("# mine\n" + wrapper.read_text("utf-8"), "utf-8")
    assert "agent_engine_wrapper_path" not in codes(agent)
    assert main(["run", str(agent), "--lang", "en"]) == 3
    assert wrapper.read_text("utf-8").startswith("# mine\n")


def test_data_alone_is_not_made_anew_for_a_missing_wrapper(agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agentic_rl_inside.quickstart import prepare

    prepare(agent.parent / "game", 0, lambda _: None, steps=1, task="guess")
    asked: list[object] = []
    monkeypatch.setattr(launch, "make_quick_data", lambda *arguments: asked.append(arguments) or 3)
    monkeypatch.setattr(launch, "_start", lambda *_: None)
    assert main(["run", str(agent), "--lang", "en"]) == 3
    assert asked == []
    assert (agent.parent / "guess_the_number.py").is_file()


def test_an_interpreter_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = (tmp_path / "words").open("w")
    with words:
        assert quick_data.make_quick_data(tmp_path / "tiny", str(tmp_path / "python"), 0, "en", words) == 3
    assert "can't be started" in capsys.readouterr().err
    assert "Preparing the tiny model" in (tmp_path / "words").read_text()


def test_leaving_the_run_view_is_told_once(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from agentic_rl_wizard.runner.process.record import RunRecord

    record = RunRecord("run-1", str(file.parent), "p", "e", state="running")
    record.write()
    monkeypatch.setattr(launch, "missing_quick_data", lambda *_: None)
    monkeypatch.setattr(launch, "_start", lambda *_: record)
    monkeypatch.setattr(launch, "show_screen", lambda _arguments: print("attach run-1 (the screen)") or 0)
    assert main(["run", str(file), "--tui", "--lang", "en"]) == 0
    assert capsys.readouterr().out.count("attach run-1") == 1
