"""`agentic-rl doctor`: what it prints, its exit codes, and that nothing which hangs or babbles holds it up."""

from __future__ import annotations

import json
import os
import re
import string
import sys
import time

import pytest

from agentic_rl_wizard.runner.catalogue.wrap import width
from agentic_rl_wizard.runner.cli.doctor import scene as doctor_scene
from agentic_rl_wizard.runner.cli.doctor.scene import gather, together, wants_of
from agentic_rl_wizard.runner.cli.doctor.texts import TEXTS
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.doctor import judge
from agentic_rl_wizard.runner.facts import devices as device_facts

CHINESE = re.compile("[\u3000-\u9fff]")
PYTHON = """
import json, sys
found = {found!r}
print("welcome to this cluster")
print(json.dumps({{"python": "3.11.9", "machine": "aarch64", "found": {{
    name: [{{"version": version, "place": "/site"}}] for name, version in found.items()}}}}))
"""
NPU_SMI = """
print('''
| npu-smi 25.5.0     Version: 25.5.0 |
| NPU   Name   | Health | Power(W)  Temp(C)  Hugepages-Usage(page)     |
| Chip         | Bus-Id | AICore(%) Memory-Usage(MB) HBM-Usage(MB)     |
| 0     910B3  | OK     | 90.5  41  0 / 0 |
| 0            | 0000:9C:00.0 | 0  0 / 0  3000 / 65536 |
| 1     910B3  | Alarm  | 91.5  41  0 / 0 |
| 0            | 0000:9D:00.0 | 0  0 / 0  3000 / 65536 |
''')
"""


@pytest.fixture(autouse=True)
def machine(monkeypatch, tmp_path):
    """English, no device tools, and variables that say nothing."""
    for name in list(os.environ):
        if re.match(r"(?i).*(proxy|IFNAME|VISIBLE_DEVICES)|ASCEND.*|HCCL.*|TMPDIR|RAY_TMPDIR|PYTHON.*", name):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(device_facts, "TOOL_FOLDERS", ())
    (tmp_path / "bin").mkdir()


@pytest.fixture
def program(tmp_path):
    """A stand-in of npu-smi, or of an interpreter that answers in its own way."""

    def make(code, name="npu-smi"):
        path = tmp_path / "bin" / name
        path.write_text(f"#!{sys.executable} -IS\nimport sys, time\n{code}\n")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def python(program):
    return lambda **found: program(PYTHON.format(found={k.replace("_", "-"): v for k, v in found.items()}), "python")


def ids(found):
    return {one["id"]: one["level"] for one in found["findings"]}


