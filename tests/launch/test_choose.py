"""Which back end is taken, and what is said about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.backends.backend import Installed
from agentic_rl_wizard.runner.backends.choose import NAMES, candidates, choose
from agentic_rl_wizard.runner.backends.errors import PlanError
from agentic_rl_wizard.runner.cli.launch.device_list import device_list
from agentic_rl_wizard.runner.cli.launch.texts_backends import BACKENDS, TEXTS
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.facts.tools import look_at_tools

VERL = {"train_backend": "verl", "verl": {}}
MINDSPEED = {"train_backend": "mindspeed_rl", "mindspeed_rl": {}}
SEVEN = {"data_path": "/d", "train_iters": 1}
FACTORY = {"af_output_dir": "/o", "backend_config": {"data": {}, "trainer": {}}}
FACTORY_MS = {"af_output_dir": "/o", "backend_config": {"megatron_training": {}}}


@pytest.mark.parametrize(
    ("values", "target", "able"),
    [
        (VERL, "agentsdk", ("agentsdk", "verl")),
        (VERL, "verl", ("verl",)),
        (MINDSPEED, "agentsdk", ("agentsdk", "mindspeed-rl")),
        (SEVEN, "agentsdk", ("agentsdk", "mindspeed-rl")),
        (FACTORY, "ascendfactory", ("ascendfactory", "verl")),
        (FACTORY_MS, "ascendfactory", ("ascendfactory", "mindspeed-rl")),
        ({"trainer": {}}, "verl", ("verl",)),
        ({"rl_config": {}}, "mindspeed-rl", ("mindspeed-rl",)),
        ({"direct_conf": {}}, "agentsdk", ()),
    ],
    ids=["verl", "direct", "mindspeed", "seven", "factory", "factory-ms", "native", "native-ms", "hydra"],
)
def test_candidates(values: dict[str, Any], target: str, able: tuple[str, ...]) -> None:
    assert candidates(values, target) == able


def there(*names: str) -> dict[str, Installed]:
    why = {"en": "it is gone", "zh": "不存在"}
    return {name: Installed(name, name in names, "26.0.0", f"/x/{name}", why_not={} if name in names else why)
            for name in NAMES[1:]}  # fmt: skip


def test_auto_takes_what_is_there_and_says_why() -> None:
    assert choose(VERL, there("agentsdk", "verl")).backend == "agentsdk"
    direct = choose(VERL, there("verl"))
    assert direct.backend == "verl" and "it is gone" in direct.reason["en"]
    gpu = choose(VERL, there("agentsdk", "verl"), device="gpu")
    assert gpu.backend == "verl" and "NPUs only" in gpu.reason["en"]
    old = {**there("verl"), "agentsdk": Installed("agentsdk", True, "7.3.0", "/x/agentic_rl")}
    assert choose(VERL, old).backend == "verl" and "MindSpeed-RL alone" in choose(VERL, old).reason["en"]
    assert choose(MINDSPEED, old).backend == choose(SEVEN, old).backend == "agentsdk"
    assert choose(FACTORY, there("ascendfactory")).backend == "ascendfactory"
    assert choose(FACTORY, there("verl")).backend == "verl"
    assert choose(VERL, there("agentsdk"), local=True).backend == "verl"
    assert choose(VERL, there(), target="agentsdk").backend == "verl"


@pytest.mark.parametrize(
    ("wish", "values", "local", "code"),
    [
        ("agentsdk", FACTORY, False, "backend-unsuitable"),
        ("ascendfactory", VERL, False, "backend-unsuitable"),
        ("mindspeed-rl", VERL, False, "backend-unsuitable"),
        ("agentsdk", VERL, False, "backend-absent"),
        ("agentsdk", VERL, True, "backend-local"),
        ("auto", {"direct_conf": {}}, False, "backend-unsuitable"),
    ],
    ids=["shape", "shape2", "ms", "absent", "local", "hydra"],
)
def test_refusals(wish: str, values: dict[str, Any], local: bool, code: str) -> None:
    with pytest.raises(PlanError) as caught:
        choose(values, there("verl"), wish=wish, local=local)
    assert caught.value.code == code


def test_the_names_on_the_command_line_are_those_of_the_back_ends() -> None:
    assert BACKENDS == NAMES
    assert all(set(text) == {"en", "zh"} for text in TEXTS.values())


def script(path: Path, first: str, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{first}\n")
    path.chmod(mode)
    return path


def test_programs_beside_the_interpreter_go_first(tmp_path: Path) -> None:
    own = script(tmp_path / "env" / "bin" / "agentic_rl", f"#!{tmp_path}/env/bin/python")
    script(tmp_path / "env" / "bin" / "python", "#!/bin/sh")
    other = script(tmp_path / "other" / "agentic_rl", "#!/gone/python")
    python = str(tmp_path / "env" / "bin" / "python")
    variables = {"PATH": f"{tmp_path}/other:{tmp_path}/nowhere", "HOME": str(tmp_path / "home")}
    tool = look_at_tools(python, ("agentic_rl", "ray"), variables)["agentic_rl"]
    assert (tool.path, tool.problem, tool.others) == (str(own), "", (str(other),))
    own.chmod(0o640)
    tool = look_at_tools(python, ("agentic_rl",), variables)["agentic_rl"]
    assert (tool.path, tool.problem) == (str(other), "interpreter-missing")
    other.chmod(0o640)
    assert look_at_tools(python, ("agentic_rl",), variables)["agentic_rl"].problem == "not-executable"
    user = script(tmp_path / "home" / ".local" / "bin" / "agentic_rl", "\x7fELF")
    assert look_at_tools(python, ("agentic_rl",), variables)["agentic_rl"].path == str(user)
    assert look_at_tools("python", ("ray",), {})["ray"].problem == "missing"


def test_the_list_of_back_ends(bench: Any) -> None:
    assert main(["backends", "--python", bench.python, "--json", "--lang", "zh"]) == 0
    listed = {one["backend"]: one for one in json.loads(bench.capsys.readouterr().out)["backends"]}
    assert listed["agentsdk"]["present"] and listed["agentsdk"]["version"] == "26.0.0"
    assert listed["agentsdk"]["start"].endswith("agentic_rl --config-path FILE")
    assert listed["verl"]["version"] == "0.5.0" and "npu" in listed["verl"]["devices"]
    assert main(["backends", "--python", bench.python]) == 0
    assert "installed 26.0.0" in bench.said()
    assert main(["backends", "--python", "/no/python"]) == 3
    assert "does not answer" in bench.said()


@pytest.mark.parametrize(
    ("text", "devices"), [("0-3", "0,1,2,3"), ("0,2", "0,2"), ("1, 0-1", "1,0"), ("", "")], ids=range(4)
)
def test_devices(text: str, devices: str) -> None:
    assert device_list(text) == devices


@pytest.mark.parametrize("text", ["3-0", "a", "0-", "-1", "0,,1", "1;2"])
def test_devices_that_are_no_list(bench: Any, text: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["plan", str(bench.agentsdk()), f"--devices={text}"])
    assert caught.value.code == 2
    assert "--devices" in bench.said()
