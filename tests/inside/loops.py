"""Builds an agent loop as verl 0.9.1's worker does."""

from __future__ import annotations

from typing import Any

import hydra
from verl.experimental.agent_loop.agent_loop import DictConfigWrap, ToolListWrap
from verl.utils.dataset.rl_dataset import RLHFDataset


def build_loop(entry: Any, config: Any, model: Any, tokenizer: Any) -> Any:
    """The loop of an entry of ``agent_loops.yaml``; ``model`` stands in for verl's server manager."""
    return hydra.utils.instantiate(
        config=entry,
        trainer_config=DictConfigWrap(config),
        server_manager=model,
        tokenizer=tokenizer,
        processor=None,
        hf_model_type="qwen2",
        dataset_cls=RLHFDataset,
        data_config=DictConfigWrap(config.data),
        tools=ToolListWrap([]),
    )
