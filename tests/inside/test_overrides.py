"""``cpu_overrides.yaml`` against the verl that is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .overrides import stated


def test_verl_takes_every_override(verl_config: Any) -> None:
    assert verl_config.trainer.device == "cpu"
    assert verl_config.actor_rollout_ref.rollout.name == "transformers_cpu"
    assert verl_config.actor_rollout_ref.actor.fsdp_config.mixed_precision.param_dtype == "fp32"
    assert verl_config.trainer.v1.sampler.sampler_kwargs.train_batch_size == verl_config.data.train_batch_size
    assert verl_config.actor_rollout_ref.actor.use_dynamic_bsz is True
    assert verl_config.critic.strategy == "fsdp2"


def test_every_entry_says_why_and_files_exist(inside: Path) -> None:
    package = inside / "agentic_rl_inside"
    everything = stated(package)
    for entry in [*everything["environment"], *everything["overrides"]]:
        assert entry["why"].strip()
        value = str(entry.get("value", ""))
        if value.startswith("{inside}/") and value.endswith(".yaml"):
            assert Path(value.replace("{inside}", str(package))).is_file()


def test_classes_named_in_data_files_exist(inside: Path) -> None:
    from omegaconf import OmegaConf
    from verl.utils.import_utils import load_class_from_fqn, load_extern_type

    package = inside / "agentic_rl_inside"
    values = {entry["key"]: entry["value"] for entry in stated(package)["overrides"]}
    for entry in OmegaConf.load(package / "agent_loops.yaml"):
        assert callable(load_class_from_fqn(entry["_target_"]))
    assert callable(load_class_from_fqn(OmegaConf.load(package / "router.yaml").router_class))
    sampler = "trainer.v1.sampler.custom_sampler"
    assert callable(load_extern_type(values[f"{sampler}.path"], values[f"{sampler}.name"]))
