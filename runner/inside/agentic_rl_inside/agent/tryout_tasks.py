"""The tasks of a try: as given, or a row of a data set as AgentSDK makes a task of it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

from .tasks import task_of

DEFAULT = {"id": 0, "question": "12+3", "ground_truth": "15"}


def tasks_of(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """``tasks`` as they are (an ``id`` is added), else the row that ``data`` names, else one sum.

    ``data``: ``path``, ``row``, ``backend``, ``keys`` (dataset_additional_keys), ``sdk`` (AgentSDK itself starts it).

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
    if data.get("backend") == "mindspeed_rl":
        return [{"id": number, **{key: row.get(key) for key in data.get("keys") or ()}}]
    task = task_of({"index": number, "raw_prompt": row.get("prompt"), **row})
    return [{key: task[key] for key in ("question", "ground_truth", "id")} if data.get("sdk") else task]


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
