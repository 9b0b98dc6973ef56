"""MindSpeed-RL started directly: the YAML set, the launch, the environment and the resume, from files of each shape."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from mindspeed_tree import make_tree

from agentic_rl_wizard.runner.backends.environment import reasons_for
from agentic_rl_wizard.runner.backends.errors import PlanError
from agentic_rl_wizard.runner.backends.mindspeed import MindSpeedFacts, make_plan
from agentic_rl_wizard.runner.backends.mindspeed.facts import version_of_tree
from agentic_rl_wizard.runner.backends.ports import hccl_port
from agentic_rl_wizard.runner.backends.request import Request
from agentic_rl_wizard.runner.catalogue import load_catalogue, render_template
from agentic_rl_wizard.runner.check import World, check_document
from agentic_rl_wizard.runner.document import add_key, parse_document, set_value
from agentic_rl_wizard.runner.facts.megatron import MegatronFacts
from agentic_rl_wizard.runner.facts.mindspeed_tree import look_at_tree
from agentic_rl_wizard.runner.native.mindspeed_keys import MINDSPEED_VERSIONS

OWN = """defaults:
  - model: [qwen25_7b]
megatron_training: {stage: ray_grpo, tokenizer_name_or_path: ./tok, data_path: ./data/, global_batch_size: 8,
  seq_length: 1024, train_iters: 4, save_interval: 2, model: qwen25_7b, bf16: true}
actor_config: {model: qwen25_7b, micro_batch_size: 1, tensor_model_parallel_size: 2, lr: 1e-6, load: ./ckpt,
  save: ./out, finetune: true, no_load_optim: true, no_load_rng: true}