def test_json(python, program, capsys):
    program(NPU_SMI)
    assert main(["doctor", "--python", python(verl="0.7.1", torch_npu="2.8.0", torch="2.9.0"), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert list(said) == ["ok", "findings", "versions"]
    assert said["ok"] is False
    assert said["versions"]["torch-npu"] == "2.8.0"
    assert said["versions"]["python"] == "3.11.9"
    found = ids(said)
    assert found["torch-npu-mismatch"] == "error"
    assert found["device-unhealthy"] == "warning"
    one = next(row for row in said["findings"] if row["id"] == "torch-npu-mismatch")
    assert list(one) == ["id", "level", "group", "subject", "seen", "because", "cure", "source"]
    assert one["seen"] == "torch_npu 2.8.0 with torch 2.9.0."
    assert "pip install torch==2.8.0" in one["cure"]
    assert one["source"]


def test_the_report_fits_a_terminal_and_names_the_cure(python, capsys):
    assert main(["doctor", "--python", python(torch_npu="2.8.0", torch="2.9.0", verl="0.7.1")]) == 1
    said = capsys.readouterr().out
    assert "error    torch_npu 2.8.0 with torch 2.9.0." in said
    assert "cure: pip install torch==2.8.0" in said
    assert "\x1b" not in said
    # Nothing but a path or a command, which must be copied in one piece, may be longer.
    long = [line for line in said.splitlines() if width(line) > 80]
    assert [line for line in long if "cure:" not in line and len(line.split()) > 1] == []


def test_both_languages_say_the_same(python, capsys):
    there = python(torch_npu="2.8.0", torch="2.9.0")
    said = {}
    for lang in ("en", "zh"):
        main(["doctor", "--python", there, "--json", "--lang", lang])
        said[lang] = json.loads(capsys.readouterr().out)
    assert ids(said["en"]) == ids(said["zh"])
    for one, other in zip(said["en"]["findings"], said["zh"]["findings"], strict=True):
        assert not CHINESE.search(one["seen"] + one["because"])
        assert bool(one["because"]) == bool(CHINESE.search(other["because"])), one["id"]


def test_only_what_is_wrong(python, capsys):
    main(["doctor", "--python", python(verl="0.9.1"), "--quiet"])
    said = capsys.readouterr().out
    assert "  ok  " not in said
    assert said.strip()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("sys.exit('ModuleNotFoundError: no module')", "python-unreachable"),
        ("print('hello')", "python-unreachable"),
        ("import json; print(json.dumps({'python': '2.7.18'}))", "python-too-old"),
        ("time.sleep(60)", "python-unreachable"),
    ],
    ids=["fails", "babbles", "old", "hangs"],
)
def test_an_interpreter_that_can_not_be_asked(program, capsys, monkeypatch, code, found):
    monkeypatch.setattr(doctor_scene, "SOFTWARE_TIMEOUT", 0.5 if "sleep" in code else 60)
    assert main(["doctor", "--python", program(code, "python"), "--json"]) == 3
    assert ids(json.loads(capsys.readouterr().out))[found] == "error"


def test_no_interpreter(capsys, tmp_path):
    assert main(["doctor", "--python", str(tmp_path / "none")]) == 3
    assert "is not there" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("time.sleep(60)", "npu-smi-hangs"),
        ("print('%$ nothing known')", "npu-smi-unreadable"),
        ("print('dcmi module initialize failed. ret is -8005'); sys.exit(1)", "npu-smi-fault"),
        ("sys.exit(7)", "npu-smi-fault"),
    ],
    ids=["hangs", "garbage", "no-device", "fails"],
)
def test_npu_smi_that_does_not_tell(python, program, capsys, monkeypatch, code, found):
    monkeypatch.setattr(doctor_scene, "TOOL_TIMEOUT", 0.5 if "sleep" in code else 60)
    program(code)
    main(["doctor", "--python", python(), "--json"])
    assert found in ids(json.loads(capsys.readouterr().out))


def test_what_hangs_in_the_kernel_is_not_waited_for():
    before = time.process_time()
    answers = together(
        {"slow": lambda: time.sleep(30), "good": lambda: 3, "bad": lambda: 1 / 0}, time.monotonic() + 0.2
    )
    assert answers == {"good": 3, "bad": None}
    assert time.process_time() - before < 5


