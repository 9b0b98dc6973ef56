"""The tasks of a try: as given, or a row of a data set as AgentSDK makes a task of it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

DEFAULT = {"id": 0, "question": "12+3", "ground_truth": "15"}


def tasks_of(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """``tasks`` as they are (an ``id`` is added), else the row that ``data`` names, else one sum.

    ``data``: ``path``, ``row``, ``backend``, ``keys`` (dataset_additional_keys).

    Raises:
        OSError, ValueError, IndexError: the data can't be read, or have no such row.
    """
    given = request.get("tasks")
    if given:
        return [{"id": number, **task} for number, task in enumerate(given)]
    data = request.get("data")
    if not data:
        return [dict(DEFAULT)]
    number = int(data.get("row") or 0)
    row = next(itertools.islice(_rows(data["path"]), number, None), None)
    if row is None:
        raise IndexError(f"{data['path']} has no row {number}")
    return [task_of(row, number, str(data.get("backend") or ""), data.get("keys") or ())]


def task_of(row: Mapping[str, Any], number: int, backend: str, keys: Any) -> dict[str, Any]:
    """A row as the back end hands it over: its id, and on MindSpeed-RL the additional columns, on verl three keys."""
    if backend == "mindspeed_rl":
        return {"id": number, **{key: row.get(key) for key in keys}}
    extra: Any = row.get("extra_info") or {}
    reward: Any = row.get("reward_model") or {}
    prompt: Any = row.get("prompt")
    if isinstance(prompt, list) and prompt:
        prompt = prompt[-1].get("content")
    index = extra.get("index", number)
    question = extra.get("question", prompt)
    return {"question": question, "ground_truth": reward.get("ground_truth"), "id": index}


def _rows(path: str) -> Iterator[dict[str, Any]]:
    if path.endswith(".parquet"):
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=64):
                yield from batch.to_pylist()
        return
    with open(path, encoding="utf-8") as stream:
        if path.endswith(".json"):
            yield from json.load(stream)
            return
        for line in stream:
            if line.strip():
                yield json.loads(line)
