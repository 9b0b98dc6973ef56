"""verl with the CPU platform: chosen, registered, and computing the same log-probabilities as the rollout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

REPORT = """
from verl.utils.device import get_device_id, get_device_name, get_nccl_backend, get_resource_name
from verl.utils.device import get_torch_device
from verl.workers.engine import EngineRegistry
from verl.workers.rollout.base import get_rollout_class
from verl.workers.rollout.replica import get_rollout_replica_class
print(get_device_name(), get_device_id(), get_nccl_backend(), get_resource_name())
print(get_torch_device().max_memory_allocated() > 1e6, get_torch_device().is_available())
for model_type in ("language_model", "value_model"):
    print(EngineRegistry.get_engine_cls(model_type, "fsdp2").__name__)
print(get_rollout_class("transformers_cpu").__name__, get_rollout_replica_class("transformers_cpu").__name__)
import torch, torch.distributed
store = torch.distributed.HashStore()
torch.distributed.init_process_group("cpu:gloo,cpu:gloo", rank=0, world_size=1, store=store)
total = torch.ones(3)
torch.distributed.all_reduce(total)
print(torch.distributed.get_backend(), total.tolist())
"""


def test_verl_in_a_fresh_process_runs_on_the_cpu(inside: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": str(inside),
        "VERL_PLATFORM": "cpu",
        "VERL_USE_EXTERNAL_MODULES": "agentic_rl_inside.platform_cpu",
    }
    done = subprocess.run([sys.executable, "-c", REPORT], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.splitlines() == [
        "cpu cpu gloo GPU",
        "True True",
        "CPUEngineWithLMHead",
        "CPUEngineWithValueHead",
        "ServerAdapter TransformersReplica",
        "gloo [1.0, 1.0, 1.0]",
    ], done.stderr


def test_the_platform_is_never_found_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentic_rl_inside.platform_cpu import PlatformCPU

    monkeypatch.delenv("VERL_PLATFORM", raising=False)
    assert not PlatformCPU().is_platform_available(use_smi_check=True)
    monkeypatch.setenv("VERL_PLATFORM", "CPU")
    assert PlatformCPU().is_platform_available()


def test_only_verls_own_backend_string_is_rewritten() -> None:
    from agentic_rl_inside.platform_cpu import accept_gloo_for_both

    seen: list[Any] = []
    init = accept_gloo_for_both(lambda backend=None, **kwargs: seen.append((backend, kwargs)))
    init("cpu:gloo,cpu:gloo", rank=0)
    init(backend="cpu:gloo,cuda:nccl")
    init()
    assert seen == [("gloo", {"rank": 0}), ("cpu:gloo,cuda:nccl", {}), (None, {})]


def test_a_reference_model_is_wrapped_without_offload_and_stays_forward_only() -> None:
    from verl.workers.config import FSDPEngineConfig

    from agentic_rl_inside.engines import _ParametersStay

    class Wraps:
        def _build_fsdp_module(self, module: Any) -> Any:
            assert not self.engine_config.forward_only  # type: ignore[attr-defined]
            if module == "broken":
                raise OSError("cannot wrap")
            return module

    class Engine(_ParametersStay, Wraps):
        engine_config = FSDPEngineConfig(forward_only=True, strategy="fsdp2")

    engine = Engine()
    assert engine._build_fsdp_module("module") == "module"
    with pytest.raises(OSError, match="cannot wrap"):
        engine._build_fsdp_module("broken")
    assert engine.engine_config.forward_only


def test_a_value_model_loads_without_flash_attention(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import AutoConfig
    from verl.utils import model as model_utils
    from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithValueHead

    from agentic_rl_inside.engines import CPUEngineWithValueHead

    config = AutoConfig.from_pretrained(prepared / "model")
    config.num_labels = 1
    verls_loader = model_utils.load_valuehead_model

    def parents_build(self: Any) -> Any:
        return model_utils.load_valuehead_model(str(prepared / "model"), torch.float32, config, False)

    monkeypatch.setattr(FSDPEngineWithValueHead, "_build_module", parents_build)
    value_model = object.__new__(CPUEngineWithValueHead)._build_module()
    values = value_model(input_ids=torch.tensor([[5, 6, 7]])).logits
    assert values.shape == (1, 3, 1)
    assert model_utils.load_valuehead_model is verls_loader


def test_the_adapter_sends_everything_and_refuses_what_it_cannot_send(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import asyncio

    from agentic_rl_inside.rollout import ServerAdapter

    sent: list[Any] = []

    async def load_weights(named: dict[str, torch.Tensor], step: int | None) -> None:
        sent.append((named, step))

    adapter = object.__new__(ServerAdapter)
    adapter._leads, adapter._replica_rank = True, 0
    adapter._server = SimpleNamespace(load_weights=SimpleNamespace(remote=load_weights))
    weights = [("a", torch.ones(2, requires_grad=True)), ("b", torch.arange(6).reshape(2, 3).T)]
    asyncio.run(adapter.update_weights(iter(weights), global_steps=4, base_sync_done=True, peft_config=None))
    assert list(sent[0][0]) == ["a", "b"]
    assert sent[0][1] == 4
    assert not sent[0][0]["a"].requires_grad
    assert sent[0][0]["b"].is_contiguous()
    with pytest.raises(NotImplementedError, match=r"lora\.merge"):
        asyncio.run(adapter.update_weights(iter(weights), peft_config={"r": 8}))
    with pytest.raises(NotImplementedError, match="delta_flush"):
        asyncio.run(adapter.update_weights(iter(weights), wire_format="delta_flush"))
