"""`agentic-rl check` on files of MindSpeed-RL: target, version, exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.cli.main import main

GOOD = """\
megatron_training: {model: qwen25_7b, stage: ray_grpo, global_batch_size: 32, seq_length: 2048}
actor_config: {micro_batch_size: 4, tensor_model_parallel_size: 2, pipeline_model_parallel_size: 2}
rl_config:
  n_samples_per_prompt: 8
  use_remove_padding: false
  actor_resource: {num_npus: 16}
generate_config: {infer_tensor_parallel_size: 1, max_model_len: 4096}
"""


def check(capsys: pytest.CaptureFixture[str], path: Path, *options: str) -> tuple[int, dict[str, object]]:
    code = main(["check", "--json", *options, str(path)])
    return code, json.loads(capsys.readouterr().out)["files"][0]


def test_the_target_is_told_by_shape_option_and_directive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.yaml"
    for text in (GOOD, "# agentic-rl: target=mindspeed-rl\n" + GOOD):
        path.write_text(text)
        for options in ((), ("--target", "mindspeed-rl")):
            code, report = check(capsys, path, *options)
            assert (code, report["target"], report["problems"]) == (0, "mindspeed-rl", [])


def test_the_version_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        GOOD.replace("padding: false", "padding: true").replace("pipeline_model_parallel_size: 2", "lr: 1e-6")
    )
    for version, other in (("2.2.0", "reset_position_ids"), ("2.3.0", "reset_attention_mask")):
        code, report = check(capsys, path, "--backend-version", version)
        (problem,) = report["problems"]  # type: ignore[misc]
        assert (code, problem["code"]) == (1, "remove-padding-needs")
        assert other in problem["message"]


def test_a_run_refuses_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(GOOD)
    assert main(["plan", "--lang", "en", str(path)]) == 3
    assert "backend-absent: mindspeed-rl" in "".join(capsys.readouterr())
