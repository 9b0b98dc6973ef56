"""The environment of verl on NPUs: what is added, why, and what the person has exported stays."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.backends.registry import plan_with
from agentic_rl_wizard.runner.backends.request import Request
from agentic_rl_wizard.runner.catalogue import load_catalogue, render_template
from agentic_rl_wizard.runner.document import parse_document

TEXT = render_template("ascendfactory-grpo")


def planned(version="0.9.1", device="npu", text=TEXT, **fields):
    box = Path("/w")
    request = Request(device, version, "python", box, box, box / "run", box / "inside", **fields)
    return plan_with(parse_document(text), load_catalogue(), request)


def test_each_variable_has_a_reason_with_its_source_in_both_languages():
    plan = planned()
    assert plan.env["HCCL_CONNECT_TIMEOUT"] == "1500" and plan.env["TASK_QUEUE_ENABLE"] == "1"
    for name in plan.env:
        reason = plan.env_reasons[name]
        assert reason["en"].endswith("]") and reason["zh"].endswith("]"), name


def test_what_is_exported_is_never_replaced():
    plan = planned(environment={"HCCL_CONNECT_TIMEOUT": "7200", "HCCL_IF_BASE_PORT": "50000"})
    assert "HCCL_CONNECT_TIMEOUT" not in plan.env and "HCCL_IF_BASE_PORT" not in plan.env


@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_other_devices_get_none_of_it(device):
    inside = Path(__file__).resolve().parents[2] / "runner" / "inside"
    plan = planned(device=device) if device == "gpu" else replace_inside(inside)
    assert [name for name in plan.env if re.match("HCCL|TASK_QUEUE|VLLM_ASCEND|CPU_AFF", name)] == []


def replace_inside(inside):
    box = Path("/w")
    request = Request("cpu", "0.9.1", "python", box, box, box / "run", inside)
    return plan_with(parse_document(TEXT), load_catalogue(), replace(request))


@pytest.mark.parametrize(
    ("version", "there", "absent"),
    [
        ("0.5.0", {"USE_OPTIMIZED_MODEL", "VLLM_USE_V1", "HCCL_NPU_SOCKET_PORT_RANGE"}, {"VLLM_ASCEND_ENABLE_NZ"}),
        ("0.7.1", {"VLLM_USE_V1", "VLLM_ASCEND_ENABLE_NZ"}, {"HCCL_NPU_SOCKET_PORT_RANGE", "USE_OPTIMIZED_MODEL"}),
        ("0.9.1", {"VLLM_ASCEND_ENABLE_NZ"}, {"VLLM_USE_V1"}),
    ],
)
def test_a_version_gets_what_it_needs(version, there, absent):
    names = set(planned(version).env)
    assert there <= names and not absent & names


def test_two_runs_have_ports_of_their_own():
    box = Path("/w")
    ports = set()
    for name in ("a", "b", "c"):
        request = Request("npu", "0.9.1", "python", box, box, box / name, box / "inside")
        ports.add(plan_with(parse_document(TEXT), load_catalogue(), request).env["HCCL_IF_BASE_PORT"])
    assert len(ports) == 3


def test_what_sourced_scripts_set_is_shown_with_the_script():
    plan = planned(script_environment={"ASCEND_HOME_PATH": ("/cann", "/cann/set_env.sh")})
    assert plan.env["ASCEND_HOME_PATH"] == "/cann"
    assert plan.env_reasons["ASCEND_HOME_PATH"]["en"] == "set by /cann/set_env.sh"


def test_several_machines_join_a_cluster_and_are_told_how():
    text = "trainer: {nnodes: 2, n_gpus_per_node: 8}\n"
    plan = planned(text=text)
    assert plan.env["RAY_ADDRESS"] == "auto"
    told = next(note.text for note in plan.notes if note.key == "trainer.nnodes")
    assert "agentic-rl cluster head" in told["en"] and "agentic-rl cluster head" in told["zh"]
    assert "joined" in plan.env_reasons["RAY_ADDRESS"]["en"]
    assert planned(text=text, ray_address="h:1").env["RAY_ADDRESS"] == "h:1"
    assert "RAY_ADDRESS" not in planned(text=text, environment={"RAY_ADDRESS": "mine"}).env
    assert "RAY_ADDRESS" not in planned().env


@pytest.mark.parametrize(
    ("text", "options", "joins"),
    [
        ("trainer: {nnodes: 2, n_gpus_per_node: 8}\n", {}, True),
        ("trainer: {n_gpus_per_node: 8}\n", {"ray_address": "h:1"}, True),
        ("trainer: {n_gpus_per_node: 8}\n", {"environment": {"RAY_ADDRESS": "h:1"}}, True),
        ("trainer: {n_gpus_per_node: 8}\n", {"environment": {"RAY_ADDRESS": "local"}}, False),
        ("trainer: {n_gpus_per_node: 8}\n", {}, False),
    ],
    ids=["nodes", "option", "exported", "local", "alone"],
)
def test_a_cluster_is_joined_with_the_token(text, options, joins):
    plan = planned(text=text, ray_token={"RAY_AUTH_MODE": "token"}, **options)
    assert ("RAY_AUTH_MODE" in plan.env) == joins
    assert set(plan.env) == set(plan.env_reasons)
