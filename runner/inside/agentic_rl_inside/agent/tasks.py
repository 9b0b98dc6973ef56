"""A row of verl's dataset as the task dictionary that AgentSDK gives a wrapper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# What verl adds to a row, and what is no column of the user's.
_VERLS = frozenset(
    {
        "raw_prompt",
        "prompt",
        "uid",
        "session_id",
        "global_steps",
        "agent_name",
        "priority",
        "reward_model",
        "extra_info",
        "index",
        "tools_kwargs",
        "interaction_kwargs",
        "multi_modal_data",
        "raw_prompt_ids",
        "full_prompts",
        "dummy_tensor",
    }
)


def task_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """``question``, ``ground_truth`` and ``id`` as AgentSDK fills them on verl, and every column beside them.

    AgentSDK takes ``extra_info.question``, ``reward_model.ground_truth`` and ``extra_info.index`` and nothing else; on
    MindSpeed-RL a task holds the columns of ``dataset_additional_keys`` instead. Rows without ``extra_info.question``,
    which AgentSDK can't read, get the last message of the prompt.
    """
    extra = plain(row.get("extra_info")) or {}
    reward = plain(row.get("reward_model")) or {}
    columns = {key: plain(value) for key, value in row.items() if key not in _VERLS and not key.startswith("__")}
    task = {**columns, **(extra if isinstance(extra, dict) else {})}
    task["question"] = task.get("question", _last_message(row.get("raw_prompt")))
    if isinstance(reward, dict) and "ground_truth" in reward:
        task["ground_truth"] = reward["ground_truth"]
    task.setdefault("ground_truth", None)
    task["id"] = task.pop("index", plain(row.get("index", 0)))
    return task


def plain(value: Any) -> Any:
    """NumPy, OmegaConf and tensordict values as Python's own."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist()) if getattr(value, "ndim", 0) else value.tolist()
    return value


def _last_message(messages: Any) -> str:
    found = plain(messages)
    if isinstance(found, list) and found and isinstance(found[-1], dict):
        return str(found[-1].get("content", ""))
    return ""
