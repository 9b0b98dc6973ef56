"""`--set` of plan and run: the file as if the values stood in it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.cli.launch.set_values import with_settings
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.cli.usage import UsageError
from agentic_rl_wizard.runner.document import parse_document

AGENT = "train_backend: verl\nrollout_n: 4  # group\nverl:\n  total_epochs: 1\n"
FACTORY = "af_output_dir: /out\nbackend_config:\n  trainer: {nnodes: 1}\n  data.train_batch_size: 8\n"
TREE = "trainer: {nnodes: 1}\ndata: {train_batch_size: 8}\n"


@pytest.mark.parametrize(
    ("text", "setting", "key", "value"),
    [
        (AGENT, "rollout_n=8", "rollout_n", 8),
        (AGENT, "total_epochs=3", "verl.total_epochs", 3),
        (AGENT, "verl.save_freq=5", "verl.save_freq", 5),
        (AGENT, "lr=1.0e-6", "lr", 1e-6),
        (AGENT, "kl_loss_coeff=0.1", "verl.kl_loss_coef", 0.1),
        (AGENT.replace("total_epochs: 1", "kl_loss_coeff: 1.0"), "kl_loss_coef=0.1", "verl.kl_loss_coeff", 0.1),
        (FACTORY, "trainer.nnodes=2", "backend_config.trainer.nnodes", 2),
        (FACTORY, "backend_config.trainer.nnodes=2", "backend_config.trainer.nnodes", 2),
        (FACTORY, "data.train_batch_size=16", "backend_config.data.train_batch_size", 16),
        (FACTORY, "trainer.save_freq=3", "backend_config.trainer.save_freq", 3),
        (FACTORY, "af_output_dir=/other", "af_output_dir", "/other"),
        (TREE, "trainer.logger=[console, file]", "trainer.logger", ["console", "file"]),
        (TREE, "data.shuffle=false", "data.shuffle", False),
    ],
)
def test_a_value_goes_to_its_place(text: str, setting: str, key: str, value: Any) -> None:
    assert with_settings(parse_document(text), (setting,), "en").get(key) == value


def test_the_rest_stays_and_the_last_wins() -> None:
    found = with_settings(parse_document(AGENT), ("rollout_n=8", "rollout_n=16"), "en")
    assert found.text == AGENT.replace("rollout_n: 4", "rollout_n: 16")
    document = parse_document(AGENT)
    assert with_settings(document, (), "en") is document


@pytest.mark.parametrize("setting", ["rollout_n", "=3", "lr=[1", "verl=3"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_can_not_be_set(setting: str, lang: Any) -> None:
    with pytest.raises(UsageError, match="--set"):
        with_settings(parse_document(AGENT), (setting,), lang)


def test_what_is_wrong_with_it_is_found_by_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(AGENT)
    plan = ["plan", str(path), "--local", "--python", sys.executable, "--lang", "en"]
    assert main([*plan, "--set", "rollout_n=-1"]) == 2
    assert "rollout_n" in capsys.readouterr().err
    assert main([*plan, "--set", "rolout_n=1"]) == 2
    assert "rollout_n" in capsys.readouterr().err
    assert main([*plan, "--set", "verl=1"]) == 2
    assert "agentic-rl plan: --set verl" in capsys.readouterr().err
    assert path.read_text() == AGENT
