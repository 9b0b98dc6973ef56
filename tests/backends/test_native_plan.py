"""What verl's own tree becomes when verl is started from it: native, flat, or inside an AscendFactory file."""

from pathlib import Path

import pytest
from composition import composed_with_verl

from agentic_rl_wizard.runner.backends import verl as backend
from agentic_rl_wizard.runner.backends.errors import PlanError
from agentic_rl_wizard.runner.backends.request import Request
from agentic_rl_wizard.runner.backends.source import source_of
from agentic_rl_wizard.runner.catalogue import load_catalogue, render_template
from agentic_rl_wizard.runner.document import parse_document

AF = """af_output_dir: out
backend_config:
  data: {train_files: d/train.parquet, train_batch_size: 32}
  actor_rollout_ref:
    model: {path: org/model}
    actor: {optim: {lr: 1e-6}}
    rollout: {"n": 4, engine_kwargs: {vllm: {swap_space: 4}}}
  trainer: {n_gpus_per_node: 4, experiment_name: one, logger: [tensorboard]}
"""


def plan(
    text: str, tmp_path: Path, device: str = "npu", version: str = "0.9.1", experiment: str = "", verl_source: str = ""
):
    request = Request(
        device, version, "python", base=tmp_path / "base", workdir=tmp_path, run_dir=tmp_path / "run",
        inside=Path(backend.__file__).parent.parent.parent / "inside", experiment=experiment,
        verl_source=verl_source,
    )  # fmt: skip
    return backend.make_plan(parse_document(text), load_catalogue(), request)


def test_every_key_is_handed_over_and_no_constant_of_agentsdk(tmp_path):
    found = plan(AF, tmp_path)
    assert found.overrides["actor_rollout_ref.rollout.n"] == 4
    assert found.overrides["actor_rollout_ref.actor.optim.lr"] == 1e-6  # as verl's own loader reads it
    assert found.overrides["trainer.device"] == "npu"
    assert "actor_rollout_ref.actor.use_dynamic_bsz" not in found.overrides
    assert "+actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space=4" in found.argv


def test_paths_start_at_the_file_and_names_of_the_hub_stay(tmp_path):
    found = plan(AF, tmp_path)
    assert found.overrides["data.train_files"] == str(tmp_path / "base" / "d" / "train.parquet") or (
        found.overrides["data.train_files"] == "d/train.parquet"  # nothing is there, and it may be a name
    )
    assert found.overrides["actor_rollout_ref.model.path"] == "org/model"
    assert found.checkpoint_dir.endswith("out/checkpoints/verl_examples/one")


def test_loggers_that_the_run_view_needs_come_beside_the_own_ones(tmp_path):
    assert plan(AF, tmp_path).overrides["trainer.logger"] == ["console", "tensorboard", "file"]


def test_flat_keys_and_trees_are_the_same(tmp_path):
    tree = plan("trainer: {nnodes: 2}\ndata: {shuffle: false}\n", tmp_path)
    flat = plan("trainer.nnodes: 2\ndata.shuffle: false\n", tmp_path)
    assert tree.argv == flat.argv


def test_a_directory_of_the_file_holds_the_checkpoints(tmp_path):
    text = f"trainer: {{default_local_dir: {tmp_path}/ck, n_gpus_per_node: 1}}\n"
    assert plan(text, tmp_path).checkpoint_dir == f"{tmp_path}/ck"
    assert plan(text, tmp_path, experiment="gsm8k-2").checkpoint_dir == f"{tmp_path}/ck-2"


def test_a_cpu_replaces_what_it_must_and_says_so(tmp_path):
    found = plan(AF, tmp_path, device="cpu")
    assert found.overrides["trainer.n_gpus_per_node"] == 1
    assert found.overrides["actor_rollout_ref.rollout.name"] == "transformers_cpu"
    assert [(note.kind, note.key) for note in found.notes] == [("scaled", "trainer.n_gpus_per_node")]


def test_megatron_is_composed_with_its_own_configuration(tmp_path):
    text = "actor_rollout_ref.actor: {strategy: megatron, megatron: {tensor_model_parallel_size: 2}}\n"
    found = plan(text, tmp_path)
    assert "--config-name=ppo_megatron_trainer" in found.argv
    assert "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2" in found.argv


ONE_STEP = "backend_config.rollout.n_gpus_per_node"


