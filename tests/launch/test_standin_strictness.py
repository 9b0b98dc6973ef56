"""The stand-in refuses what the original refuses, in its words; what we write passes each of those checks."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml


def start(bench: Any, path: Path | str, **variables: str) -> tuple[int, str]:
    """agentic_rl on a file that is written by hand."""
    done = subprocess.run(
        [bench.environment.command("agentic_rl"), "--config-path", str(path)],
        capture_output=True, text=True, timeout=60, cwd=bench.root,
        env={"PATH": "/usr/bin:/bin", "HOME": str(bench.root), **variables},
    )  # fmt: skip
    return done.returncode, done.stderr


def good(bench: Any, backend: str = "verl") -> dict[str, Any]:
    changes = {"verl__total_training_steps": 1} if backend == "verl" else {}
    return yaml.safe_load(bench.agentsdk(backend, **changes).read_text())


def test_what_we_write_passes(bench: Any) -> None:
    plan = bench.plan(bench.agentsdk(verl__total_training_steps=1, lr=1e-6))
    handed = bench.file("handed.yaml", plan["files"]["resolved/c.yaml"])
    code, words = start(bench, handed, HCCL_CONNECT_TIMEOUT="1", ASCEND_HOME_PATH="/a")
    assert code == 0, words
    assert "environment kept: ASCEND_HOME_PATH HOME PATH" in words


CHANGES = [
    ("unknown", {"seq_len": 1}, "Extra inputs are not permitted"),
    ("unused-section", {"mindspeed_rl": {"seq_len": 1}}, "Extra inputs are not permitted"),
    ("exponent", {"lr": "1e-6"}, "Input should be a valid number"),
    ("bool-as-float", {"lr": True}, "Input should be a valid number"),
    ("float-as-int", {"rollout_n": 4.0}, "Input should be a valid integer"),
    ("text-as-int", {"rollout_n": "4"}, "Input should be a valid integer"),
    ("int-as-bool", {"enforce_eager": 1}, "Input should be a valid boolean"),
    ("number-as-text", {"agent_name": 7}, "Input should be a valid string"),
    ("null", {"rollout_n": None}, "Input should be a valid integer"),
    ("range", {"top_p": 1.5}, "should be in [0, 1]"),
    ("choice", {"dtype": "float32"}, "Input should be 'bfloat16' or 'float16'"),
    ("relative", {"tokenizer_name_or_path": "model"}, "Path is link"),
    ("missing-section", {"verl": None}, "verl config section is required"),
    ("backend", {"train_backend": "ppo"}, "is not supported"),
    ("nodes", {"num_node": 0}, "num_node should be greater or equal 1"),
]


@pytest.mark.parametrize(("change", "words"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_wrong_value(bench: Any, change: dict[str, Any], words: str) -> None:
    path = bench.file("wrong.yaml", yaml.safe_dump({**good(bench), **change}))
    code, said = start(bench, path)
    assert code == 1 and words in said


def test_a_wrong_file(bench: Any) -> None:
    values = yaml.safe_dump(good(bench))
    wrong = bench.file("wrong.yaml", values, 0o644)
    assert "it must be 640" in start(bench, wrong)[1]
    wrong.chmod(0o640)
    (bench.root / "link.yaml").symlink_to(wrong)
    assert "Path is link" in start(bench, bench.root / "link.yaml")[1]
    assert "Path is link" in start(bench, "wrong.yaml")[1]
    assert "exceed size" in start(bench, bench.file("big.yaml", values + "#" * (1 << 20)))[1]
    assert "illegal characters" in start(bench, bench.file("a b.yaml", values))[1]
    assert "not a dict" in start(bench, bench.file("list.yaml", "- 1\n"))[1]
    assert "yaml content" in start(bench, bench.file("bad.yaml", "a: [\n"))[1]
    (bench.root / "model" / "config.json").chmod(0o600)
    code, words = start(bench, wrong)
    assert code == 1 and "it must be 640" in words and "Training using verl failed with ray" in words


def test_help_is_an_error(bench: Any) -> None:
    for options in (["-h"], ["--help"], []):
        done = subprocess.run([bench.environment.command("agentic_rl"), *options], capture_output=True, text=True)
        assert done.returncode == 2 and "usage: agentic_rl --config-path CONFIG_PATH" in done.stderr


def test_a_umask_that_opens_the_weights_ends_the_training(bench: Any) -> None:
    path = bench.file("c.yaml", yaml.safe_dump(good(bench, "mindspeed_rl")))
    assert start(bench, path)[0] == 0
    (bench.root / "saved" / "stray").write_text("")
    (bench.root / "saved" / "stray").chmod(0o600)
    code, words = start(bench, path)
    assert code == 1 and "it must be 640" in words
