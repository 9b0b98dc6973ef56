"""`agentic-rl agent check`, and the same verdicts in `check` and the wizard."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from wrappers import GOOD, wrong

from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.wizard.form.checker import Checker

CONFIG = """\
tokenizer_name_or_path: /m/model
model_name: qwen2.5-7b
agent_name: math
agent_engine_wrapper_path: {path}
train_backend: verl
num_gpus_per_node: 4
verl:
  train_files: /d/train.parquet
  val_files: /d/test.parquet
"""


@pytest.fixture(autouse=True)
def _no_named_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AGENTIC_RL_PYTHON", raising=False)


def wrapper(tmp_path: Path, text: str, name: str = "sums.py") -> Path:
    path = Path(os.path.realpath(tmp_path)) / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o640)
    return path


def test_a_good_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agent", "check", str(wrapper(tmp_path, GOOD)), "--lang", "en"]) == 0
    assert capsys.readouterr().out == "Nothing wrong was found.\n"


@pytest.mark.parametrize(("lang", "word"), [("en", "is async def"), ("zh", "应为普通的 def")])
def test_a_wrong_one(tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, word: str) -> None:
    path = wrapper(tmp_path, wrong("async"))
    assert main(["agent", "check", str(path), "--lang", lang]) == 1
    out = capsys.readouterr().out
    assert f"{path}:20:1:" in out
    assert word in out


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agent", "check", str(wrapper(tmp_path, wrong("reward-bool"))), "--json", "--lang", "en"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] is False
    assert [(p["level"], p["code"], p["line"]) for p in answer["problems"]] == [
        ("error", "wrapper-trajectory-value", 41)
    ]


def test_modules_are_looked_for_in_the_named_interpreter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "near_kit.py").write_text("raise SystemExit('imported')\n")
    path = wrapper(tmp_path, "import no_such_kit\nimport near_kit\n" + GOOD)
    assert main(["agent", "check", str(path), "--lang", "en"]) == 0
    capsys.readouterr()
    assert main(["agent", "check", str(path), "--python", sys.executable, "--json", "--lang", "en"]) == 1
    codes = [p["code"] for p in json.loads(capsys.readouterr().out)["problems"]]
    assert codes == ["wrapper-module-missing", "wrapper-module-beside"]


@pytest.mark.parametrize(
    ("name", "code"), [("gone.py", "wrapper-missing"), ("", "wrapper-unreadable")], ids=["missing", "folder"]
)
def test_what_can_not_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, code: str) -> None:
    assert main(["agent", "check", str(tmp_path / name), "--lang", "en"]) == 2
    assert code in capsys.readouterr().out


def test_hostile_text_stays_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace("trajectory_reward=", '**{"\\x1b]0;evil\\x07[red]": 1}, trajectory_reward=')
    assert main(["agent", "check", str(wrapper(tmp_path, text)), "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "[red]" in out


def test_the_configuration_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = wrapper(tmp_path, wrong("async"))
    config = path.with_name("c.yaml")
    config.write_text(CONFIG.format(path=path))
    assert main(["check", "--json", "--lang", "en", str(config)]) == 1
    (file,) = json.loads(capsys.readouterr().out)["files"]
    (told,) = [p for p in file["problems"] if p["code"] == "wrapper-async"]
    assert (told["level"], told["key"], told["line"]) == ("error", "agent_engine_wrapper_path", 4)
    assert "sums.py:20" in told["message"]


def test_the_wizard_says_it_at_the_field(tmp_path: Path) -> None:
    path = wrapper(tmp_path, wrong("async"))
    text = CONFIG.format(path=path)
    checker = Checker()
    told = [p for p in checker.check(parse_document(text)) if p.code == "wrapper-async"]
    assert [p.key for p in told] == ["agent_engine_wrapper_path"]
    path.write_text(GOOD)
    checker.forget()
    assert not [p for p in checker.check(parse_document(text)) if p.code.startswith("wrapper")]


def test_the_group_needs_a_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["agent"])
    assert ended.value.code == 2
    assert "check" in capsys.readouterr().err
