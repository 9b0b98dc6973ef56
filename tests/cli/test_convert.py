"""`agentic-rl convert` as it is used."""

import json
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.cli.main import main

SCRIPT = """python3 -m verl.trainer.main_ppo data.train_files=$HOME/t.parquet trainer.nnodes=2 \\
    actor_rollout_ref.rollout.n=8 trainer.default_local_dir=${CKPT} extra=1
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "run.sh"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def test_a_script_becomes_an_ascendfactory_file(script, tmp_path, capsys):
    target = tmp_path / "af.yaml"
    assert main(["convert", str(script), "--to", "ascendfactory", "-o", str(target), "--lang", "en"]) == 0
    text = target.read_text(encoding="utf-8")
    assert "  trainer:\n    nnodes: 2\n" in text
    assert target.stat().st_mode & 0o777 == 0o640
    said = capsys.readouterr().err
    assert "still to be set (1): af_output_dir" in said and "CKPT" in said


def test_the_report_names_what_agentsdk_can_not_express(script, capsys):
    assert main(["convert", str(script), "--to", "agentsdk", "--lang", "zh"]) == 0
    out, said = capsys.readouterr()
    assert "# agentic-rl: keep trainer.default_local_dir=" in out
    assert "AgentSDK 没有对应参数（2 个）：trainer.default_local_dir、extra" in said


def test_json_holds_text_and_report(script, capsys):
    assert main(["convert", str(script), "--to", "verl-overrides", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "actor_rollout_ref.rollout.n=8" in answer["text"] and answer["noted"] == {"extra": "undeclared"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "holds no parameter"),
        (b"#!/bin/sh\necho hello\n", "no command that starts verl"),
        (b"trainer: [1\n", "broken.yaml:"),
        (b"\xff\xfe\x00", "broken.yaml"),
        (b"train_backend: mindspeed_rl\nlr: 1.0e-6\n", "MindSpeed-RL"),
        (b"- 1\n- 2\n", "broken.yaml"),
    ],
    ids=["empty", "other-script", "syntax", "bytes", "mindspeed", "list"],
)
def test_what_can_not_be_converted_is_said(content, said, tmp_path, capsys):
    path = tmp_path / "broken.yaml"
    path.write_bytes(content)
    assert main(["convert", str(path), "--to", "verl", "--lang", "en"]) == 2
    answer = capsys.readouterr().err
    assert said in answer and "Traceback" not in answer


def test_a_file_is_not_overwritten_unasked(script, tmp_path, capsys):
    target = tmp_path / "x.yaml"
    target.write_text("mine\n", encoding="utf-8")
    assert main(["convert", str(script), "--to", "verl", "-o", str(target)]) == 2
    assert target.read_text(encoding="utf-8") == "mine\n"
    assert main(["convert", str(script), "--to", "verl", "-o", str(target), "--force"]) == 0
    assert "nnodes: 2" in target.read_text(encoding="utf-8")
    capsys.readouterr()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_fine_tuning_is_another_trainer(tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str) -> None:
    path = tmp_path / "sft.sh"
    path.write_text(
        "nproc=8\ntorchrun --nproc_per_node=$nproc \\\n  -m verl.trainer.sft_trainer data.train_files=/d/a.parquet\n"
    )
    assert main(["convert", str(path), "--to", "ascendfactory", "-o", "-", "--lang", lang]) == 2
    assert f"{path}:2" in (said := capsys.readouterr().err)
    assert "verl.trainer.sft_trainer" in said
