"""`agentic-rl rollouts`: what a person or a script reads of a run's trajectories."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "stream"))

from dumps import bridge_row, verl_row, write

from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.cli.rollouts.texts import TEXTS
from agentic_rl_wizard.runner.process.record import PLAN, RunRecord
from agentic_rl_wizard.runner.process.rollout_places import rollout_places


@pytest.fixture(autouse=True)
def english(monkeypatch, tmp_path):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def run_at(directory: Path, argv=(), **more) -> RunRecord:
    directory.mkdir(parents=True)
    record = RunRecord(id=f"id-{directory.name}", directory=str(directory), project="p", experiment="e",
                       state="finished", backend="verl", **more)  # fmt: skip
    record.write()
    (directory / PLAN).write_text(json.dumps({"argv": ["python", *argv]}))
    return record


def test_the_newest_step_as_a_table(tmp_path, capsys):
    write(tmp_path / "1.jsonl", verl_row(1))
    write(tmp_path / "2.jsonl", verl_row(2), verl_row(2, score=0.0), "{broken")
    assert main(["rollouts", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("step 2: 2 trajectories, 1 group, reward 0.5 (0 to 1), 50% solved")
    assert lines[2].split()[:6] == ["0", "1", "1", "✓", "2", "1"]
    assert "It is between 1 and 9. → It is 7." in lines[2]
    assert "can't be read" in lines[4]
    assert max(map(len, lines[1:])) <= 100


def test_sorted_limited_and_chosen(tmp_path, capsys):
    write(tmp_path / "1.jsonl", *[verl_row(1, score=score, output=f"said {score}") for score in (0.0, 1.0, 0.25)])
    assert main(["rollouts", str(tmp_path), "--sort", "reward", "--limit", "1"]) == 0
    shown = capsys.readouterr()
    assert "said 1.0" in shown.out
    assert "said 0.25" not in shown.out
    assert "2 more" in shown.err
    assert main(["rollouts", str(tmp_path), "--only", "failed", "--grep", "said 0.25"]) == 0
    assert "said 0.0" not in capsys.readouterr().out
    assert main(["rollouts", str(tmp_path), "--grep", "nobody said it"]) == 1


def test_one_trajectory_turn_by_turn(tmp_path, capsys):
    write(tmp_path / "trajectories-0.jsonl", bridge_row(4))
    assert main(["rollouts", str(tmp_path), "--index", "0"]) == 0
    out = capsys.readouterr().out
    assert "reward: 1.5 (res_reward 1, toolcall_reward 0.5)" in out
    assert "model 3 s, tools 1 s, reward 0.1 s, together 4.2 s" in out
    assert out.index("[user]") < out.index("[assistant · model]") < out.index("[tool]")
    assert main(["rollouts", str(tmp_path), "--index", "7"]) == 1


def test_json_is_one_object_a_line_without_nan(tmp_path, capsys):
    write(tmp_path / "1.jsonl", '{"input": "a", "output": "b", "score": NaN, "acc": Infinity}', bridge_row(1))
    assert main(["rollouts", str(tmp_path), "--json", "--full"]) == 0
    first, second = [json.loads(line, parse_constant=pytest.fail) for line in capsys.readouterr().out.splitlines()]
    assert first["reward"] is None
    assert first["parts"] == {"acc": None}
    assert (second["turns"], second["tool_time_s"], second["total_time_s"]) == (2, 1.0, 4.2)
    assert [one["model"] for one in second["messages"]] == [False, True, False, True]


def test_escape_codes_and_secrets_are_not_printed(tmp_path, capsys):
    said = "\x1b[31mapi_key=sk-123456 \x9b2J\x00 done"
    asked = "user\nhi\x1b]0;title\x07\nassistant\n"
    write(tmp_path / "1.jsonl", verl_row(1, input=asked, output=said, note="token: abcdef", password="hunter2"))
    for arguments in ([], ["--full"], ["--json", "--full"]):
        assert main(["rollouts", str(tmp_path), *arguments]) == 0
        out = capsys.readouterr().out
        assert "\x1b" not in out
        assert "\x9b" not in out
        assert "sk-123456" not in out
        assert "abcdef" not in out
        assert "hunter2" not in out
        assert "***" in out


def test_a_run_joins_its_attempts_and_the_folders_its_plan_names(tmp_path, capsys):
    elsewhere = tmp_path / "else where"
    first = run_at(tmp_path / "one")
    write(tmp_path / "one" / "rollouts" / "1.jsonl", verl_row(1))
    argv = [f"trainer.rollout_data_dir='{elsewhere}'", "trainer.validation_data_dir=checks", "trainer.x=1"]
    second = run_at(tmp_path / "two", argv, previous=first.directory)
    write(elsewhere / "2.jsonl", verl_row(2))
    write(tmp_path / "two" / "checks" / "2.jsonl", verl_row(2, score=0.0))
    assert [len(places) for places in rollout_places(second)] == [1, 3]
    assert main(["rollouts", str(tmp_path / "two"), "--steps"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["1", "2", "2"]
    assert "validation" in lines[3]
    assert main(["rollouts", str(tmp_path / "two"), "--validation"]) == 0
    assert "step 2: validation, 1 trajectory" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "more", "words"),
    [
        (["trainer.rollout_data_dir=x"], {}, "ended before"),
        ([], {}, "trainer.rollout_data_dir is set"),
        ([], {"backend": "mindspeed-rl"}, "mindspeed-rl writes none"),
    ],
    ids=["ended", "not-asked", "back-end"],
)
def test_why_there_are_none(argv, more, words, tmp_path, capsys):
    record = run_at(tmp_path / "one", argv)
    for name, value in more.items():
        setattr(record, name, value)
    record.write()
    assert main(["rollouts", str(tmp_path / "one")]) == 1
    assert words in capsys.readouterr().err


def test_wrong_references_and_steps(tmp_path, capsys):
    assert main(["rollouts", str(tmp_path / "nothing")]) == 2
    write(tmp_path / "dumps" / "1.jsonl", verl_row(1))
    write(tmp_path / "dumps" / "2.jsonl", verl_row(2))
    write(tmp_path / "dumps" / "5.jsonl", verl_row(5))
    assert main(["rollouts", str(tmp_path / "dumps"), "--step", "3"]) == 1
    assert "1–2, 5" in capsys.readouterr().err
    assert main(["rollouts", str(tmp_path / "dumps" / "5.jsonl"), "--lang", "zh"]) == 0
    assert "第 5 步" in capsys.readouterr().out


def test_both_languages_have_the_same_places():
    for key, words in TEXTS.items():
        places = [
            sorted(part.split("}")[0].split(":")[0] for part in words[lang].split("{")[1:]) for lang in ("en", "zh")
        ]
        assert places[0] == places[1], key
