"""Judgements of the doctor: nothing to say where all is well, and each thing that is wrong by its name and level."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agentic_rl_wizard.runner.doctor import Wants
from agentic_rl_wizard.runner.facts.ascend import Ascend, DeviceFile, Toolkit
from agentic_rl_wizard.runner.facts.limits import Place
from agentic_rl_wizard.runner.facts.software import Copy, ImportTrial, PathEntry, Software
from agentic_rl_wizard.runner.facts.system import RayProcess
from agentic_rl_wizard.runner.stream.device_types import DeviceTable

from .conftest import SET_ENV, installed, table


def levels(found):
    return {name: finding.level for name, finding in found.items()}


def test_nothing_to_say_where_all_is_well(good, findings):
    assert findings(good) == {}
    well = findings(good, all=True)
    assert {"python-ok", "combination-known", "driver-ok", "cann-ok", "atb-ok", "devices-ok"} <= set(well)
    assert well["combination-known"].params == {"name": "verl", "version": "0.7.1"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"torch": "2.9.0"}, {"torch-npu-mismatch": "error", "combination-differs": "warning"}),
        ({"torch": "2.8.0+cpu"}, {}),
        ({"torch": "2.8.0+cu128"}, {"cuda-torch-under-npu": "error"}),
        ({"torch_npu": "2.8.0"}, {}),
        ({"vllm": "0.12.0"}, {"vllm-ascend-mismatch": "error", "combination-differs": "warning"}),
        ({"vllm": "0.13.0+empty"}, {}),
        ({"vllm": "0.0.1.dev1+gabc"}, {"vllm-version-unclear": "hint", "combination-differs": "warning"}),
        ({"triton": "3.5.0"}, {"triton-beside-triton-ascend": "warning"}),
        ({"transformers": "5.1.0"}, {"transformers-too-new-for-verl": "warning", "combination-differs": "hint"}),
        ({"numpy": "2.1.0"}, {"numpy-2-with-older-verl": "warning"}),
        ({"setuptools": "84.0.0"}, {"setuptools-without-pkg-resources": "hint"}),
        ({"verl": "0.7.3"}, {"combination-unknown": "hint"}),
        ({"verl": "0.8.0"}, {"combination-differs": "hint"}),
        ({"flash_attn": "2.7"}, {"flash-attention-under-npu": "hint"}),
    ],
    ids=["torch", "torch-cpu", "torch-cuda", "no-post", "vllm", "vllm-empty", "vllm-dev", "two-tritons", "transformers",
         "numpy", "setuptools", "unknown-verl", "inner-row-holds", "flash-attn"],
)  # fmt: skip
def test_releases_that_do_not_belong_together(good, findings, change, expected):
    versions = {name.replace("-", "_"): version for name, version in good.has.items()} | change
    assert levels(findings(replace(good, software=installed(**versions)))) == expected


def test_what_differs_is_named_with_what_is_there(good, findings):
    ascend = replace(good.ascend, toolkits=(Toolkit("/c", "8.3.RC1", SET_ENV),))
    found = findings(replace(good, ascend=ascend))["combination-differs"]
    assert found.params["differences"] == ["CANN 8.5.0 (8.3.RC1)"]
    assert "verl v0.7.1" in found.source


def test_no_row_is_asked_without_torch_npu(good, findings):
    software = installed(verl="0.9.1", torch="2.11.0", vllm="0.24.0", numpy="2.1.0")
    bare = replace(good, software=software, ascend=Ascend(), devices=None, tool="")
    assert levels(findings(bare)) == {"no-ascend": "hint"}


def test_mindspeed_rl_and_triton(good, findings):
    software = installed(mindspeed_rl="2.2.0", torch="2.5.1", torch_npu="2.5.1", triton_ascend="3.2.0")
    assert "triton-under-mindspeed-rl" in findings(replace(good, software=software))


def test_an_interpreter_without_an_answer(good, findings):
    found = findings(replace(good, software=Software("/no/python", problem="missing")))
    assert levels(found) == {"python-unreachable": "error"}
    old = findings(replace(good, software=Software("/p", "2.7.18", too_old=True)))
    assert levels(old) == {"python-too-old": "error"}


def test_two_copies(good, findings):
    copies = (Copy("0.8.0.dev0", "/tree", "/tree", "f" * 40), Copy("0.7.1", "/site"))
    software = replace(good.software, found={**good.software.found, "verl": copies})
    found = findings(replace(good, software=software), all=True)
    assert found["two-copies"].level == "warning"
    assert found["two-copies"].params["second_place"] == "/site"
    assert found["source-install"].params["commit"] == "f" * 12
    same = (Copy("0.7.1", "/a"), Copy("0.7.1", "/b"))
    software = replace(good.software, found={**good.software.found, "verl": same})
    assert levels(findings(replace(good, software=software))) == {"two-copies": "hint"}


def test_the_import_path(good, findings, with_env):
    entries = (PathEntry("/gone", False), PathEntry("/mine", True, ("queue",)))
    scene = replace(good, software=replace(good.software, pythonpath=entries, broken=("vllm: KeyError",)))
    expected = {"pythonpath-missing": "hint", "pythonpath-shadows": "warning", "metadata-broken": "warning"}
    assert levels(findings(scene)) == expected
    assert levels(findings(with_env(good, PYTHONDONTWRITEBYTECODE="1"))) == {"bytecode-off": "hint"}


def test_imports(good, findings):
    failed = (ImportTrial("torch_npu", "failed", "ImportError: libhccl.so: cannot open shared object file"),)
    ascend = replace(good.ascend, sourced=False, home="", atb_sourced=False)
    found = findings(replace(good, imports=failed, ascend=ascend))
    expected = {"import-failed": "error", "cann-not-sourced": "warning", "atb-not-sourced": "warning"}
    assert levels(found) == expected
    assert found["cann-not-sourced"].params["script"] == SET_ENV
    fine = findings(replace(good, imports=(ImportTrial("torch_npu", "good"),), ascend=ascend))
    assert fine["cann-not-sourced"].level == "hint"
    slow = findings(replace(good, imports=(ImportTrial("torch_npu", "timeout", seconds=7.0),)))
    assert levels(slow) == {"import-slow": "hint"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"toolkits": (), "sourced": False, "home": ""}, {"cann-missing": "warning"}),
        ({"toolkits": (), "sourced": False, "home": "/gone"}, {"cann-home-gone": "warning"}),
        ({"atb_set_env": "", "atb_sourced": False}, {"atb-missing": "warning"}),
        ({"driver": ""}, {"driver-missing": "warning"}),
        ({"devices": ()}, {"devices-not-mapped": "error"}),
        ({"managers": ()}, {"managers-not-mapped": "error"}),
        ({"devices": (DeviceFile("davinci0", False, "HwHiAiUser"),)}, {"devices-not-usable": "error"}),
    ],
    ids=["no-cann", "cann-gone", "no-atb", "no-driver", "not-mapped", "no-manager", "no-right"],
)
def test_the_ascend_stack(good, findings, change, expected):
    assert levels(findings(replace(good, ascend=replace(good.ascend, **change)))) == expected


def test_npu_smi(good, findings):
    none = DeviceTable("npu-smi")
    hangs = replace(good, devices=none, tool_problem="timeout", tool_timeout=6.0)
    assert levels(findings(hangs)) == {"npu-smi-hangs": "error"}
    words = {"en": "The driver does not answer.", "zh": "驱动没有响应。"}
    assert levels(findings(replace(good, devices=none, tool_words=words))) == {"npu-smi-fault": "error"}
    assert levels(findings(replace(good, devices=DeviceTable(), tool_said="%&"))) == {"npu-smi-unreadable": "warning"}
    assert levels(findings(replace(good, devices=None, tool=""))) == {"npu-smi-missing": "warning"}
    sick = findings(replace(good, devices=table("OK", "Alarm")))
    assert levels(sick) == {"device-unhealthy": "warning"}
    assert sick["device-unhealthy"].subject == "npu 1"
    assert levels(findings(replace(good, devices=table("Critical")))) == {"device-unhealthy": "error"}


@pytest.mark.parametrize(
    ("value", "level"),
    [("0,1,7", None), ("8", "error"), ("0;1", "error"), ("", "warning"), ("0, 1", None)],
    ids=["good", "absent", "no-list", "empty", "blanks"],
)
def test_visible_devices(good, findings, with_env, value, level):
    found = findings(with_env(good, ASCEND_RT_VISIBLE_DEVICES=value))
    assert levels(found) == ({} if level is None else {"visible-bad": level})


def test_the_numbers_of_the_host_are_good_in_a_container_that_has_one_device(good, findings, with_env):
    ascend = replace(good.ascend, devices=(DeviceFile("davinci5", True),))
    one = replace(good, ascend=ascend, devices=DeviceTable("npu-smi", "", table("OK").devices))
    for value in ("0", "5"):
        assert findings(with_env(one, ASCEND_RT_VISIBLE_DEVICES=value)) == {}
    assert "visible-bad" in findings(with_env(one, ASCEND_RT_VISIBLE_DEVICES="1"))


@pytest.mark.parametrize(
    ("env", "nodes", "expected"),
    [
        ({"HCCL_SOCKET_IFNAME": "eth"}, 1, {}),
        ({"HCCL_SOCKET_IFNAME": "=eth"}, 1, {"interface-missing": "error"}),
        ({"HCCL_SOCKET_IFNAME": "^eth1"}, 1, {}),
        ({"GLOO_SOCKET_IFNAME": "eth"}, 1, {"interface-missing": "error"}),
        ({"GLOO_SOCKET_IFNAME": "eth1"}, 1, {"interface-without-address": "error"}),
        ({"GLOO_SOCKET_IFNAME": "lo"}, 1, {}),
        ({"GLOO_SOCKET_IFNAME": "lo"}, 2, {"interface-loopback": "error"}),
        ({}, 2, {"interface-not-named": "hint"}),
        ({"HCCL_IF_IP": "10.0.0.6"}, 1, {"address-not-own": "error"}),
        ({"HCCL_IF_IP": "10.0.0.5", "HCCL_CONNECT_TIMEOUT": "1800"}, 1, {}),
        ({"HCCL_CONNECT_TIMEOUT": "30min"}, 1, {"number-expected": "warning"}),
        ({"VLLM_VERSION": "0.13.0"}, 1, {}),
        ({"VLLM_VERSION": "0.9.0"}, 1, {"vllm-version-differs": "warning"}),
        ({"http_proxy": "http://u:p@proxy:1"}, 1, {"proxy-local": "warning"}),
        ({"http_proxy": "http://proxy:1", "no_proxy": "localhost, 127.0.0.1"}, 1, {}),
        ({"https_proxy": "http://proxy:1"}, 1, {}),
        ({"PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True,max_split_size_mb:5"}, 1, {"allocator-clash": "error"}),
    ],
    ids=["prefix", "exact", "excluded", "no-prefix", "down", "lo-alone", "lo-nodes", "unnamed", "other-ip", "own-ip",
         "no-number", "vllm", "other-vllm", "proxy", "no-proxy", "https-only", "allocator"],
)  # fmt: skip
def test_variables(good, findings, with_env, env, nodes, expected):
    wants = Wants("f.yaml", "verl", nodes=nodes, devices=8, engine="vllm") if nodes > 1 else None
    assert levels(findings(replace(with_env(good, **env), wants=wants))) == expected


def test_the_own_host_name(good, findings):
    def named(resolved=(), nodes=1, slow=False, **has):
        wants = Wants("f", "verl", nodes=nodes, devices=8, engine="vllm")
        env = {"HCCL_SOCKET_IFNAME": "eth0"}
        network = replace(good.network, resolved=resolved, slow=slow, env=env)
        software = replace(good.software, found={**good.software.found, **has})
        return levels(findings(replace(good, network=network, wants=wants, software=software)))

    assert named() == {"host-unresolved": "warning"}
    assert named(slow=True) == {"host-slow": "warning"}
    assert named(("127.0.1.1",)) == {}
    assert named(("127.0.1.1",), nodes=2) == {"host-loopback": "warning"}
    wants = Wants("f", "mindspeed-rl", "mindspeed-rl")
    found = findings(replace(good, network=replace(good.network, resolved=()), wants=wants))
    assert found["host-unresolved"].level == "error"


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"umask": 0o022}, {"umask-open": "hint"}),
        ({"umask": 0o077}, {}),
        ({"limits": {"nofile": (1024, 1024)}}, {"nofile-low": "warning"}),
        ({"limits": {"nofile": (1024, 1048576)}}, {"nofile-low": "hint"}),
        ({"limits": {"nproc": (1024, 1024)}}, {"nproc-low": "warning"}),
        ({"limits": {"stack": (1 << 20, -1)}}, {"stack-low": "hint"}),
        ({"temporary": "/scratch/very/long/path/of/a/batch/system/job", "temporary_from": "TMPDIR"},
         {"socket-path-long": "warning"}),
        ({"temporary": "/local/tmp"}, {}),
    ],
    ids=["umask", "stricter", "files", "soft-files", "processes", "stack", "long-path", "short-path"],
)  # fmt: skip
def test_limits(good, findings, limits, expected):
    assert levels(findings(replace(good, limits=replace(good.limits, **limits)))) == expected


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place("work", "/w", 0.01, 100.0, 99.0, 10**6), {"disk-full": "error"}),
        (Place("work", "/w", 0.5, 100.0, 90.0, 10**6), {"disk-low": "warning"}),
        (Place("work", "/w", 9.0, 100.0, 90.0, 10**6), {"disk-low": "hint"}),
        (Place("home", "/h", 9.0, 100.0, 90.0, 10**6), {}),
        (Place("work", "/w", 900.0, 1000.0, 1.0, 500), {"inodes-low": "warning"}),
        (Place("work", "/w", 900.0, 1000.0, 1.0, None), {}),
        (Place("ray", "/tmp", 90.0, 2000.0, 96.0, 10**6), {"ray-disk-nearly-full": "warning"}),
        (Place("home", "/h", 90.0, 100.0, 1.0, 10**6, False), {"not-writable": "warning"}),
        (Place("shm", "/dev/shm", 0.06, 0.0625), {"shm-small": "warning"}),
        (Place("shm", "/dev/shm", 0.5, 64.0), {"shm-full": "warning"}),
        (Place("work", "/hangs"), {}),
    ],
    ids=["full", "scarce", "low", "home", "inodes", "no-inodes", "ray", "closed", "shm", "shm-full", "unknown"],
)
def test_places(good, findings, place, expected):
    places = tuple(place if one.role == place.role else one for one in good.limits.places)
    assert levels(findings(replace(good, limits=replace(good.limits, places=places)))) == expected


def test_the_machine(good, findings):
    ray = (RayProcess(7, "raylet", 7300.0),)
    assert findings(replace(good, ray=ray))["ray-left"].params == {"pids": [7], "age": "2 h"}
    system = replace(good.system, clock=1e9)
    assert levels(findings(replace(good, system=system))) == {"clock-wrong": "warning"}


@pytest.mark.parametrize(
    ("wants", "expected"),
    [
        (Wants("f", "verl", devices=8, engine="vllm"), {}),
        (Wants("f", "verl", devices=16), {"devices-short": "error"}),
        (Wants("f", "agentsdk", devices=8), {"backend-direct": "hint"}),
        (Wants("f", "agentsdk", "mindspeed-rl", devices=8), {"backend-missing": "error"}),
        (Wants("f", "ascendfactory", devices=8), {"backend-direct": "hint"}),
        (Wants("f", "mindspeed-rl", "mindspeed-rl"), {"backend-missing": "error"}),
        (Wants("f", "verl", verl_version="0.9.1"), {"verl-differs": "warning"}),
        (Wants("f", "verl", engine="sglang"), {"rollout-engine-missing": "error"}),
        (Wants("f", "local", devices=64), {}),
        (Wants("f", "verl", errors=2), {"file-problems": "error"}),
        (Wants("f", "", readable=False), {"file-unreadable": "error"}),
    ],
    ids=["good", "devices", "direct", "mindspeed-agent", "factory", "mindspeed", "version", "sglang", "local", "errors",
         "unreadable"],
)  # fmt: skip
def test_what_a_file_wants(good, findings, wants, expected):
    assert levels(findings(replace(good, wants=wants))) == expected


def test_hidden_devices_are_not_counted(good, findings, with_env):
    scene = replace(with_env(good, ASCEND_RT_VISIBLE_DEVICES="0,1"), wants=Wants("f", "verl", devices=8))
    assert findings(scene)["devices-short"].params["found"] == 2
    far = replace(with_env(good, RAY_ADDRESS="10.0.0.9:6379"), wants=Wants("f", "verl", devices=16))
    assert levels(findings(far)) == {"devices-short": "hint"}


def test_a_gpu_machine(good, findings):
    gpus = DeviceTable("nvidia-smi", "570", table(*["", ""]).devices)
    software = installed(verl="0.9.1", torch="2.11.0", vllm="0.24.0")
    scene = replace(good, software=software, ascend=Ascend(), devices=gpus, tool="nvidia-smi")
    assert findings(scene) == {}
    assert "gpus-ok" in findings(scene, all=True)


def test_a_network_that_is_not_known_is_no_finding(good, findings):
    assert findings(replace(good, network=replace(good.network, interfaces=None))) == {}


def test_whose_devices_they_are(good, findings):
    ascend = replace(good.ascend, devices=(DeviceFile("davinci0", False, "HwHiAiUser"),), in_group=False)
    assert findings(replace(good, ascend=ascend))["devices-not-usable"].params["outside"] == "HwHiAiUser"


def test_npus_that_only_npu_smi_shows_are_npus(good, findings):
    bare = replace(good, ascend=Ascend(), software=installed(verl="0.7.1", numpy="1.26"))
    assert levels(findings(bare)) == {"cann-missing": "warning"}


def test_the_programs_of_the_back_ends_are_listed(good, findings):
    software = replace(good.software, programs={"ascendfactory-cli": "/bin/ascendfactory-cli"})
    assert (
        findings(replace(good, software=software), all=True)["training-ready"].params["listed"][0]
        == "ascendfactory-cli"
    )
    wants = Wants("f", "ascendfactory", devices=8, engine="vllm")
    assert findings(replace(good, software=software, wants=wants)) == {}
