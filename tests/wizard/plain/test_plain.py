"""The plain twin: the same bytes as the form, a way back, dumb terminals, questionary's menus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from wizard_driving import TEXT

from agentic_rl_wizard.wizard import i18n, main
from agentic_rl_wizard.wizard.form.drafts import Draft, Drafts
from agentic_rl_wizard.wizard.form.opening import open_file
from agentic_rl_wizard.wizard.form.saving import save
from agentic_rl_wizard.wizard.plain.asker import Leave, LineAsker, QuestionaryAsker
from agentic_rl_wizard.wizard.plain.main import Plain

DOWN, ENTER = "\x1b[B", "\r"


class Script:
    """Gives prepared answers: to a menu an answer's id, to a line its text."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.said: list[str] = []
        self.asked: list[str] = []

    def choose(self, title: str, options: Sequence[tuple[str, str]], now: str = "") -> str:
        answer = self._next(title)
        assert answer in [one for one, _ in options], (title, answer, options)
        return answer

    def line(self, title: str, hint: str = "") -> str:
        return self._next(title)

    def say(self, text: str) -> None:
        self.said.append(text)

    def _next(self, title: str) -> str:
        self.asked.append(title)
        if not self.answers:
            raise Leave
        return self.answers.pop(0)


@pytest.fixture(autouse=True)
def _surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    before = i18n.language()
    i18n.set_language("en")
    yield
    i18n.set_language(before)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "c.yaml"
    path.write_text(TEXT)
    return path


def run(script: Script, path: Path | None, template: str = "", folder: Path | None = None) -> int:
    return Plain(script, Drafts(folder or Path("drafts"))).run(path, template)


SAMPLING = "section:sampling"  # asks max_tokens, top_k, top_p, min_p, temperature


def test_same_bytes_as_the_form(file: Path, tmp_path: Path) -> None:
    script = Script(SAMPLING, "", "25", "", "", "0.9", "section:optimizer", "3e-6", "", "", "", "", "save", "quit")
    assert run(script, file) == 0
    other = tmp_path / "other.yaml"
    other.write_text(TEXT)
    form = open_file(other).form
    assert form is not None
    for key, typed in (("top_k", "25"), ("temperature", "0.9"), ("lr", "3e-6")):
        form.type(next(one for one in form.parameters() if one.key == key), typed)
    save(form, other)
    assert file.read_bytes() == other.read_bytes() != TEXT.encode()


def test_back_returns_to_the_question_before(file: Path) -> None:
    script = Script(SAMPLING, "", "25", "<", "26", "", "", "", "save", "quit")
    run(script, file)
    assert "top_k: 26\n" in file.read_text()


def test_back_from_the_first_question_leaves_the_section(file: Path) -> None:
    script = Script(SAMPLING, "<", "quit")
    assert run(script, file) == 0 and not script.answers


def test_a_wrong_value_is_asked_for_again(file: Path) -> None:
    script = Script(SAMPLING, "", "many", "25", "", "", "", "save", "quit")
    run(script, file)
    assert any("top_k must be" in text for text in script.said)
    assert "top_k: 25\n" in file.read_text()


def test_default_help_and_choices(file: Path) -> None:
    model = ["section:model", "", "qwen3-8b", "...", "verl", "true"]
    script = Script(SAMPLING, "", "?", "=", "", "", "", *model, "save", "quit")
    run(script, file)
    text = file.read_text()
    assert "top_k" not in text and "model_name: qwen3-8b" in text
    assert "trust_remote_code: true" in text
    assert any("most probable" in said for said in script.said)


def test_undo_and_redo(file: Path) -> None:
    script = Script(SAMPLING, "", "25", "", "", "", "undo", "undo", "redo", "undo", "save", "quit")
    run(script, file)
    assert file.read_text() == TEXT


def test_find_and_problems_lead_to_a_field(file: Path) -> None:
    script = Script("find", "温度", "temperature", "0.5", "problems", "<", "diff", "preview", "save", "quit")
    run(script, file)
    assert "temperature: 0.5\n" in file.read_text()


def test_template_and_name(tmp_path: Path) -> None:
    assert run(Script("template:agentsdk-verl", "save", "", "quit"), None) == 0
    assert (tmp_path / "agentsdk-verl.yaml").stat().st_mode & 0o777 == 0o640


def test_conflict_is_asked_about(file: Path) -> None:
    class Meddling(Script):
        def say(self, text: str) -> None:
            super().say(text)
            if "Sampling" in text:
                file.write_text("theirs: 1\n")

    run(Meddling(SAMPLING, "", "25", "", "", "", "save", "overwrite", "quit"), file)
    assert "top_k: 25" in file.read_text()
    assert file.with_name("c.yaml.bak-1").read_text() == "theirs: 1\n"


