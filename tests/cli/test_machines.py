"""Machine profiles: the built-in ones, files, and every mistake with its place."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.catalogue.machines import builtin_profiles
from agentic_rl_wizard.runner.check import World
from agentic_rl_wizard.runner.cli.check.machine_profile import MachineProfile, read_profile
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.facts import Machine

CHINESE = re.compile(r"[\u4e00-\u9fff]")


def profile(tmp_path: Path, text: str) -> MachineProfile:
    path = tmp_path / "m.yaml"
    path.write_text(text, encoding="utf-8")
    return read_profile(str(path))


@pytest.mark.parametrize("name", [p.name for p in builtin_profiles()])
def test_a_builtin_profile_reads_without_a_problem(name: str) -> None:
    found = read_profile(name)
    assert found.problems == ()
    assert found.machine is not None
    assert found.machine.accelerator in ("npu", "gpu", "cpu")
    title = found.machine.title
    assert CHINESE.search(title["zh"])
    assert not CHINESE.search(title["en"])
    assert next(p for p in builtin_profiles() if p.name == name).source


def test_the_numbers_of_the_npus() -> None:
    a2, a3 = read_profile("atlas-800t-a2").machine, read_profile("ATLAS-A3").machine
    assert a2 is not None and a3 is not None
    assert (a2.devices, a2.device_memory_gib, a3.devices, a3.device_memory_gib) == (8, 64, 16, 64)
    assert a3.memory_gib is None  # it depends on the order: unknown, not invented


def test_every_fact_of_a_profile(tmp_path: Path) -> None:
    found = profile(
        tmp_path,
        """\
