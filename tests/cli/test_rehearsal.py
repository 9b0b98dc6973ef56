"""When a file is rehearsed, and what a rehearsal says about the file."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agentic_rl_wizard.runner.catalogue import problem_text, render_template
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.cli.rehearsal.findings import findings
from agentic_rl_wizard.runner.cli.rehearsal.rehearsal_for import rehearsal_for
from agentic_rl_wizard.runner.cli.rehearsal.traces import Traces, traces_of
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts.training import DataFacts, TrainingFacts
from agentic_rl_wizard.runner.process.record import RunRecord

AGENTSDK = """train_backend: verl
tokenizer_name_or_path: NAME
max_prompt_length: 64
verl:
  train_files: t.parquet
  max_response_length: 64
"""
NATIVE = """backend_config:
  data: {train_files: t.parquet, max_prompt_length: 64}
  reward: {custom_reward_function: {path: /r/score.py}}
  actor_rollout_ref: {model: {path: NAME}}
af_output_dir: out
"""
TINY = {"model_type": "qwen2", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 4, "intermediate_size": 256, "vocab_size": 300}  # fmt: skip
LARGE = {**TINY, "hidden_size": 3584, "num_hidden_layers": 28, "intermediate_size": 18944, "vocab_size": 152064}


def model(folder: Path, config: dict[str, Any], *names: str) -> str:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config))
    for name in names:
        (folder / name).write_text("x")
    return str(folder)


def stand_in(text: str, tmp_path: Path):
    training = TrainingFacts("python", files={"t": DataFacts("t", rows=9, prompt_bytes=321)})
    return rehearsal_for(parse_document(text), tmp_path, tmp_path, training, "t")


@pytest.mark.parametrize("text", [AGENTSDK, NATIVE], ids=["agentsdk", "native"])
def test_a_tiny_model_that_is_here_is_trained_as_it_is(text, tmp_path):
    here = model(tmp_path / "m", TINY, "model.safetensors", "tokenizer.json")
    assert stand_in(text.replace("NAME", here), tmp_path) is None


@pytest.mark.parametrize("text", [AGENTSDK, NATIVE], ids=["agentsdk", "native"])
@pytest.mark.parametrize(
    ("config", "files", "own"),
    [
        (LARGE, ("model.safetensors", "tokenizer.json"), True),
        (LARGE, ("model.safetensors",), False),
        (TINY, ("tokenizer.json",), True),
    ],
    ids=["large", "no-tokenizer", "no-weights"],
)
def test_a_stand_in_for_a_model_a_cpu_cannot_train(text, config, files, own, tmp_path):
    found = stand_in(text.replace("NAME", model(tmp_path / "m", config, *files)), tmp_path)
    assert found is not None
    assert found.own_tokenizer is own
    assert found.vocabulary == (config["vocab_size"] if own else 300)
    assert found.prompt_bytes == 321
    assert found.folder.parent == tmp_path / ".agentic-rl" / "rehearsal"


@pytest.mark.parametrize(
    ("name", "family"),
    [("/gone/Qwen3-30B-A3B", "qwen3_moe"), ("Qwen/Qwen2.5-7B", "qwen2"), ("/gone/ours-v3", "")],
    ids=["folder", "hub", "unknown"],
)
def test_the_family_of_a_model_elsewhere_is_known_by_its_name(name, family, tmp_path):
    found = stand_in(AGENTSDK.replace("NAME", name), tmp_path)
    assert found is not None and found.family == family and not found.own_tokenizer


def test_another_state_of_the_model_is_another_stand_in(tmp_path):
    here = model(tmp_path / "m", LARGE, "model.safetensors")
    first = stand_in(AGENTSDK.replace("NAME", here), tmp_path)
    (tmp_path / "m" / "tokenizer.json").write_text("{}")
    second = stand_in(AGENTSDK.replace("NAME", here), tmp_path)
    assert first is not None and second is not None and first.folder != second.folder


def test_a_missing_model_is_a_hint_and_missing_data_are_an_error(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("a", render_template("agentsdk-verl", "en")),
        ("n", render_template("ascendfactory-grpo", "en")),
    ):
        (tmp_path / f"{name}.yaml").write_text(text)
        assert main(["check", f"{name}.yaml", "--target", "local", "--json"]) == 1
        found = json.loads(capsys.readouterr().out)["files"][0]["problems"]
        levels = {
            (p["key"].rpartition(".")[2], p["level"]) for p in found if p["code"] in ("model-stand-in", "path-missing")
        }
        assert levels >= {("train_files", "error")}
        assert {level for key, level in levels if key in ("tokenizer_name_or_path", "path")} == {"hint"}


def test_a_file_meant_for_this_cpu_still_needs_its_model(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.yaml").write_text(render_template("local-quickstart", "en").replace("tiny/model", "/gone/model"))
    assert main(["check", "c.yaml", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["files"][0]["problems"]
    assert ("tokenizer_name_or_path", "error", "path-missing") in {(p["key"], p["level"], p["code"]) for p in found}


# ---- What was found


def prepared(text: str, own: bool = True, scaled: tuple[str, ...] = (), **overrides: Any) -> Any:
    notes = tuple(SimpleNamespace(kind="scaled", key=key) for key in scaled)
    values = {"data.max_prompt_length": 64, **{key.replace("__", "."): value for key, value in overrides.items()}}
    return SimpleNamespace(
        document=parse_document(text),
        plan=SimpleNamespace(overrides=values, notes=notes),
        request=SimpleNamespace(rehearsal=SimpleNamespace(own_tokenizer=own)),
    )


def failed(tmp_path: Path, id: str, excerpt: str, *parameters: str, log: str = "") -> RunRecord:
    (tmp_path / "train.log").write_text(log)
    cause = {
        "id": id,
        "line": 7,
        "excerpt": excerpt,
        "cause": {"en": "C", "zh": "因"},
        "remedy": {"en": "R", "zh": "治"},
    }
    return RunRecord("1", str(tmp_path), "p", "e", state="failed", causes=[{**cause, "parameters": list(parameters)}])


@pytest.mark.parametrize(
    ("text", "names", "key", "line"),
    [
        (AGENTSDK, ["max_prompt_length"], "max_prompt_length", 3),
        (AGENTSDK, ["rollout.n", "NO_SUCH", "train_files"], "verl.train_files", 5),
        (NATIVE, ["max_prompt_length"], "backend_config.data.max_prompt_length", 2),
        (NATIVE, ["model.path"], "backend_config.actor_rollout_ref.model.path", 4),
        (NATIVE, ["lr"], "", 0),
    ],
    ids=["agentsdk", "given-ones-only", "native", "dotted", "nowhere"],
)
def test_a_failure_is_told_where_the_file_gives_the_parameter(text, names, key, line, tmp_path):
    [found] = findings(failed(tmp_path, "x", "some line", *names), prepared(text), Traces())
    assert (found.code, found.level, found.key, found.line) == ("rehearsal-failed", "error", key, line)
    assert "C" in problem_text(found, "en").message and "因" in problem_text(found, "zh").message
    assert problem_text(found, "en").fix == "R"
    assert "line 7" in problem_text(found, "en").because.lower()


def test_a_data_source_without_a_rule_is_a_fault_of_the_data(tmp_path):
    record = failed(
        tmp_path, "unknown", "NotImplementedError: Reward function is not implemented for data_source='x/y'"
    )
    [found] = findings(record, prepared(AGENTSDK), Traces())
    assert (found.code, found.key, found.line, found.params["source"]) == (
        "rehearsal-no-scorer", "verl.train_files", 5, "'x/y'",
    )  # fmt: skip


def test_an_error_inside_the_reward_function_is_told_with_its_line(tmp_path):
    log = 'Traceback:\n  File "/r/score.py", line 3, in compute_score\nValueError: bad\n'
    given = prepared(NATIVE, reward__custom_reward_function__path="/r/score.py")
    [found] = findings(failed(tmp_path, "unknown", "ValueError: bad", log=log), given, Traces())
    assert (found.code, found.params["place"]) == ("rehearsal-reward-error", "/r/score.py:3")
    assert found.key == "backend_config.reward.custom_reward_function.path" and found.line == 3


def test_all_prompts_too_long_points_at_the_length_not_at_the_batch(tmp_path):
    record = failed(tmp_path, "dataset-empty", "got num_samples=0", "train_batch_size", "max_prompt_length")
    assert findings(record, prepared(NATIVE), Traces())[0].key == "backend_config.data.max_prompt_length"


def test_what_only_the_cpu_engine_refuses_is_no_fault_of_the_file(tmp_path):
    record = failed(tmp_path, "unknown", "ValueError: the CPU rollout takes n=1 and no stop strings", "rollout.n")
    assert [p.level for p in findings(record, prepared(NATIVE), Traces())] == ["hint"]


def test_doubts_of_a_run_that_went_well(tmp_path):
    record = RunRecord("1", str(tmp_path), "p", "e", state="finished")
    traces = Traces(steps=3, prompts=24, cut=4, longest=90, read=100, left_out=60, rewards=(0.0,) * 9, clipped=1.0)
    found = {p.code: p for p in findings(record, prepared(AGENTSDK), traces)}
    assert {code: p.level for code, p in found.items()} == {
        "rehearsal-prompts-cut": "warning",
        "rehearsal-prompts-left-out": "warning",
        "rehearsal-rewards-equal": "hint",
        "rehearsal-responses-cut": "hint",
    }
    assert found["rehearsal-prompts-cut"].line == 3
    for problem in found.values():
        assert all("{" not in part for lang in ("en", "zh") for part in (problem_text(problem, lang).message,))


@pytest.mark.parametrize(
    "given",
    [prepared(AGENTSDK, own=False), prepared(AGENTSDK, scaled=("max_prompt_length",))],
    ids=["other-tokenizer", "other-limit"],
)
def test_lengths_that_are_not_the_files_own_are_not_held_against_it(given, tmp_path):
    record = RunRecord("1", str(tmp_path), "p", "e", state="finished")
    assert findings(record, given, Traces(cut=4, longest=90, read=9, left_out=9, rewards=(0.0, 1.0))) == []


def test_traces_are_read_from_the_run_directory(tmp_path):
    log = (
        "dataset len: 600\nselected 256 random samples out of 600\nfilter dataset len: 200\n"
        "dataset len: 8\nfilter dataset len: 8\n"
        "WARNING Prompt of 97 tokens exceeds rollout.prompt_length=64; left-truncating.\n"
    )
    (tmp_path / "train.log").write_text(log)
    (tmp_path / "rollouts").mkdir()
    rows = [{"input": "a", "score": 0.0}, {"input": "a", "score": 1.0}, {"input": "b", "score": 0.0}]
    (tmp_path / "rollouts" / "1.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + "{broken\n")
    data = [{"step": 1, "time": 1, "data": {"actor/loss": 1.0, "response_length/clip_ratio": 0.5}, "source": "file"},
            {"step": 1, "time": 2, "data": {"val-core/x/acc/mean@1": 0.0}, "source": "file"}]  # fmt: skip
    (tmp_path / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in data))
    record = RunRecord("1", str(tmp_path), "p", "e", state="finished")
    record.write()
    found = traces_of(record)
    assert (found.steps, found.prompts, found.cut, found.longest) == (1, 2, 1, 97)
    assert (found.read, found.left_out) == (264, 56)
    assert found.rewards == (0.0, 1.0, 0.0) and found.clipped == 0.5 and found.validated