def test_secrets_are_masked(python, capsys, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://user:hunter2@proxy:8080")
    monkeypatch.setenv("HCCL_IF_IP", "http://user:hunter2@host")
    monkeypatch.setenv("WANDB_API_KEY", "0123456789abcdef")
    for options in ([], ["--json"]):
        main(["doctor", "--python", python(), *options])
        said = capsys.readouterr().out
        assert "hunter2" not in said
        assert "0123456789abcdef" not in said


def test_a_machine_of_recorded_files(tmp_path, python):
    root = tmp_path / "root"
    for path, text in (
        ("usr/local/Ascend/driver/version.info", "Version=25.5.0\n"),
        ("usr/local/Ascend/cann-8.5.0/set_env.sh", ""),
        ("dev/davinci0", ""),
        ("proc/self/status", "Name:\tx\nUmask:\t0022\n"),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scene = gather(python(), root=root, env={"GLOO_SOCKET_IFNAME": "nowhere0"}, deadline=60)
    found = {one.id: one for one in judge(scene)}
    assert found["cann-not-sourced"].params["script"] == str(root / "usr/local/Ascend/cann-8.5.0/set_env.sh")
    assert found["driver-ok"].params["driver"] == "25.5.0"
    assert {"managers-not-mapped", "npu-smi-missing", "interface-missing", "umask-open"} <= set(found)


@pytest.fixture
def config(tmp_path):
    def write(text):
        path = tmp_path / "c.yaml"
        path.write_text(text)
        return str(path)

    return write


def test_what_a_file_asks_for(config):
    wants = wants_of(
        config("trainer:\n  nnodes: 2\n  n_gpus_per_node: 16\nactor_rollout_ref:\n  rollout:\n    name: vllm\n")
    )
    assert (wants.target, wants.nodes, wants.devices, wants.engine) == ("verl", 2, 16, "vllm")
    wants = wants_of(config("trainer: {nnodes: 1, n_gpus_per_node: 4}\nrollout: {nnodes: 1, n_gpus_per_node: 2}\n"))
    assert wants.devices == 6
    wants = wants_of(config("train_backend: verl\nnum_gpus_per_node: 8\nnum_node: 1\nverl: {}\n"))
    assert (wants.target, wants.backend, wants.devices) == ("agentsdk", "verl", 8)
    assert wants.errors
    wants = wants_of(config("rl_config:\n  actor_resource: {num_npus: 8}\nmegatron_training: {}\n"))
    assert (wants.target, wants.backend, wants.devices) == ("mindspeed-rl", "mindspeed-rl", 8)
    assert not wants_of(config("a: [")).readable


def test_a_file(config, python, capsys):
    there = python(verl="0.9.1", vllm="0.24.0")
    path = config("trainer:\n  nnodes: 1\n  n_gpus_per_node: 8\n")
    assert main(["doctor", path, "--python", there, "--json", "--verl-version", "0.8.0"]) == 1
    found = ids(json.loads(capsys.readouterr().out))
    assert found["devices-short"] == "error"
    assert found["verl-differs"] == "warning"
    assert main(["doctor", config("a: ["), "--python", there]) == 2
    assert "can't be read" in " ".join(capsys.readouterr().out.split())


def test_texts():
    formatter = string.Formatter()
    for key, texts in TEXTS.items():
        names = [{name for _, name, _, _ in formatter.parse(texts[lang]) if name} for lang in ("en", "zh")]
        assert names[0] == names[1], key
        assert not CHINESE.search(texts["en"]), key


def test_ray_of_a_run_that_lives_is_not_left_over(monkeypatch):
    from types import SimpleNamespace

    from agentic_rl_wizard.runner.facts.system import RayProcess
    from agentic_rl_wizard.runner.process import index

    def find(reference):
        if reference == "unknown":
            raise index.RunNotFound(reference, [], "")
        return SimpleNamespace(state={"alive": "running", "dead": "failed"}[reference])

    monkeypatch.setattr(index, "find_run", find)
    runs = ["alive", "dead", "unknown", ""]
    processes = tuple(RayProcess(number, "raylet", 1.0, run) for number, run in enumerate(runs))
    monkeypatch.setattr(doctor_scene, "look_at_ray", lambda: processes)
    assert [one.pid for one in doctor_scene._ray()] == [1, 2, 3]


def test_the_source_tree_of_mindspeed_rl_is_found_where_the_start_finds_it(tmp_path, config, python):
    tree = tmp_path / "elsewhere" / "deep" / "MindSpeed-RL"
    for path in ("cli/train_grpo.py", "mindspeed_rl/__init__.py", "configs/grpo.yaml"):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("")
    wants = wants_of(config("rl_config:\n  actor_resource: {num_npus: 8}\nmegatron_training: {}\n"))
    there = python(torch="2.5.1")
    for env, expected in (({}, True), ({"MINDSPEED_RL_PATH": str(tree)}, False)):
        scene = gather(there, wants, work=tmp_path, env=env, deadline=60)
        assert ("backend-missing" in {one.id for one in judge(scene)}) is expected