title: our box
accelerator: npu
nodes: 2
devices_per_node: 8
device_memory_gib: 64
free_device_memory_gib: 8.5
cpus_per_node: 192
memory_gib: 1024
ray_devices: 15
env: {HCCL_CONNECT_TIMEOUT: 1800, ASCEND_RT_VISIBLE_DEVICES: "0,1", EMPTY: null}
model: {num_attention_heads: 28, num_key_value_heads: 4, rope_scaling: {factor: 4.0}, architectures: [X]}
dataset: {columns: [prompt, data_source], rows: 7473, longest_prompt: 812}
checkpoint: {world_size: 16}
""",
    )
    assert found.problems == ()
    machine, model = found.machine, found.model
    assert machine is not None and model is not None and found.dataset is not None and found.checkpoint is not None
    assert (machine.nodes, machine.devices, machine.free_device_memory_gib, machine.ray_devices) == (2, 8, 8.5, 15)
    assert machine.env == {"HCCL_CONNECT_TIMEOUT": "1800", "ASCEND_RT_VISIBLE_DEVICES": "0,1"}
    assert machine.title == {"en": "our box", "zh": "our box"}
    assert (model.num_attention_heads, model.num_key_value_heads, model.rope_scaling_factor) == (28, 4, 4.0)
    assert model.hidden_size is None
    assert (found.dataset.columns, found.dataset.rows) == (("prompt", "data_source"), 7473)
    assert found.dataset.longest_prompt == 812
    assert found.checkpoint.world_size == 16


def test_what_is_left_out_is_unknown(tmp_path: Path) -> None:
    found = profile(tmp_path, "devices_per_node: 4\n")
    assert found.machine == Machine(None, 4, 4)
    assert (found.model, found.dataset, found.checkpoint) == (None, None, None)
    assert profile(tmp_path, "device_memory_gib: null\nmodel: {hidden_size: null}\n").problems == ()


def test_facts_replace_what_was_gathered(tmp_path: Path) -> None:
    gathered = World(machine=Machine("cpu", 0))
    assert profile(tmp_path, "dataset: {rows: 3}\n").applied_to(gathered).dataset is not None
    assert profile(tmp_path, "accelerator: npu\n").applied_to(gathered).machine == Machine("npu", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("accelerator: tpu\n", ("error", "profile-choice", "accelerator", 1, 14)),
        ("accelerator: nppu\n", ("error", "profile-choice", "accelerator", 1, 14)),
        ("\ndevices_per_node: eight\n", ("error", "profile-type", "devices_per_node", 2, 19)),
        ("devices_per_node: true\n", ("error", "profile-type", "devices_per_node", 1, 19)),
        ("devices_per_node: -1\n", ("error", "profile-range", "devices_per_node", 1, 19)),
        ("devices_per_node: 2.5\n", ("error", "profile-type", "devices_per_node", 1, 19)),
        ("device_memory_gib: .nan\n", ("error", "profile-type", "device_memory_gib", 1, 20)),
        ("device_memory_gib: 1e9999\n", ("error", "profile-type", "device_memory_gib", 1, 20)),
        ("nodes: 0\n", ("error", "profile-range", "nodes", 1, 8)),
        (
            "device_memory_gib: 64\nfree_device_memory_gib: 80\n",
            ("error", "profile-range", "free_device_memory_gib", 2, 25),
        ),
        ("env: [A]\n", ("error", "profile-type", "env", 1, 6)),
        ("env:\n  A: yes\n", ("error", "profile-type", "env.A", 2, 6)),
        ("model: 7\n", ("error", "profile-type", "model", 1, 8)),
        ("model: Qwen/Qwen2.5-8B\n", ("error", "profile-choice", "model", 1, 8)),
        ("model:\n  num_attention_heads: 1k\n", ("error", "profile-type", "model.num_attention_heads", 2, 24)),
        ("model: {num_atention_heads: 28}\n", ("warning", "profile-unknown-key", "model.num_atention_heads", 1, 9)),
        ("dataset: {columns: prompt}\n", ("error", "profile-type", "dataset.columns", 1, 20)),
        ("dataset: {columns: [1]}\n", ("error", "profile-type", "dataset.columns[0]", 1, 21)),
        ("checkpoint: {world_size: 0}\n", ("error", "profile-range", "checkpoint.world_size", 1, 26)),
        ("device_per_node: 8\n", ("warning", "profile-unknown-key", "device_per_node", 1, 1)),
        ("title: {en: 5}\n", ("error", "profile-type", "title.en", 1, 13)),
        ("a: [\n", ("error", "yaml-syntax", "", 2, 1)),
        ("- 1\n", ("error", "file-not-mapping", "", 1, 1)),
    ],
    ids=str,
)
def test_a_mistake_has_its_place(tmp_path: Path, text: str, expected: tuple[str, str, str, int, int]) -> None:
    found = profile(tmp_path, text)
    first = next(p for p in found.problems if p.code == expected[1])
    assert (first.level, first.code, first.key, first.line, first.column) == expected
    assert found.ok == (expected[0] == "warning")
    for lang in ("en", "zh"):
        sentence = problem_text(first, lang)  # type: ignore[arg-type]
        assert sentence.message and sentence.because
        assert "??" not in sentence.message + sentence.fix


def test_the_nearest_name_is_offered(tmp_path: Path) -> None:
    (unknown,) = profile(tmp_path, "device_per_node: 8\n").problems
    assert unknown.params["nearest"] == "devices_per_node"
    (nobody,) = read_profile("atlas-800-a2").problems
    assert (nobody.code, nobody.params["nearest"]) == ("profile-unknown", "atlas-800t-a2")
    assert [p.code for p in read_profile("absent.yaml").problems] == ["file-missing"]


def test_a_file_wins_over_a_builtin_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cpu").write_text("devices_per_node: 3\n")
    found = read_profile("cpu")
    assert found.machine is not None
    assert found.machine.devices == 3


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x00", b"a: &x [*x]", b"a: " + b"[" * 500, b""], ids=str)
def test_hostile_profiles_are_problems(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "m.yaml"
    path.write_bytes(data)
    assert not read_profile(str(path)).ok
    assert not read_profile(str(tmp_path)).ok
    assert not read_profile(f"{tmp_path}/a\0b").ok


def test_a_model_may_be_named(tmp_path: Path) -> None:
    for name in ("Qwen/Qwen2.5-7B-Instruct", "qwen25_7b"):
        found = profile(tmp_path, f"model: {name}\n").model
        assert found is not None
        assert (found.num_attention_heads, found.num_key_value_heads, found.source) == (28, 4, "preset")


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["machines", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["machines"]
    assert {"atlas-800t-a2", "atlas-a3", "gpu-h100", "cpu"} <= {entry["name"] for entry in listed}
    assert all(entry["title"] and entry["source"] for entry in listed)
    assert main(["machines", "--lang", "zh"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(listed)
    assert all(CHINESE.search(line) for line in lines)


CONFIG = """\
tokenizer_name_or_path: /m/model
model_name: qwen2.5-7b
agent_name: math
agent_engine_wrapper_path: /m/w.py
train_backend: verl
num_gpus_per_node: 16
verl: {train_files: /d/a.parquet, val_files: /d/b.parquet}
"""


def test_check_takes_a_name_a_file_and_neither(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.environ.pop("AGENTIC_RL_PYTHON", None)
    file = tmp_path / "c.yaml"
    file.write_text(CONFIG)

    def run(machine: object) -> tuple[int, str, str]:
        code = main(["check", str(file), "--no-paths", "--lang", "en", "--machine", str(machine)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    code, out, _ = run("atlas-800t-a2")
    assert (code, "devices-too-few" in out) == (1, True)
    assert "devices-too-few" not in run("atlas-a3")[1]
    mine = tmp_path / "mine.yaml"
    mine.write_text("devices_per_node: 16\nnoodes: 1\n")
    code, out, err = run(mine)
    assert "devices-too-few" not in out
    assert f"{mine}:2:1: warning profile-unknown-key" in err
    mine.write_text("devices_per_node: many\n")
    code, out, err = run(mine)
    assert (code, out) == (2, "")
    assert f"{mine}:1:19: error profile-type" in err
    code, out, err = run("nowhere")
    assert (code, out) == (2, "")
    assert "agentic-rl machines" in err
