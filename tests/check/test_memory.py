"""The memory estimate, held against numbers that others have published, and the problems that come from it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from files import VERL, check, only

from agentic_rl_wizard.runner.catalogue import Problem, problem_text
from agentic_rl_wizard.runner.catalogue.known_models import known_models, model_of_hub
from agentic_rl_wizard.runner.check import World
from agentic_rl_wizard.runner.check.memory import MemoryPlan, estimate
from agentic_rl_wizard.runner.check.memory_check import check_memory
from agentic_rl_wizard.runner.check.memory_plan import memory_plan
from agentic_rl_wizard.runner.check.memory_weights import kv_bytes_per_token, weights_of
from agentic_rl_wizard.runner.check.view import View
from agentic_rl_wizard.runner.check.view_verl import verl_view
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts import Machine, ModelFacts, model_facts


def model(name: str) -> ModelFacts:
    known = model_of_hub(name)
    assert known is not None
    return model_facts(known.values)


@pytest.mark.parametrize("name", [k.name for k in known_models().values() if not k.values.get("vision")])
def test_the_shape_gives_the_published_number_of_weights(name: str) -> None:
    facts = model_facts(known_models()[name].values)
    counted = weights_of(replace(facts, parameters=None))
    assert counted is not None and facts.parameters is not None
    assert counted.total == pytest.approx(facts.parameters, rel=2e-4)


QWEN3_8B = MemoryPlan(
    model("Qwen/Qwen3-8B"),
    devices=8,
    ulysses=2,
    param_offload=True,
    optimizer_offload=True,
    device_memory_gib=64,
)
# Peaks of actor/perf/max_memory_allocated_gb in the nightly runs of verl on Atlas A2 and A3, as verl-ascend-recipe has
# them (baseline/); the plans are those of verl's tests/special_npu scripts. Answers there are short (GSM8K, Geo3K).
PUBLISHED = {
    "gspo-8b-fsdp2": (replace(QWEN3_8B, tokens=2048, rollout_tensor=2, utilization=0.7), 20.83),
    "ppo-8b-fsdp": (replace(QWEN3_8B, tokens=16_000, utilization=0.9), 22.23),
    "grpo-vl-8b-fsdp2": (
        replace(
            QWEN3_8B,
            model=replace(model("Qwen/Qwen3-8B"), parameters=8_767_123_696, vision=True),
            ulysses=1,
            tokens=24_576,
        ),
        45.43,
    ),
    "gspo-30b-megatron": (
        replace(
            QWEN3_8B,
            model=model("Qwen/Qwen3-30B-A3B-Instruct-2507"),
            devices=16,
            strategy="megatron",
            tensor=2,
            expert=8,
            expert_tensor=1,
            ulysses=1,
            tokens=30_720,
        ),
        49.14,
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_peaks_lie_within_the_bounds(name: str) -> None:
    plan, peak = PUBLISHED[name]
    found = estimate(plan)
    assert found is not None
    assert found.update.low <= peak <= found.update.gib <= found.update.high
    states = sum(t.gib for t in found.update.terms if t.name in ("weights", "gradients", "optimizer"))
    assert 0.35 * peak < states < peak  # the part that is arithmetic is a large part of what was measured


@pytest.mark.parametrize(
    ("name", "parameters", "tensor", "published"),
    [
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-14B", None, 2, 13.95),  # vllm#13061
        ("Qwen/Qwen2.5-72B-Instruct", 73_410_777_344, 4, 34.43),  # its VL model: vllm#16570
    ],
    ids=["14b-tp2", "72b-vl-tp4"],
)
def test_weights_of_a_rollout_rank(name: str, parameters: int | None, tensor: int, published: float) -> None:
    facts = model(name)
    plan = MemoryPlan(replace(facts, parameters=parameters or facts.parameters), 8, rollout_tensor=tensor)
    found = estimate(plan)
    assert found is not None
    assert found.rollout_weights_gib == pytest.approx(published, rel=0.02)


def test_the_cache_of_a_token() -> None:
    assert kv_bytes_per_token(model("Qwen/Qwen2.5-7B-Instruct"), 1) == 2 * 28 * 4 * 128 * 2
    assert kv_bytes_per_token(model("Qwen/Qwen2.5-7B-Instruct"), 4) == 2 * 28 * 1 * 128 * 2
    assert kv_bytes_per_token(model("Qwen/Qwen2.5-7B-Instruct"), 8) == 2 * 28 * 1 * 128 * 2  # a head can't be cut
    assert kv_bytes_per_token(model("deepseek-ai/DeepSeek-V3"), 8) == 61 * (512 + 64) * 2
    assert kv_bytes_per_token(ModelFacts(num_hidden_layers=2), 1) is None


def total(**changes: object) -> float:
    found = estimate(replace(QWEN3_8B, **{"tokens": 8192, **changes}))  # type: ignore[arg-type]
    assert found is not None
    return found.update.gib


def test_what_makes_it_smaller_and_larger() -> None:
    base = total()
    assert total(devices=16) < base
    assert total(shard=4) > base
    assert total(tokens=16_384) > base
    assert total(checkpointing=False) > base
    assert total(weight_bytes=2) < base
    assert total(lora_rank=32) < base
    assert total(stay_on_host=True) < base
    assert total(critic_states=True) > base
    assert total(frees=False, utilization=0.5, device_memory_gib=64) == pytest.approx(base + 32)


def test_offload_counts_while_answers_are_generated() -> None:
    plan = replace(QWEN3_8B, utilization=0.5)
    kept = estimate(replace(plan, param_offload=False, optimizer_offload=False))
    moved = estimate(plan)
    apart = estimate(replace(plan, param_offload=False, optimizer_offload=False, colocated=False))
    assert kept is not None and moved is not None and apart is not None
    assert kept.rollout is not None and moved.rollout is not None and apart.rollout is not None
    assert moved.rollout.gib == apart.rollout.gib == 32
    assert kept.rollout.gib == pytest.approx(32 + 12 * 8.19e9 / 8 / 2**30, rel=0.01)


@pytest.mark.parametrize("missing", ["hidden_size", "num_hidden_layers", "vocab_size", "intermediate_size"])
def test_an_unknown_shape_gives_no_number(missing: str) -> None:
    assert estimate(MemoryPlan(replace(model("Qwen/Qwen3-8B"), **{missing: None}), 8)) is None


def view(text: str, machine: Machine | None, facts: ModelFacts | None = None, target: str = "verl") -> View:
    return verl_view(parse_document(text), World(machine=machine, model=facts), target)


def found(text: str, machine: Machine | None, facts: ModelFacts | None = None) -> list[Problem]:
    problems = list(check_memory(view(text, machine, facts)))
    for problem in problems:
        for lang in ("en", "zh"):
            said = problem_text(problem, lang)  # type: ignore[arg-type]
            assert said.message and said.because and said.fix
            assert "?" not in said.message + said.because
    return problems


NATIVE = """\
data: {max_prompt_length: 1024, max_response_length: 1024, train_batch_size: 64}
actor_rollout_ref:
  actor: {strategy: fsdp, ppo_mini_batch_size: 64, ppo_micro_batch_size_per_gpu: 2}
  rollout: {name: vllm, tensor_model_parallel_size: %d, gpu_memory_utilization: %s, n: 4}
