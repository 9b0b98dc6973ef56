"""What an AgentSDK-shaped file becomes when verl is started directly."""

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.backends import verl as backend
from agentic_rl_wizard.runner.backends.errors import PlanError
from agentic_rl_wizard.runner.backends.request import CheckpointState, Request
from agentic_rl_wizard.runner.catalogue import load_catalogue
from agentic_rl_wizard.runner.document.model import Document
from agentic_rl_wizard.runner.native import is_declared

BASE = {
    "tokenizer_name_or_path": "/models/tiny",
    "train_backend": "verl",
    "lr": 5.0e-6,
    "clip_ratio": 0.3,
    "num_gpus_per_node": 4,
    "infer_tensor_parallel_size": 4,
    "verl": {
        "train_files": "/data/train.parquet",
        "val_files": "/data/val.parquet",
        "train_batch_size": 8,
        "total_training_steps": 100,
        "project_name": "demo",
        "experiment_name": "first",
        "warmup_style": "cosine",
        "policy_loss_mode": "clip-cov",
        "val_only": False,
    },
}


def make(tmp_path, values=None, **change):
    wish = {
        "device": "npu",
        "verl_version": "0.9.1",
        "python": "/py",
        "base": tmp_path,
        "workdir": tmp_path,
        "run_dir": tmp_path / "r",
        "inside": Path("/in"),
    }
    wish.update(change)
    document = Document(None, "", values if values is not None else BASE)
    return backend.make_plan(document, load_catalogue(), Request(**wish))


def with_verl(**change):
    return {**BASE, "verl": {**BASE["verl"], **change}}


@pytest.mark.parametrize("version", ["0.4.1", "0.5.0", "0.6.1", "0.7.1", "0.8.0", "0.9.1"])
def test_every_key_is_declared_by_that_version(tmp_path, version):
    plan = make(tmp_path, verl_version=version)
    assert all(is_declared(key, version) for key in plan.overrides)
    assert not [a for a in plan.argv if a.startswith("+")]
    assert plan.argv[:3] == ("/py", "-m", "verl.trainer.main_ppo")


def test_names_and_values_follow_the_version(tmp_path):
    old, new = make(tmp_path, verl_version="0.5.0").overrides, make(tmp_path).overrides
    optim = "actor_rollout_ref.actor.optim."
    assert old[optim + "warmup_style"] == "cosine"
    assert optim + "lr_scheduler_type" not in old
    assert new[optim + "lr_scheduler_type"] == "cosine"
    assert new[optim + "lr"] == 5.0e-6
    assert old["actor_rollout_ref.rollout.load_format"] == "dummy_dtensor"
    assert new["actor_rollout_ref.rollout.load_format"] == "dummy"
    assert new["actor_rollout_ref.actor.policy_loss.loss_mode"] == "clip_cov"


def test_absent_keys_count_with_the_software_default_not_the_documented_one(tmp_path):
    overrides = make(tmp_path).overrides
    assert overrides["actor_rollout_ref.actor.entropy_coeff"] == 0.001
    assert overrides["actor_rollout_ref.rollout.n"] == 2
    assert overrides["actor_rollout_ref.actor.optim.weight_decay"] == 0.01


def test_clip_ratio_reaches_the_bounds_verl_really_reads(tmp_path):
    overrides = make(tmp_path).overrides
    actor = "actor_rollout_ref.actor."
    assert [overrides[actor + k] for k in ("clip_ratio", "clip_ratio_low", "clip_ratio_high")] == [0.3, 0.3, 0.3]


def test_constants_of_agentic_rl_are_applied(tmp_path):
    overrides = make(tmp_path).overrides
    assert overrides["actor_rollout_ref.actor.use_dynamic_bsz"] is True
    assert overrides["actor_rollout_ref.rollout.mode"] == "async"
    assert overrides["actor_rollout_ref.rollout.val_kwargs.top_p"] == 0.95


def test_keys_that_are_dead_under_agentic_rl_are_listed(tmp_path):
    noted = {n.key for n in make(tmp_path).notes if n.kind == "differs"}
    assert {"clip_ratio", "verl.val_only"} <= noted
    assert "lr" not in noted
    assert "verl.test_freq" not in noted  # not in the file