rl_config: {use_integrated_worker: true, n_samples_per_prompt: 2, mini_batch_size: 8, actor_resource: {num_npus: 4}}
generate_config: {infer_tensor_parallel_size: 2, max_model_len: 2048, dtype: bfloat16}
"""


def agentsdk(changes=None, **first):
    """The template without the agent, with changes by dotted key."""
    text = render_template("agentsdk-mindspeed-rl", "en", {})
    text = "\n".join(line for line in text.splitlines() if "agent_engine_wrapper_path:" not in line) + "\n"
    for key, value in {**(changes or {}), **first}.items():
        change = set_value if parse_document(text).has(key) else add_key
        text = change(text, key, value)
    return text


def planned(
    text, tmp_path, version="2.2.0", *, environ=None, saved=None, data="unknown", tree=None, npus=None, **request
):
    root = tmp_path / f"MindSpeed-RL-{version}"
    if not root.exists():
        make_tree(root, version, **(tree or {}))
    values = {"devices": "", "ray_address": "", "experiment": "", **request}
    asked = Request("npu", "", "python", tmp_path / "base", tmp_path, tmp_path / "run", tmp_path / "inside", **values)
    facts = MindSpeedFacts(look_at_tree(root, "", environ or {}), environ or {}, saved, data, npus)
    return make_plan(parse_document(text), load_catalogue(), replace(asked, mindspeed=facts))


def written(plan, name="agentic_rl_run"):
    return yaml.safe_load(plan.files[f"resolved/{name}.yaml"])


@pytest.mark.parametrize("version", MINDSPEED_VERSIONS)
def test_the_tree_tells_its_version_and_only_its_keys_are_written(version, tmp_path):
    plan = planned(agentsdk({"mindspeed_rl.use_remove_padding": False}), tmp_path, version)
    assert plan.backend_version == version
    tree = look_at_tree(tmp_path / f"MindSpeed-RL-{version}")
    assert version_of_tree(tree) == version
    content = written(plan)
    classes = {
        "megatron_training": "megatron",
        "actor_config": "megatron",
        "rl_config": "rl",
        "generate_config": "generate",
    }
    for section, name in classes.items():
        assert set(content[section]) - tree.keys[name] <= {"model"}
    model = written(plan, "model/agentic_rl_qwen2_5_7b")["agentic_rl_qwen2_5_7b"]
    assert set(model) <= tree.keys["megatron"] and model["num_layers"] == 28


@pytest.mark.parametrize("version", MINDSPEED_VERSIONS)
@pytest.mark.parametrize("model", ["qwen2.5-7b", "qwen3-0.6b", "qwen3-30b-a3b"])
def test_what_is_written_passes_our_own_check(version, model, tmp_path):
    plan = planned(agentsdk(model_name=model), tmp_path, version)
    found = check_document(
        parse_document(plan.files["resolved/agentic_rl_run.yaml"]), World(backend_version=version), "mindspeed-rl"
    )
    assert [problem for problem in found if problem.level == "error"] == []


def test_parameters_get_their_native_names(tmp_path):
    content = written(planned(agentsdk(kl_coef=0.03, rollout_n=4, num_gpus_per_node=8, num_node=1), tmp_path))
    assert content["rl_config"]["init_kl_coef"] == 0.03
    assert content["rl_config"]["n_samples_per_prompt"] == 4
    assert content["rl_config"]["actor_resource"] == {"num_npus": 8}
    assert content["generate_config"]["sampling_config"]["top_k"] == 10
    assert content["actor_config"]["load"].startswith("/")


def test_what_only_agentsdk_has_is_replaced_and_told(tmp_path):
    plan = planned(agentsdk(), tmp_path)
    assert written(plan)["rl_config"]["verifier_function"] == ["base_acc"]
    assert written(plan)["megatron_training"]["dataset_additional_keys"] == ["labels"]
    told = {note.key for note in plan.notes if note.kind == "differs"}
    assert {"rl_config.verifier_function", "megatron_training.dataset_additional_keys"} <= told


def test_removed_padding_gets_the_keys_of_newer_versions(tmp_path):
    padding = {"use_remove_padding": True, "reset_position_ids": True, "variable_seq_lengths": True}
    sizes = {"pipeline_model_parallel_size": 2, "tensor_model_parallel_size": 2}
    text = agentsdk({f"mindspeed_rl.{name}": value for name, value in {**padding, **sizes}.items()})
    older = written(planned(text, tmp_path, "2.2.0"))["megatron_training"]
    newer = planned(text, tmp_path, "2.3.0")
    assert "no_pad_to_seq_lengths" not in older
    assert newer.overrides["megatron_training.reset_attention_mask"] is True
    assert newer.overrides["megatron_training.no_pad_to_seq_lengths"] is True
    assert any(note.key.endswith("variable_seq_lengths") and note.kind == "ignored" for note in newer.notes)


def test_the_launch_is_the_originals(tmp_path):
    plan = planned(agentsdk(), tmp_path)
    assert plan.argv[:2] == ("python", "cli/train_grpo.py")
    assert plan.argv[2:6] == ("--config-dir", str(tmp_path / "run" / "resolved"), "--config-name", "agentic_rl_run")
    assert plan.cwd == str(tmp_path / "MindSpeed-RL-2.2.0")
    assert plan.env["PYTHONPATH"].split(":")[0] == plan.cwd
    assert plan.total_steps == 100


@pytest.mark.parametrize(
    ("stage", "script"), [("ray_ppo", "cli/train_ppo.py"), ("ray_dapo", "cli/train_dapo.py")], ids=["ppo", "dapo"]
)
def test_the_stage_chooses_the_script(stage, script, tmp_path):
    text = OWN.replace("ray_grpo", stage)
    assert planned(text, tmp_path).argv[1] == script
    with pytest.raises(PlanError) as refusal:
        planned(text, tmp_path, "2.1.0")
    assert refusal.value.code == "mindspeed-script-missing"


def test_an_own_file_keeps_every_key_and_its_paths_mean_the_repository(tmp_path):
    plan = planned(OWN, tmp_path)
    content = written(plan)
    root = tmp_path / "MindSpeed-RL-2.2.0"
    assert content["actor_config"]["lr"] == 1e-6
    assert content["megatron_training"]["tokenizer_name_or_path"] == str(root / "tok")
    assert content["megatron_training"]["data_path"] == str(root / "data") + "/"
    assert content["defaults"] == [{"model": ["qwen25_7b"]}]
    assert plan.checkpoint_dir == str(root / "out")


def test_a_tree_of_ascendfactory_gets_the_model_it_names(tmp_path):
    tree = "\n".join(f"  {line}" for line in OWN.splitlines()[2:])
    plan = planned(f"af_output_dir: /out\nbackend_config:\n{tree}\n", tmp_path)
    assert written(plan)["defaults"] == [{"model": ["qwen25_7b"]}, "_self_"]
    assert written(plan, "model/qwen25_7b")["qwen25_7b"]["num_attention_heads"] == 28


@pytest.mark.parametrize(
    ("text", "facts", "code"),
    [
        (agentsdk(model_name="llama-7b"), {}, "mindspeed-model-unknown"),
        (agentsdk(agent_engine_wrapper_path="/a/w.py"), {}, "mindspeed-wrapper"),
        (agentsdk(), {"data": "json"}, "mindspeed-data-packed"),
        (OWN.replace("ray_grpo", "ray_unheard"), {}, "mindspeed-stage"),
        (OWN, {"saved": MegatronFacts("x", "2")}, "mindspeed-checkpoint-incomplete"),
        (OWN, {"saved": MegatronFacts("x", "2", frozenset(("mp_rank_00",)))}, "mindspeed-resume-ranks"),
    ],
    ids=["model", "wrapper", "json", "stage", "incomplete", "ranks"],
)
def test_what_can_not_be_started_is_refused(text, facts, code, tmp_path):
    with pytest.raises(PlanError) as refusal:
        planned(text, tmp_path, **facts)
    assert refusal.value.code == code


def test_a_resume_goes_on_and_keeps_the_reference(tmp_path):
    ranks = frozenset(("mp_rank_00", "mp_rank_01"))
    plan = planned(OWN, tmp_path, saved=MegatronFacts("x", "2", ranks))
    actor, rl = written(plan)["actor_config"], written(plan)["rl_config"]
    root = tmp_path / "MindSpeed-RL-2.2.0"
    assert (plan.resume.mode, plan.resume.step) == ("resume", 2)
    assert (actor["finetune"], actor["no_load_optim"], actor["no_load_rng"]) == (False, False, False)
    assert actor["load"] == str(root / "out")
    assert rl["integrated_mode_config"] == {"ref_model_load_path": str(root / "ckpt")}
    assert any(note.key == "actor_config.finetune" for note in plan.notes)


def test_fresh_saves_beside_the_earlier_run(tmp_path):
    assert planned(OWN, tmp_path, experiment="x-2").checkpoint_dir.endswith("/out-2")


@pytest.mark.parametrize("extra", ["no_save_optim: true", "no_save_rng: true"])
def test_without_the_optimizer_there_is_no_resume(extra, tmp_path):
    saved = MegatronFacts("x", "2", frozenset(("mp_rank_00", "mp_rank_01")))
    plan = planned(OWN.replace("micro_batch_size: 1", f"micro_batch_size: 1, {extra}"), tmp_path, saved=saved)
    assert plan.resume.mode == "fresh" and "optimizer" in plan.resume.reason["en"]
    assert written(plan)["actor_config"]["finetune"] is True


def test_one_directory_for_both_is_left_to_the_file(tmp_path):
    saved = MegatronFacts("x", "2", frozenset(("mp_rank_00", "mp_rank_01")))
    text = OWN.replace("./out", "./ckpt")
    assert planned(text, tmp_path, saved=saved).resume.mode == "fresh"
    goes_on = text.replace("finetune: true, no_load_optim: true, no_load_rng: true", "finetune: false")
    assert planned(goes_on, tmp_path, saved=saved).resume.mode == "resume"


def test_what_is_exported_wins_and_the_repositorys_own_file_is_taken(tmp_path):
    own = "env_vars: {HCCL_CONNECT_TIMEOUT: '900', MINE: '1', HCCL_IF_BASE_PORT: '12345'}\n"
    environ = {"HCCL_CONNECT_TIMEOUT": "7200", "HCCL_SOCKET_IFNAME": "eth9", "RAY_DEDUP_LOGS": "1"}
    plan = planned(agentsdk(), tmp_path, environ=environ, tree={"runtime_env": own})
    variables = yaml.safe_load(plan.files["resolved/runtime_env.yaml"])["env_vars"]
    assert variables["HCCL_CONNECT_TIMEOUT"] == "7200" and variables["MINE"] == "1"
    assert variables["HCCL_SOCKET_IFNAME"] == "eth9"
    assert variables["HCCL_IF_BASE_PORT"] != "12345"
    assert "RAY_DEDUP_LOGS" not in plan.env
    assert all(isinstance(value, str) for value in variables.values())


def test_two_runs_get_ports_of_their_own(tmp_path):
    ports = {hccl_port(Path("/runs/p/e") / str(n)) for n in range(30)}
    assert len(ports) > 20 and all(port >= 24_000 and port + 16 <= 32_768 for port in ports)


def test_several_machines_join_a_cluster(tmp_path):
    text = agentsdk(num_node=2)
    alone = planned(text, tmp_path)
    joined = planned(text, tmp_path, ray_address="10.0.0.1:6766")
    assert alone.env["RAY_ADDRESS"] == "auto" and joined.env["RAY_ADDRESS"] == "10.0.0.1:6766"
    assert "agentic-rl cluster head" in next(note.text["en"] for note in alone.notes if note.key == "nodes")
    assert "PYTHONPATH" in yaml.safe_load(joined.files["resolved/runtime_env.yaml"])["env_vars"]
    assert planned(agentsdk(), tmp_path).env["RAY_ADDRESS"] == "local"


def test_missing_libraries_are_told(tmp_path):
    plan = planned(agentsdk(), tmp_path, tree={"libraries": False})
    assert sum("PYTHONPATH: m" in note.key for note in plan.notes) == 3


def test_experts_in_vllm_set_its_parallel_size(tmp_path):
    text = agentsdk(model_name="qwen3-30b-a3b", enable_expert_parallel=True, infer_expert_parallel_size=4)
    plan = planned(text, tmp_path)
    assert yaml.safe_load(plan.files["resolved/runtime_env.yaml"])["env_vars"]["VLLM_DP_SIZE"] == "4"


def test_each_variable_of_the_launch_has_its_reason(tmp_path):
    plan = planned(agentsdk(), tmp_path)
    reasons = reasons_for(plan.env, plan.backend)
    assert [name for name, why in reasons.items() if not why["en"].endswith("]") or not why["zh"].endswith("]")] == []
    assert "left alone" in reasons["RAY_ADDRESS"]["en"] and "Megatron" in reasons["PYTHONPATH"]["en"]