def test_leaving_keeps_a_draft_which_is_offered(file: Path, tmp_path: Path) -> None:
    run(Script(SAMPLING, "", "25"), file)
    [kept] = (tmp_path / "drafts").glob("*.json")
    kept.write_text(kept.read_text().replace('"pid": ', '"pid": 4194', 1))
    run(Script("restore", "save", "quit"), file)
    assert "top_k: 25" in file.read_text() and not list((tmp_path / "drafts").glob("*.json"))


def test_draft_from_the_first_menu(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts")
    kept = drafts.write(Draft("train_backend: verl\n", "", template="agentsdk-verl", pid=2**22 + 7))
    run(Script(f"draft:{kept.id}", "save", "d.yaml", "quit"), None)
    assert (tmp_path / "d.yaml").read_text() == "train_backend: verl\n"


def test_missing_file_is_told(tmp_path: Path) -> None:
    script = Script()
    assert run(script, tmp_path / "none.yaml") == 2
    assert "none.yaml" in script.said[0]


def test_lines_on_a_dumb_terminal(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    form = open_file(file).form
    assert form is not None
    ids = [section.id for section in form.sections]
    number = str(ids.index("sampling") + 1)
    save_number = str(len(ids) + 7)
    answers = iter(["99", "x", number, "", "\x1b[31m7", "7", "", "", "", save_number])

    def typed(prompt: str) -> str:
        print(prompt)
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)
    assert Plain(LineAsker(), Drafts(Path("drafts"))).run(file, "") == 0
    assert "top_k: 7\n" in file.read_text()
    assert "\x1b" not in capsys.readouterr().out


def test_questionary_menu_and_line(file: Path) -> None:
    with create_pipe_input() as keys:
        asker = QuestionaryAsker(input=keys, output=DummyOutput())
        keys.send_text(DOWN + ENTER)
        assert asker.choose("which", [("a", "A"), ("b", "[red]B")]) == "b"
        keys.send_text(ENTER)
        assert asker.choose("which", [("a", "A"), ("b", "B")], now="b") == "b"
        keys.send_text("0.5" + ENTER)
        assert asker.line("value") == "0.5"
        keys.send_text("\x03")
        with pytest.raises(Leave):
            asker.line("value")


def test_whole_session_with_questionary_gives_the_same_bytes(file: Path) -> None:
    form = open_file(file).form
    assert form is not None
    place = [section.id for section in form.sections].index("sampling")
    with create_pipe_input() as keys:
        plain = Plain(QuestionaryAsker(input=keys, output=DummyOutput()), Drafts(Path("drafts")))
        keys.send_text(DOWN * place + ENTER)
        keys.send_text(ENTER + "25" + ENTER + "<" + ENTER + "26" + ENTER + ENTER * 3)
        keys.send_text("\x1b[A" * 4 + ENTER)  # quit, language, run, save: from the end upwards
        keys.send_text("\x1b[A" + ENTER)
        assert plain.run(file, "") == 0
    assert file.read_text() == TEXT.replace("top_k: 10", "top_k: 26")


def test_no_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    for argv in ([], ["--plain"], ["x.yaml"]):
        assert main.main(argv) == 2
        assert "needs a terminal" in capsys.readouterr().err


def test_dumb_terminal_is_asked_plainly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    asked: list[object] = []
    monkeypatch.setattr(main, "_plain", lambda path, template: asked.append((path, template)) or 0)
    assert main.main(["c.yaml", "--template", "t"]) == 0
    assert asked == [(Path("c.yaml"), "t")]
    assert "line by line" in capsys.readouterr().err


def test_ascendfactory_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    text = "af_output_dir: /out\nbackend_config:\n  algorithm:\n    adv_estimator: grpo\n  trainer.nnodes: 1\n"
    path.write_text(text)
    script = Script("find", "nnodes", "backend_config.trainer.nnodes", "2", "save", "quit")
    assert run(script, path) == 0
    assert path.read_text() == text.replace("nnodes: 1", "nnodes: 2")


def test_launch_script_is_imported_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("#!/bin/sh\npython3 -m verl.trainer.main_ppo trainer.nnodes=3 data.x=$NOBODY\n")
    script = Script("file", "run.sh", "save", "", "quit")
    assert run(script, None) == 0
    assert any("NOBODY" in said for said in script.said)
    assert "nnodes: 3" in (tmp_path / "run.yaml").read_text()
