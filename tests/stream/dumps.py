"""Rows of dumps, made up for tests in the forms that the back ends write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CALL = '<tool_call>\n{"name": "guess", "arguments": {"n": 5}}\n</tool_call>'
PROMPT = "system\nFind the number.\nuser\nIt is between 1 and 9.\nassistant\n"
SPOKEN = f"Half.\n{CALL}\nuser\n<tool_response>\nhigher\n</tool_response>\nassistant\nIt is 7."


def verl_row(step: int = 3, **more: Any) -> dict[str, Any]:
    """A row of verl's own dump; ``more`` overrides, None takes a key away."""
    row = {"input": PROMPT, "output": SPOKEN, "gts": "7", "score": 1.0, "step": step, **more}
    return {key: value for key, value in row.items() if value is not None}


def bridge_row(step: int = 3, **more: Any) -> dict[str, Any]:
    """A row that the wrapper bridge writes beside verl."""
    messages = [
        {"role": "user", "content": "Find it."},
        {"role": "assistant", "content": f"Five?\n{CALL}"},
        {"role": "tool", "content": "higher"},
        {"role": "assistant", "content": "Seven."},
    ]
    metrics = {"steps": 2, "llm_time": 3.0, "env_time": 1.0, "reward_time": 0.1, "total_time": 4.2,
               "toolcall_reward": 0.5, "res_reward": 1.0}  # fmt: skip
    row: dict[str, Any] = {"step": step, "uid": "u1", "session": 0, "validate": False, "messages": messages,
                           "reward": 1.5, "metrics": metrics}  # fmt: skip
    return {**row, **more}


def write(path: Path, *rows: Any, end: str = "\n") -> Path:
    """Write a dump; texts are written as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_bytes(("\n".join(lines) + end).encode("utf-8", "surrogatepass"))
    return path
