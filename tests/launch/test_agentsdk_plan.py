"""What the plan of agentic_rl says, and when there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from standin_environment import make_environment


def notes(plan: dict[str, Any], key: str, lang: str = "en") -> str:
    return "\n".join(note["text"][lang] for note in plan["notes"] if note["key"] == key)


def test_what_is_lost_of_the_environment_is_told_beforehand(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HCCL_CONNECT_TIMEOUT", "7200")
    monkeypatch.setenv("MY_SEARCH_API_KEY", "s3cret")
    monkeypatch.setenv("ASCEND_HOME_PATH", "/usr/local/Ascend")
    plan = bench.plan(bench.agentsdk())
    told = notes(plan, "environment")
    assert "HCCL_CONNECT_TIMEOUT" in told and "MY_SEARCH_API_KEY" in told
    assert "ASCEND_HOME_PATH" not in told and "s3cret" not in str(plan)
    assert plan["argv"] == [bench.environment.command("agentic_rl"), "--config-path",
                            str(bench.root / "runs" / "RUN_DIRECTORY" / "resolved" / "c.yaml")]  # fmt: skip
    assert set(plan["env_reasons"]) == set(plan["env"]) == {"PYTHONUNBUFFERED"}
    assert bench.run(bench.agentsdk(verl__total_training_steps=1))[0] == 0
    assert "Set now and lost" in bench.said()
    assert bench.call("plan", str(bench.agentsdk()), "--python", bench.python, "--lang", "zh") == 0
    assert "须知" in bench.said()


def test_dead_keys_and_limits_are_told(bench: Any) -> None:
    plan = bench.plan(bench.agentsdk(verl__val_only=False, clip_ratio=0.1))
    assert "without effect" in notes(plan, "verl.val_only") and "without effect" in notes(plan, "clip_ratio")
    assert "120 s" in notes(plan, "verl.ppo_mini_batch_size")
    assert "120 秒" in notes(plan, "verl.ppo_mini_batch_size", "zh")
    assert "agentic_rl 26.0.0 is installed" in notes(plan, "--backend")
    assert plan["overrides"]["actor_rollout_ref.actor.use_dynamic_bsz"] is True
    direct = bench.plan(bench.agentsdk(agent_engine_wrapper_path=str(bench.root / "wrapper.py")))
    assert direct["backend"] == "agentsdk"


def test_documented_names_are_written_as_the_software_reads_them(bench: Any) -> None:
    config = bench.agentsdk(verl__use_kl_loss=True, verl__kl_loss_coef=0.01)
    config.write_text(config.read_text().replace("kl_loss_coef:", "kl_loss_coeff:"))
    plan = bench.plan(config)
    values = yaml.safe_load(plan["files"]["resolved/c.yaml"])
    assert values["verl"]["kl_loss_coef"] == 0.01 and "kl_loss_coeff" not in values["verl"]
    assert "kl_loss_coef" in notes(plan, "verl.kl_loss_coeff")


@pytest.mark.parametrize(
    ("option", "word"),
    [("--devices=0-3", "ASCEND_RT_VISIBLE_DEVICES"), ("--ray-address=h:1", "RAY_ADDRESS")],
    ids=["d", "r"],
)
def test_options_that_would_be_lost_are_refused(bench: Any, option: str, word: str) -> None:
    assert bench.call("plan", str(bench.agentsdk()), "--python", bench.python, option) == 2
    assert word in bench.said()


def test_several_nodes_need_a_cluster_that_runs(bench: Any) -> None:
    config = bench.agentsdk(num_node=2, verl__nnodes=2, verl__total_training_steps=1, verl__train_batch_size=8)
    assert "all 2 nodes" in notes(bench.plan(config), "num_node")
    code, record = bench.run(config)
    assert code == 1 and "Could not find any running Ray instance" in bench.log(record)
    bench.environment.start_ray_cluster()
    try:
        assert bench.run(config)[0] == 0
    finally:
        (bench.environment.folder / "ray_cluster").unlink()


def test_a_project_of_any_script_gets_a_run_directory_that_agentic_rl_reads(bench: Any) -> None:
    config = bench.agentsdk(verl__project_name="数学+1", verl__experiment_name="a..b", verl__total_training_steps=1)
    code, record = bench.run(config)
    assert code == 0, bench.said() + bench.log(record)
    assert record.directory.isascii() and ".." not in record.directory


def test_a_working_directory_that_it_refuses(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    place = bench.root / "with blank"
    place.mkdir()
    assert bench.call("plan", str(bench.agentsdk()), "--python", bench.python, "--workdir", str(place)) == 2
    assert "' '" in bench.said()


@pytest.mark.parametrize(
    ("version", "backend", "code", "word"),
    [
        ("26.1.0", "verl", 2, "aura"),
        ("7.3.0", "verl", 2, "data_path is missing"),
        ("26.0.0rc1", "mindspeed_rl", 0, ""),
        ("7.5.0", "mindspeed_rl", 2, "max_steps"),
    ],
    ids=["aura", "seven", "pre", "b"],
)
def test_other_releases(bench: Any, tmp_path: Path, version: str, backend: str, code: int, word: str) -> None:
    env = make_environment(tmp_path / "env", ("agentic_rl",), {"agentic_rl": version})
    config = bench.agentsdk(backend, **({"max_steps": 3} if version == "7.5.0" else {}))
    got = bench.call("plan", str(config), "--python", env.python, "--backend", "agentsdk")
    words = bench.said()
    assert got == code and word in words, words


def test_the_file_of_7_3_0(bench: Any, tmp_path: Path) -> None:
    env = make_environment(tmp_path / "env", ("agentic_rl",), {"agentic_rl": "7.3.0"})
    env.behave(generation="A")
    places = {"tokenizer_name_or_path": "model", "load_params_path": "weights", "save_params_path": "saved"}
    places |= {"agent_engine_wrapper_path": "wrapper.py", "data_path": "data"}
    lines = [f"{name}: {bench.root / place}" for name, place in places.items()]
    config = bench.file("seven.yaml", "\n".join([*lines, "train_iters: 2", "agent_name: a", ""]))
    bench.python = env.python
    code, record = bench.run(config)
    assert code == 0, bench.said() + bench.log(record)
    values = yaml.safe_load((Path(record.directory) / "resolved" / "seven.yaml").read_text())
    assert set(values) == {"tokenizer_name_or_path", "load_params_path", "save_params_path", "data_path",
                           "agent_engine_wrapper_path", "train_iters", "agent_name"}  # fmt: skip
    assert [row["step"] for row in bench.rows(record)] == [1, 2]


def test_a_command_of_another_environment_is_told(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = make_environment(tmp_path / "other", (), {"verl": "0.9.1"})
    monkeypatch.setenv("PATH", f"{bench.environment.bin}:/usr/bin:/bin")
    bench.python = other.python
    plan = bench.plan(bench.agentsdk())
    assert plan["backend_version"] == "26.0.0"
    assert "whose packages do not count" in notes(plan, "--backend")


def test_without_agentic_rl_verl_is_started(bench: Any, tmp_path: Path) -> None:
    bare = make_environment(tmp_path / "bare", (), {"verl": "0.5.0"})
    config = bench.agentsdk()
    assert bench.call("plan", str(config), "--python", bare.python, "--backend", "agentsdk") == 3
    assert "neither beside" in bench.said()
    (bare.bin / "agentic_rl").write_text("")
    assert bench.call("plan", str(config), "--python", bare.python, "--backend", "agentsdk") == 3
    assert "not executable" in bench.said()
    native = bench.factory(data__train_batch_size=32)
    bench.python = bare.python
    plan = bench.plan(native)
    assert plan["backend"] == "verl" and "started directly" in notes(plan, "--backend")


def test_auto_passes_over_releases_that_can_not_start_the_file(bench: Any, tmp_path: Path) -> None:
    aura = make_environment(tmp_path / "aura", ("agentic_rl",), {"agentic_rl": "26.1.0", "verl": "0.9.1"})
    old = make_environment(tmp_path / "old", ("agentic_rl",), {"agentic_rl": "7.3.0", "verl": "0.9.1"})
    config = bench.agentsdk()
    for env, word in ((aura, "aura"), (old, "MindSpeed-RL alone")):
        bench.python = env.python
        plan = bench.plan(config)
        assert plan["backend"] == "verl" and word in notes(plan, "--backend")
        assert plan["checkpoint_dir"].endswith("checkpoints/p/e")
