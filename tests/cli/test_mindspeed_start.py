"""`plan` and `backends` with MindSpeed-RL's repository (its stand-in) on a machine that has NPUs."""

import json

import pytest
from mindspeed_tree import make_tree

from agentic_rl_wizard.runner.catalogue import render_template
from agentic_rl_wizard.runner.cli.launch import prepare
from agentic_rl_wizard.runner.cli.main import main


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A working folder with the repository, the data and the weights that the template names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for name in ("AGENTIC_RL_PYTHON", "MINDSPEED_RL_PATH", "PYTHONPATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(prepare, "_device", lambda target: "cpu" if target == "local" else "npu")
    for name in ("model", "params/release", "save"):
        (tmp_path / name).mkdir(parents=True)
    for rank in range(4):
        (tmp_path / "params" / "release" / f"mp_rank_{rank:02d}").mkdir()
    (tmp_path / "params" / "latest_checkpointed_iteration.txt").write_text("release")
    (tmp_path / "data.jsonl").write_text('{"problem": "1+1", "answer": "2"}\n')
    return tmp_path


def write(place, *, wrapper=False, data="packed/part"):
    text = render_template("agentsdk-mindspeed-rl", "en", {})
    values = {
        "tokenizer_name_or_path": place / "model", "data_path": place / data,
        "load_params_path": place / "params", "save_params_path": place / "save",
    }  # fmt: skip
    lines = []
    for line in text.splitlines():
        name = line.strip().partition(":")[0]
        if name == "agent_engine_wrapper_path" and not wrapper:
            continue
        lines.append(f"{line.partition(name)[0]}{name}: {values[name]}" if name in values else line)
    path = place / "c.yaml"
    path.write_text("\n".join([*lines, ""]))
    return str(path)


def packed(place):
    (place / "packed").mkdir()
    (place / "packed" / "part_packed_input_ids_document.idx").write_bytes(b"x")


def test_the_plan_of_an_agentsdk_file(place, capsys):
    make_tree(place / "MindSpeed-RL")
    packed(place)
    assert main(["plan", write(place), "--json"]) == 0, capsys.readouterr().err
    plan = json.loads(capsys.readouterr().out)
    assert plan["backend"] == "mindspeed-rl" and plan["cwd"] == str(place / "MindSpeed-RL")
    assert plan["argv"][1] == "cli/train_grpo.py"
    assert "rl_config:" in plan["files"]["resolved/agentic_rl_run.yaml"]
    assert plan["checkpoint_dir"] == str(place / "save")


def test_records_are_to_be_packed_first(place, capsys):
    make_tree(place / "MindSpeed-RL")
    assert main(["plan", write(place, data="data.jsonl")]) == 2
    assert "preprocess_data.py" in capsys.readouterr().err


def test_without_the_repository_it_is_said_what_to_do(place, capsys):
    assert main(["plan", write(place, data="data.jsonl"), "--backend", "mindspeed-rl"]) == 3
    assert "MINDSPEED_RL_PATH" in capsys.readouterr().err


def test_the_repository_is_listed(place, capsys, monkeypatch):
    monkeypatch.setenv("MINDSPEED_RL_PATH", str(make_tree(place / "elsewhere", "2.3.0")))
    assert main(["backends", "--json"]) == 0
    found = {one["backend"]: one for one in json.loads(capsys.readouterr().out)["backends"]}["mindspeed-rl"]
    assert found["present"] and found["version"] == "2.3.0" and found["program"] == str(place / "elsewhere")


def test_an_own_file_in_the_repository(place, capsys):
    root = make_tree(place / "repo", "2.2.0")
    (root / "configs" / "mine.yaml").write_text(
        "defaults:\n  - model: [qwen25_7b]\n"
        "megatron_training: {stage: ray_grpo, data_path: ./d, global_batch_size: 8, seq_length: 1024, train_iters: 4}\n"
        "actor_config: {model: qwen25_7b, micro_batch_size: 1, tensor_model_parallel_size: 2, load: ./a, save: ./out}\n"
        "rl_config: {n_samples_per_prompt: 2, mini_batch_size: 8, actor_resource: {num_npus: 4}}\n"
        "generate_config: {infer_tensor_parallel_size: 2, max_model_len: 2048}\n"
    )
    assert main(["plan", str(root / "configs" / "mine.yaml"), "--json"]) == 0, capsys.readouterr().err
    plan = json.loads(capsys.readouterr().out)
    assert plan["cwd"] == str(root) and plan["checkpoint_dir"] == str(root / "out")
