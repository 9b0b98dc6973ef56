"""What a CPU makes of a file written for NPUs: the sizes shrink, the proportions stay, each change is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from composition import composed_with_verl

from agentic_rl_wizard.runner.backends import verl as backend
from agentic_rl_wizard.runner.backends.plan import Plan
from agentic_rl_wizard.runner.backends.rehearsal import Rehearsal, limit, scaled_batch
from agentic_rl_wizard.runner.backends.request import Request
from agentic_rl_wizard.runner.catalogue import load_catalogue, render_template
from agentic_rl_wizard.runner.document import parse_document

AGENTSDK = """train_backend: verl
tokenizer_name_or_path: /m/Qwen2.5-7B
num_gpus_per_node: 8
rollout_n: 16
max_prompt_length: 8192
max_model_len: 40960
verl:
  train_files: /d/train.parquet
  val_files: /d/val.parquet
  train_batch_size: 512
  ppo_mini_batch_size: 128
  max_response_length: 32768
  project_name: p
  experiment_name: e
"""
NATIVE = "trainer: {n_gpus_per_node: 8}\n"


def plan(text: str, tmp_path: Path, rows: int | None = 7000, **of_model: Any) -> Plan:
    model: dict[str, Any] = {"family": "qwen2", "vocabulary": 300, "own_tokenizer": False, "prompt_bytes": 700}
    request = Request(
        "cpu", "0.9.1", "python", base=tmp_path, workdir=tmp_path, run_dir=tmp_path / "run", rows=rows,
        inside=Path(backend.__file__).parent.parent.parent / "inside",
        rehearsal=Rehearsal(folder=tmp_path / "made", **{**model, **of_model}),
    )  # fmt: skip
    return backend.make_plan(parse_document(text), load_catalogue(), request)


def changes(found: Plan) -> dict[str, tuple[Any, Any]]:
    return {note.key: (note.before, note.after) for note in found.notes if note.kind == "scaled"}


@pytest.mark.parametrize(
    ("batch", "mini", "expected"),
    [
        (512, 128, (8, 2, True)),
        (1024, 256, (8, 2, True)),
        (32, 32, (8, 8, True)),
        (96, 32, (6, 2, True)),
        (1024, 64, (16, 1, True)),
        (512, 96, (16, 3, True)),
        (1024, 4, (16, 1, False)),
        (1000, 3, (16, 1, False)),
    ],
    ids=["4", "4-large", "1", "3", "16", "uneven", "256", "333"],
)
def test_updates_of_a_step_stay(batch, mini, expected):
    small, part, exact = scaled_batch(batch, mini)
    assert (small, part, exact) == expected
    assert not exact or small * mini == batch * part


def test_a_file_of_agentsdk_is_told_in_its_own_names(tmp_path):
    found = plan(AGENTSDK, tmp_path)
    told = changes(found)
    assert told["verl.train_batch_size"] == (512, 8)
    assert told["verl.ppo_mini_batch_size"] == (128, 2)
    assert told["rollout_n"] == (16, 4)
    assert told["verl.max_response_length"] == (32768, 64)
    assert told["num_gpus_per_node"] == (8, 1)
    assert told["tokenizer_name_or_path"] == ("/m/Qwen2.5-7B", str(tmp_path / "made" / "model"))
    assert found.total_steps == 3
    assert all(note.text["en"] and note.text["zh"] and note.text["en"] != note.text["zh"] for note in found.notes)


def test_every_value_of_the_file_that_changed_is_told(tmp_path):
    text = render_template("ascendfactory-ppo")
    found = plan(text, tmp_path)
    from agentic_rl_wizard.runner.native.tree import tree_entries

    written = {entry.key: entry.value for entry in tree_entries(parse_document(text))}
    told = {note.key for note in found.notes}
    # The launch adds its own logger in every plan, and the names are told by the run itself.
    silent = {"trainer.logger", "trainer.experiment_name"}
    changed = {key for key, value in written.items() if found.overrides.get(key) != value}
    assert changed - told <= silent
    assert "actor_rollout_ref.model.path" in told and "critic.model.path" in told


def test_a_step_fits_into_the_context_that_is_left(tmp_path):
    for vocabulary, own in ((300, False), (152_000, True)):
        got = plan(AGENTSDK, tmp_path, vocabulary=vocabulary, own_tokenizer=own).overrides
        whole = got["data.max_prompt_length"] + got["data.max_response_length"]
        assert got["actor_rollout_ref.rollout.max_model_len"] >= whole
        budget = got["actor_rollout_ref.actor.ppo_max_token_len_per_gpu"]
        assert budget >= whole and budget * vocabulary <= limit("logits")


def test_prompts_of_bytes_get_the_room_they_need(tmp_path):
    text = AGENTSDK.replace("max_prompt_length: 8192", "max_prompt_length: 256")
    assert plan(text, tmp_path, prompt_bytes=900).overrides["data.max_prompt_length"] >= 900
    # With the model's own tokenizer the file's limit is what is rehearsed: it is never raised.
    assert plan(text, tmp_path, own_tokenizer=True).overrides["data.max_prompt_length"] == 256


def test_prompts_beyond_the_rehearsal_are_cut_and_not_left_out(tmp_path):
    text = "data: {max_prompt_length: 100000, filter_overlong_prompts: true}\n" + NATIVE
    found = plan(text, tmp_path, prompt_bytes=300_000)
    assert found.overrides["data.filter_overlong_prompts"] is False
    assert changes(found)["data.filter_overlong_prompts"] == (True, False)


def test_several_turns_have_more_room(tmp_path):
    one, several = (
        plan(AGENTSDK, tmp_path, wrapper=flag).overrides["data.max_response_length"] for flag in (False, True)
    )
    assert several > one


def test_an_agent_wrapper_gets_the_lengths_of_the_rehearsal(tmp_path):
    (tmp_path / "w.py").write_text("")
    text = "agent_engine_wrapper_path: w.py\nagent_name: a\nmax_num_batched_tokens: 8192\nmax_tokens: 1024\n" + AGENTSDK
    found = plan(text, tmp_path, wrapper=True)
    import yaml

    [entry] = [one for one in yaml.safe_load(found.files["agent_loops.yaml"]) if one["name"] == "agentsdk_wrapper"]
    assert entry["max_prompt_length"] == found.overrides["data.max_prompt_length"]
    assert entry["max_response_length"] == found.overrides["data.max_response_length"] < 1024
    assert entry["sampling_params"]["max_tokens"] <= limit("response_tokens")
    assert changes(found)["max_tokens"] == (1024, 64)


def test_a_small_batch_stays(tmp_path):
    text = "data: {train_batch_size: 8}\nactor_rollout_ref.actor.ppo_mini_batch_size: 4\n" + NATIVE
    found = plan(text, tmp_path)
    assert found.overrides["data.train_batch_size"] == 8
    assert found.overrides["actor_rollout_ref.actor.ppo_mini_batch_size"] == 4
    assert "data.train_batch_size" not in changes(found)


def test_checkpoints_never_lie_where_the_real_run_looks(tmp_path):
    found = plan(AGENTSDK, tmp_path)
    assert found.experiment == "e-rehearsal"
    assert Path(found.checkpoint_dir).is_relative_to(tmp_path / "run")
    assert found.overrides["trainer.default_local_dir"] == found.checkpoint_dir
    text = "trainer: {resume_mode: resume_path, resume_from_path: /c/global_step_9, default_local_dir: /c}\n"
    native = plan(text, tmp_path)
    assert native.overrides["trainer.resume_mode"] == "disable"
    assert "trainer.resume_from_path" not in native.overrides
    assert native.resume is not None and native.resume.mode == "fresh"


def test_what_only_an_accelerator_reads_is_left_out_and_told(tmp_path):
    text = (
        "actor_rollout_ref:\n  actor: {strategy: megatron, megatron: {tensor_model_parallel_size: 4}}\n"
        "  rollout: {engine_kwargs: {vllm: {swap_space: 4}}}\n"
        "trainer: {logger: [console, wandb]}\nreward.reward_model.enable: true\n"
    )
    found = plan(text, tmp_path)
    assert not any("megatron." in key or "engine_kwargs" in key for key in found.overrides)
    left_out = {note.key for note in found.notes if note.kind == "ignored"}
    assert "actor_rollout_ref.actor.megatron.tensor_model_parallel_size" in left_out
    assert "actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space" in left_out
    assert not any(word.startswith("--config-name") for word in found.argv)
    assert "wandb" not in found.overrides["trainer.logger"]
    assert found.overrides["reward.reward_model.enable"] is False


def test_a_reward_manager_of_the_file_is_used(tmp_path):
    assert plan(NATIVE, tmp_path).overrides["reward.num_workers"] == 0
    assert plan("reward.reward_manager.name: dapo\n", tmp_path).overrides["reward.num_workers"] == 1


@pytest.mark.parametrize("name", ["grpo", "ppo", "multimodal", "agent", "lora", "long-sequence", "resume"])
def test_every_template_composes_with_the_real_configuration(name, tmp_path):
    found = plan(render_template(f"ascendfactory-{name}"), tmp_path)
    composed = composed_with_verl(found)
    assert composed.actor_rollout_ref.rollout.name == "transformers_cpu"
    assert composed.data.train_batch_size <= limit("most_prompts")
    assert composed.trainer.total_training_steps <= limit("steps")


@pytest.mark.parametrize("choice", ["model_engine: megatron\n", ""], ids=["engine", "keys"])
def test_megatron_is_left_out_however_it_was_chosen(choice, tmp_path):
    text = choice + "actor_rollout_ref.actor.megatron.pipeline_model_parallel_size: 2\n"
    found = plan(text, tmp_path)
    assert not any("megatron" in key or key == "model_engine" for key in found.overrides)
    assert not any(word.startswith("--config-name") for word in found.argv)