def test_document_names_are_understood(tmp_path):
    values = with_verl(policy_loss_model="gpg", kl_loss_coeff=0.5)
    del values["verl"]["policy_loss_mode"]
    overrides = make(tmp_path, values).overrides
    assert overrides["actor_rollout_ref.actor.policy_loss.loss_mode"] == "gpg"
    assert overrides["actor_rollout_ref.actor.kl_loss_coef"] == 0.5


def test_relative_paths_become_absolute_and_hub_names_stay(tmp_path):
    (tmp_path / "m").mkdir()
    local = make(tmp_path, {**BASE, "tokenizer_name_or_path": "m"}).overrides
    assert local["actor_rollout_ref.model.path"] == str(tmp_path / "m")
    hub = make(tmp_path, {**BASE, "tokenizer_name_or_path": "org/model"}).overrides
    assert hub["actor_rollout_ref.model.path"] == "org/model"


def test_resume_fresh_and_world_size(tmp_path):
    assert make(tmp_path).resume.mode == "fresh"
    found = make(tmp_path, checkpoint=CheckpointState(20, 4)).resume
    assert (found.mode, found.step) == ("resume", 20)
    assert found.directory == str(tmp_path / "checkpoints" / "demo" / "first")
    with pytest.raises(PlanError) as refusal:
        make(tmp_path, checkpoint=CheckpointState(20, 8))
    assert refusal.value.params["written"] == 8
    renamed = make(tmp_path, experiment="first-2")
    assert renamed.checkpoint_dir.endswith("/demo/first-2")
    assert renamed.overrides["trainer.experiment_name"] == "first-2"


@pytest.mark.parametrize(
    ("change", "rows", "steps"),
    [({}, None, 100), ({}, 80, 20), ({}, 8000, 100), ({"total_training_steps": None}, 80, 20),
     ({"total_training_steps": None}, None, None)],
)  # fmt: skip
def test_total_steps(tmp_path, change, rows, steps):
    assert make(tmp_path, with_verl(**change), rows=rows).total_steps == steps


def test_metrics_come_from_the_file_logger_where_verl_has_one(tmp_path):
    new = make(tmp_path)
    assert new.env["VERL_FILE_LOGGER_PATH"] == str(tmp_path / "r" / new.metrics_file)
    assert new.overrides["trainer.logger"] == ["console", "file"]
    old = make(tmp_path, verl_version="0.5.0")
    assert (old.metrics_file, old.overrides["trainer.logger"]) == ("", ["console"])
    board = make(tmp_path, {**BASE, "use_tensorboard": True}, verl_version="0.5.0")
    assert board.overrides["trainer.logger"] == ["console", "tensorboard"]


@pytest.mark.parametrize("value", ["two words", "a,b", "it's [x] = {1}", '"q"', "中文", "${oc.env:HOME}"])
def test_awkward_names_survive_hydra(tmp_path, value):
    parser = pytest.importorskip("hydra.core.override_parser.overrides_parser").OverridesParser.create()
    omegaconf = pytest.importorskip("omegaconf").OmegaConf
    plan = make(tmp_path, with_verl(experiment_name=value))
    item = next(a for a in plan.argv if a.startswith("trainer.experiment_name="))
    node = omegaconf.create({"x": parser.parse_override(item).value()})
    assert omegaconf.to_container(node, resolve=True)["x"] == value


VISIBLE = [("npu", "ASCEND_RT_VISIBLE_DEVICES"), ("gpu", "CUDA_VISIBLE_DEVICES")]


@pytest.mark.parametrize(("device", "variable"), VISIBLE)
def test_devices(tmp_path, device, variable):
    assert make(tmp_path, device=device, devices="0,1").env[variable] == "0,1"


def test_trajectories_are_written_into_the_run_directory(tmp_path):
    argv = make(tmp_path).argv
    for key, folder in (("rollout", "rollouts"), ("validation", "rollouts/validation")):
        assert any(a.startswith(f"trainer.{key}_data_dir=") and f"{tmp_path}/r/{folder}" in a for a in argv), key
