"""The quick start's directory: complete, loadable, with AgentSDK's modes; or not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from agentic_rl_inside.addition import split_sums
from agentic_rl_inside.quickstart import prepare


def command(inside: Path, out: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "agentic_rl_inside.quickstart", "--out", str(out), *options]


def environment(inside: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(inside)}


def test_model_and_tokenizer_load_from_one_folder(prepared: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(prepared / "model")
    model = AutoModelForCausalLM.from_pretrained(prepared / "model")
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": "47+5"}], tokenize=False, add_generation_prompt=True
    )
    assert text == "<|im_start|>user\n47+5<|im_end|>\n<|im_start|>assistant\n"
    assert len(tokenizer.encode(text, add_special_tokens=False)) == 12
    anything = "Été, 你好: 1+1!\n"
    assert tokenizer.decode(tokenizer.encode(anything, add_special_tokens=False)) == anything
    assert model.config.vocab_size == len(tokenizer)
    assert (
        model.generation_config.eos_token_id == tokenizer.eos_token_id == tokenizer.convert_tokens_to_ids("<|im_end|>")
    )


def test_data_files_hold_what_the_split_says(prepared: Path) -> None:
    training, held_out = split_sums(1)
    for name, sums in (("train", training), ("heldout", held_out)):
        rows = pyarrow.parquet.read_table(prepared / f"{name}.parquet").to_pylist()
        assert [row["prompt"] for row in rows] == [[{"role": "user", "content": s.question}] for s in sums]
        assert [row["reward_model"]["ground_truth"] for row in rows] == [s.right for s in sums]
        assert {row["extra_info"]["question"] for row in rows} == {s.question for s in sums}


def test_modes_are_exactly_what_agentsdk_demands(prepared: Path) -> None:
    for path in [prepared, *prepared.rglob("*")]:
        assert path.stat().st_mode & 0o7777 == (0o750 if path.is_dir() else 0o640), path
    assert [p for p in prepared.parent.iterdir() if p != prepared] == []


def test_a_second_call_does_nothing_and_another_seed_replaces(tmp_path: Path) -> None:
    said: list[dict[str, Any]] = []
    out = tmp_path / "qs"
    first = prepare(out, 0, said.append, steps=2)
    before = (out / "model" / "model.safetensors").stat().st_mtime_ns
    assert prepare(out, 0, said.append, steps=2) == first
    assert (out / "model" / "model.safetensors").stat().st_mtime_ns == before
    assert [m["reused"] for m in said if m["stage"] == "ready"] == [False, True]
    assert prepare(out, 5, said.append, steps=2)["settings"]["seed"] == 5
    (tmp_path / ".qs.partial-999999999-x").mkdir()  # of a process that was killed
    (tmp_path / f".qs.partial-{os.getpid()}-x").mkdir()  # of one that runs
    prepare(out, 6, said.append, steps=2)
    assert {p.name for p in tmp_path.iterdir()} == {"qs", f".qs.partial-{os.getpid()}-x"}


def test_somebody_elses_directory_is_left_alone(tmp_path: Path, inside: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    done = subprocess.run(
        command(inside, tmp_path), capture_output=True, text=True, env=environment(inside), check=False
    )
    assert done.returncode == 2
    assert "another directory" in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["precious.txt"]


def test_an_interruption_leaves_nothing_half_done(tmp_path: Path, inside: Path) -> None:
    child = subprocess.Popen(
        command(inside, tmp_path / "qs", "--json", "--steps", "100000"),
        stdout=subprocess.PIPE,
        text=True,
        env=environment(inside),
    )
    assert child.stdout
    for line in child.stdout:
        message = json.loads(line)
        if message["stage"] == "warm-up":
            break
    assert message.keys() == {"stage", "step", "of", "loss"}
    assert list(tmp_path.iterdir()) != []
    child.terminate()
    assert child.wait(20) == 130
    assert list(tmp_path.iterdir()) == []


def test_warm_up_copies_the_teacher(tokenizer: Any) -> None:
    """A few sums, a certain teacher: the model must come to answer as shown, the carry forgotten."""
    from agentic_rl_inside import warmup
    from agentic_rl_inside.addition import Sum
    from agentic_rl_inside.generation import Generator, Request
    from agentic_rl_inside.sampling import SamplingParams
    from agentic_rl_inside.tiny_model import build_model

    sums = [Sum(47, 5), Sum(58, 6), Sum(42, 5)]
    model = build_model(tokenizer, 0, hidden=32)
    losses: list[float] = []
    warmup.warm_up(model, tokenizer, sums, 0, lambda step, loss: losses.append(loss), steps=60)
    assert losses[-1] < losses[0]
    requests = [Request(warmup.prompt_tokens(tokenizer, s), SamplingParams(temperature=0), 4) for s in sums]
    out = Generator(model, frozenset([tokenizer.eos_token_id]), 0, 0).generate(requests)
    assert [tokenizer.decode(c.tokens, skip_special_tokens=True) for c in out] == ["42", "54", "47"]
    assert warmup.accuracy(model, tokenizer, sums, 0.0) == pytest.approx(1 / 3)