@pytest.mark.parametrize(
    ("version", "device", "code"),
    [
        ("0.4.1", "npu", "entry-point-absent"),
        ("0.6.1", "npu", "entry-point-source"),
        ("0.9.1", "cpu", "entry-point-cpu"),
    ],
    ids=["absent", "source", "cpu"],
)
def test_a_trainer_that_can_not_be_started_is_refused_with_the_reason(version, device, code, tmp_path):
    with pytest.raises(PlanError) as refused:
        plan(render_template("ascendfactory-one-step-off"), tmp_path, device, version)
    assert (refused.value.code, refused.value.key) == (code, ONE_STEP)


@pytest.mark.parametrize(
    ("version", "module"),
    [
        ("0.5.0", "recipe.one_step_off_policy.main_ppo"),
        ("0.7.0", "recipe.one_step_off_policy.main_ppo"),
        ("0.7.1", "verl.experimental.one_step_off_policy.main_ppo"),
        ("0.9.1", "verl.experimental.one_step_off_policy.main_ppo"),
    ],
)
def test_one_step_off_is_started_with_its_own_module(version, module, tmp_path):
    found = plan(render_template("ascendfactory-one-step-off"), tmp_path, version=version, verl_source="/src/verl")
    assert found.argv[2:4] == (module, "hydra.searchpath=[pkg://verl.trainer.config]")
    assert "rollout.n_gpus_per_node=12" in found.argv and "actor_rollout_ref.hybrid_engine=false" in found.argv
    assert ("/src/verl" in found.env.get("PYTHONPATH", "")) == module.startswith("recipe")


def test_fully_async_is_told_by_its_keys_and_other_keys_get_a_plus(tmp_path):
    text = "data: {shuffle: true}\nrollout: {total_rollout_steps: 100, strange: 1}\n"
    text += "async_training: {partial_rollout: false}\n"
    found = plan(text, tmp_path)
    assert found.argv[2] == "verl.experimental.fully_async_policy.fully_async_main"
    assert "async_training.partial_rollout=false" in found.argv and "+rollout.strange=1" in found.argv
    assert "actor_rollout_ref.hybrid_engine=false" in found.argv
    assert found.total_steps is None


def test_keys_that_the_megatron_configuration_lacks_are_not_put(tmp_path):
    text = "actor_rollout_ref.actor: {strategy: megatron}\n"
    assert "trainer.rollout_data_dir" not in plan(text, tmp_path, version="0.5.0").overrides
    assert "trainer.rollout_data_dir" in plan("trainer.nnodes: 1\n", tmp_path, version="0.5.0").overrides


def test_what_is_asked_for_is_told_without_a_device():
    assert source_of(parse_document(AF)).devices() == 4
    assert not source_of(parse_document("train_backend: verl\n")).native


@pytest.mark.parametrize("name", ["grpo", "ppo", "multimodal", "agent", "lora", "long-sequence", "resume"])
def test_every_template_composes_with_the_real_configuration(name, tmp_path):
    found = plan(render_template(f"ascendfactory-{name}"), tmp_path)
    composed = composed_with_verl(found)
    assert composed.actor_rollout_ref.rollout.name == "vllm"
    assert composed.trainer.default_local_dir == found.checkpoint_dir


def test_a_flat_ascendfactory_file_means_the_same(tmp_path):
    flat = "af_output_dir: out\nbackend_config.trainer.nnodes: 2\nbackend_config.+x.z: 3\n"
    found = plan(flat, tmp_path)
    assert found.overrides["trainer.nnodes"] == 2
    assert "+x.z=3" in found.argv
    assert found.checkpoint_dir.startswith(str(tmp_path))


@pytest.mark.parametrize("prefix", ["", "backend_config."], ids=["native", "ascendfactory"])
def test_keys_of_mindspeed_rl_are_not_handed_to_verl(prefix, tmp_path):
    with pytest.raises(PlanError) as refused:
        plan(f"{prefix}megatron_training.global_batch_size: 8\n", tmp_path)
    assert refused.value.code == "mindspeed-not-verl"


def test_keys_of_megatron_choose_its_configuration_where_nothing_else_does(tmp_path):
    text = "actor_rollout_ref.actor.megatron.pipeline_model_parallel_size: 2\n"
    assert "--config-name=ppo_megatron_trainer" in plan(text, tmp_path).argv
    chosen = plan("model_engine: megatron\n" + text, tmp_path)
    assert "--config-name=ppo_megatron_trainer" not in chosen.argv and "model_engine=megatron" in chosen.argv