trainer: {nnodes: 1, n_gpus_per_node: 8}
"""
A2 = Machine("npu", 8, 8, device_memory_gib=64)


def test_the_plan_of_a_native_tree() -> None:
    plan = memory_plan(view(NATIVE % (2, "0.5"), A2, model("Qwen/Qwen3-8B")))
    assert plan is not None
    assert (plan.devices, plan.strategy, plan.rollout_tensor, plan.utilization) == (8, "fsdp", 2, 0.5)
    assert (plan.tokens, plan.weight_bytes, plan.checkpointing, plan.frees) == (4096, 4, True, True)


@pytest.mark.parametrize(
    ("extra", "tokens"),
    [
        ("use_dynamic_bsz: true\nactor_rollout_ref.actor.ppo_max_token_len_per_gpu: 8192", 8192),
        ("use_dynamic_bsz: true\nactor_rollout_ref.actor.ppo_max_token_len_per_gpu: 999999", 65536),
        ("ulysses_sequence_parallel_size: 4", 1024),
    ],
    ids=["limit", "no-more-than-there-are", "ulysses"],
)  # fmt: skip
def test_tokens_of_a_pass(extra: str, tokens: int) -> None:
    flat = """\
data.max_prompt_length: 1024
data.max_response_length: 1024
actor_rollout_ref.actor.strategy: fsdp
actor_rollout_ref.actor.ppo_mini_batch_size: 64
actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu: 2
actor_rollout_ref.rollout.n: 4
trainer.nnodes: 1
trainer.n_gpus_per_node: 8
"""
    plan = memory_plan(view(f"{flat}actor_rollout_ref.actor.{extra}\n", A2, model("Qwen/Qwen3-8B")))
    assert plan is not None
    assert plan.tokens == tokens


def test_a_fitting_run_is_silent() -> None:
    assert found(NATIVE % (2, "0.4"), A2, model("Qwen/Qwen2.5-1.5B-Instruct")) == []
    assert found(NATIVE % (1, "0.5"), None, model("Qwen/Qwen2.5-72B")) == []
    assert found(NATIVE % (1, "0.5"), A2, None) == []
    assert found(NATIVE % (1, "0.5"), A2, ModelFacts(num_attention_heads=28)) == []


def test_weights_alone_are_an_error() -> None:
    problems = found(NATIVE % (1, "0.9"), A2, model("Qwen/Qwen2.5-72B"))
    problem = only(problems, "memory-weights-rollout")
    assert (problem.level, problem.key) == ("error", "actor_rollout_ref.rollout.tensor_model_parallel_size")
    assert problem.line == 4
    assert only(found(NATIVE % (1, "0.4"), A2, model("Qwen/Qwen3-14B")), "memory-weights-rollout").level == "error"
    assert not [p for p in found(NATIVE % (1, "0.6"), A2, model("Qwen/Qwen3-14B")) if p.level == "error"]


def test_weights_that_may_be_smaller_are_a_warning() -> None:
    quantized = replace(model("Qwen/Qwen2.5-72B"), quantized=True)
    assert only(found(NATIVE % (1, "0.9"), A2, quantized), "memory-weights-rollout").level == "warning"
    text = NATIVE % (1, "0.9") + "actor_rollout_ref.rollout.engine_kwargs.vllm.cpu_offload_gb: 100\n"
    assert only(found(text, A2, model("Qwen/Qwen2.5-72B")), "memory-weights-rollout").level == "warning"


def test_trained_weights_that_fit_nowhere() -> None:
    one = (NATIVE % (8, "0.5")).replace("n_gpus_per_node: 8", "n_gpus_per_node: 1")
    problem = only(found(one, A2, model("Qwen/Qwen2.5-32B")), "memory-weights-training")
    assert problem.level == "error"
    assert problem.key == "trainer.n_gpus_per_node"


def test_states_that_do_not_fit_are_a_warning() -> None:
    problems = found(NATIVE % (8, "0.4"), A2, model("Qwen/Qwen2.5-32B"))
    assert {(p.level, p.code) for p in problems} == {("warning", "memory-too-small")}
    problem, rollout = sorted(problems, key=lambda p: str(p.params["reason"]), reverse=True)
    assert "Offload" in problem_text(rollout, "en").fix
    text = problem_text(problem, "en")
    assert "optimizer states" in text.because
    assert "优化器状态" in problem_text(problem, "zh").because


def test_long_sequences_are_a_hint() -> None:
    text = (NATIVE % (2, "0.4")).replace("max_response_length: 1024", "max_response_length: 15360")
    problem = only(found(text, A2, model("Qwen/Qwen3-8B")), "memory-may-be-short")
    assert problem.level == "hint"
    assert problem.params["kind"] == "memory-logits"


def test_a_cache_without_room() -> None:
    text = (NATIVE % (1, "0.25")).replace("n: 4", "n: 4, max_model_len: 262144")
    assert only(found(text, A2, model("Qwen/Qwen3-8B")), "memory-cache-too-small").level == "warning"
    assert "memory-cache-too-small" not in [p.code for p in found(NATIVE % (1, "0.5"), A2, model("Qwen/Qwen3-8B"))]


@pytest.mark.parametrize(
    ("share", "free", "expected"),
    [("0.9", 8.0, True), ("0.1", 8.0, False), ("0.125", 8.0, False), ("0.96", 60.8, False), ("0.9", 50.0, True)],
    ids=["busy", "small-share", "just-enough", "idle", "half-busy"],
)
def test_the_share_must_be_free(share: str, free: float, expected: bool) -> None:
    busy = Machine("npu", 8, 8, device_memory_gib=64, free_device_memory_gib=free)
    problems = [p for p in check(NATIVE % (8, share), World(machine=busy)) if p.code == "device-memory-taken"]
    assert [(p.level, p.line) for p in problems] == ([("error", 4)] if expected else [])


def test_a_native_file_is_judged_by_the_command_too() -> None:
    big = World(machine=A2, model=model("Qwen/Qwen2.5-72B"))
    assert only(check(NATIVE % (1, "0.9"), big), "memory-weights-rollout").level == "error"


def test_an_agentsdk_file_is_judged_too() -> None:
    busy = Machine("npu", 8, 8, device_memory_gib=64, free_device_memory_gib=8)
    problem = only(check(f"gpu_memory_utilization: 0.9\n{VERL}", World(machine=busy)), "device-memory-taken")
    assert (problem.key, problem.line) == ("gpu_memory_utilization", 1)
    big = World(machine=A2, model=model("Qwen/Qwen2.5-72B"))
    assert only(check(f"infer_tensor_parallel_size: 1\n{VERL}", big), "memory-weights-rollout").level == "error"
    assert not [p for p in check(VERL, big, "local") if p.code.startswith("memory")]
