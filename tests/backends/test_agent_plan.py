"""A file with an agent wrapper, when verl is started directly: the loop that runs it."""

from pathlib import Path

import pytest
import yaml

from agentic_rl_wizard.runner.backends import verl as backend
from agentic_rl_wizard.runner.backends.errors import PlanError
from agentic_rl_wizard.runner.backends.request import Request
from agentic_rl_wizard.runner.catalogue import load_catalogue
from agentic_rl_wizard.runner.document.model import Document

ROOT = Path(__file__).resolve().parents[2]
BASE = {
    "tokenizer_name_or_path": "/models/tiny",
    "train_backend": "verl",
    "agent_name": "guesser",
    "agent_engine_wrapper_path": "agents/guess.py",
    "max_steps": 7,
    "max_model_len": 10000,
    "max_num_batched_tokens": 6000,
    "temperature": 0.8,
    "min_p": 0.05,
    "max_tokens": 300,
    "rollout_n": 4,
    "verl": {"train_files": "/data/train.parquet", "val_files": "/data/val.parquet"},
}


def make(tmp_path, values=BASE, **change):
    wish = {
        "device": "cpu",
        "verl_version": "0.9.1",
        "python": "/py",
        "base": tmp_path,
        "workdir": tmp_path,
        "run_dir": tmp_path / "r",
        "inside": ROOT / "runner" / "inside",
    }
    return backend.make_plan(Document(None, "", values), load_catalogue(), Request(**{**wish, **change}))


def loops(plan):
    return {entry["name"]: entry for entry in yaml.safe_load(plan.files["agent_loops.yaml"])}


def test_the_loop_gets_what_agentsdk_hands_to_the_wrapper(tmp_path):
    plan = make(tmp_path)
    entry = loops(plan)["agentsdk_wrapper"]
    assert entry["wrapper"] == str(tmp_path / "agents" / "guess.py")
    assert (entry["agent_name"], entry["max_steps"]) == ("guesser", 7)
    assert (entry["max_prompt_length"], entry["max_response_length"]) == (6000, 4000)
    sampling = entry["sampling_params"]
    assert (sampling["temperature"], sampling["min_p"], sampling["max_tokens"]) == (0.8, 0.05, 300)
    assert entry["trajectories"] == str(tmp_path / "r" / "rollouts")
    agent = "actor_rollout_ref.rollout.agent."
    assert plan.overrides[agent + "agent_loop_config_path"] == str(tmp_path / "r" / "agent_loops.yaml")
    assert plan.overrides[agent + "default_agent_loop"] == "agentsdk_wrapper"
    assert plan.overrides[agent + "num_workers"] == 1
    assert plan.overrides["actor_rollout_ref.rollout.n"] == 4
    assert not {"agent_name", "max_steps", "min_p", "max_tokens"} & {n.key for n in plan.notes if n.kind == "ignored"}


def test_on_a_cpu_the_quick_starts_loop_stays_known(tmp_path):
    assert set(loops(make(tmp_path))) == {"scored_single_turn", "agentsdk_wrapper"}


@pytest.mark.parametrize("device", ["npu", "gpu"])
def test_on_an_accelerator_the_package_is_on_the_path_only_with_a_wrapper(tmp_path, device, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/own")
    plan = make(tmp_path, device=device)
    assert plan.env["PYTHONPATH"] == f"{ROOT / 'runner' / 'inside'}:/own"
    assert set(loops(plan)) == {"agentsdk_wrapper"}
    without = {key: value for key, value in BASE.items() if key != "agent_engine_wrapper_path"}
    plan = make(tmp_path, without, device=device)
    assert "PYTHONPATH" not in plan.env
    assert plan.files == {}


def test_workers_of_a_running_cluster_are_told_the_path(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    key = "ray_kwargs.ray_init.runtime_env.env_vars.PYTHONPATH"
    plan = make(tmp_path, device="npu", ray_address="10.0.0.1:6379")
    assert plan.overrides[key] == str(ROOT / "runner" / "inside")
    assert any(argument.startswith(f"+{key}=") for argument in plan.argv)
    assert key not in make(tmp_path, device="npu").overrides


def test_an_absolute_path_stays(tmp_path):
    plan = make(tmp_path, {**BASE, "agent_engine_wrapper_path": "/w/agent.py"})
    assert loops(plan)["agentsdk_wrapper"]["wrapper"] == "/w/agent.py"


def test_lengths_that_agentsdk_would_refuse_become_verls_own(tmp_path):
    values = {**BASE, "max_model_len": 512, "max_num_batched_tokens": 8192, "max_prompt_length": 64}
    values["verl"] = {**BASE["verl"], "max_response_length": 32}
    plan = make(tmp_path, values)
    entry = loops(plan)["agentsdk_wrapper"]
    assert (entry["max_prompt_length"], entry["max_response_length"]) == (64, 32)
    assert ("differs", "max_model_len") in {(note.kind, note.key) for note in plan.notes}


@pytest.mark.parametrize(("version", "known"), [("0.6.1", False), ("0.7.0", True), ("0.8.0", True), ("0.9.1", True)])
def test_verl_before_0_7_is_refused(tmp_path, version, known):
    if known:
        plan = make(tmp_path, verl_version=version, device="npu")
        assert plan.overrides["actor_rollout_ref.rollout.agent.default_agent_loop"] == "agentsdk_wrapper"
        return
    with pytest.raises(PlanError) as refusal:
        make(tmp_path, verl_version=version, device="npu")
    assert (refusal.value.code, refusal.value.exit_code) == ("wrapper-needs-newer-verl", 3)
    assert refusal.value.key == "agent_engine_wrapper_path"
