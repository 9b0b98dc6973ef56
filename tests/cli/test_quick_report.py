"""The closing lines of the agent quick start: from the run's own rows, and nothing where there are none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.cli.quickstart.report import report_games
from agentic_rl_wizard.runner.process.record import METRICS, RunRecord

WON = "val-aux/agentic_rl/guess/traj_res_reward/mean@1"
Rows = list[tuple[int, Mapping[str, float]]]


def told(folder: Path, capsys: pytest.CaptureFixture[str], rows: Rows, lang: str) -> str:
    record = RunRecord("run-1", str(folder / "run"), "p", "e", state="finished")
    record.write()
    lines = [json.dumps({"step": step, "time": 0.0, "data": data, "source": "file"}) for step, data in rows]
    (folder / "run" / METRICS).write_text("\n".join(lines) + "\n")
    (folder / "game").mkdir(exist_ok=True)
    (folder / "game" / "quickstart.json").write_text('{"held_out_prompts": 139}')
    report_games(record, folder / "game", folder / "agent.yaml", lang)
    return capsys.readouterr().out


def rows(steps: int) -> Rows:
    found: Rows = [(0, {WON: 0.5})]
    for step in range(1, steps + 1):
        found.append((step, {"traj/steps_mean": 4 - step / steps, "traj/toolcall_reward_mean": step / steps}))
    return [*found, (steps, {WON: 0.875})]


@pytest.mark.parametrize(
    ("lang", "turns", "won"),
    [
        (
            "en",
            "Turns a game: 3.70 (first 5 steps) -> 3.20 (last 5 steps)",
            "0.500 before training, 0.875 after 10 steps (139",
        ),
        ("zh", "每局轮数：3.70（前 5 步）-> 3.20（后 5 步）", "训练前 0.500，第 10 步后 0.875"),
    ],
    ids=["en", "zh"],
)
def test_before_and_after(tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, turns: str, won: str) -> None:
    (tmp_path / "run").mkdir()
    text = told(tmp_path, capsys, rows(10), lang)
    assert turns in text
    assert won in text
    assert "139" in text
    assert "30% -> 80%" in text
    assert "guess_the_number.py" in text


def test_a_run_without_a_second_validation_claims_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run").mkdir()
    text = told(tmp_path, capsys, rows(10)[:-1], "en")
    assert "Turns a game" in text
    assert "won" not in text
    assert "Turns" not in told(tmp_path, capsys, [(0, {WON: 0.5})], "en")
