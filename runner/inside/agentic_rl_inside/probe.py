"""Look at the training interpreter and at data files: ``PYTHON probe.py REQUEST`` prints one JSON object.

A plain script without imports from this package, for any Python from 3.9 on; no training library is imported,
so it answers in well under a second. ``REQUEST`` is a JSON object (``-`` reads it from standard input), all
optional::

    {"data": [PATH, ...], "sample": 64, "prompt_key": "prompt"}

The answer::

    {"python": "3.11.7", "executable": PATH,
     "versions": {"verl": "0.9.1", "torch_npu": null, ...}, "missing_for_cpu": ["transfer_queue", ...],
     "verl_config_dir": PATH or null, "data": {PATH: {"format": "parquet", "columns": [...], "nested":
     ["reward_model.ground_truth", "prompt[].role"],
                     "rows": 384, "prompt_chars": [4, 4, ...], "error": null}}}

``rows`` is null for a JSONL file of more than 256 MiB. Of an unreadable file only ``error`` is filled.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import stat
import sys
from collections.abc import Iterable
from typing import Any

PACKAGES = (
    "verl", "torch", "torch_npu", "ray", "vllm", "vllm-ascend", "mindspeed-rl", "agentic_rl", "transformers",
    "TransferQueue", "pyarrow",
)  # fmt: skip
CPU_MODULES = (
    "verl", "torch", "ray", "transformers", "transfer_queue", "tensordict", "torchdata", "hydra", "omegaconf",
    "datasets", "pandas", "pyarrow", "tokenizers", "safetensors", "psutil", "codetiming", "cachetools",
    "fastapi", "uvicorn", "peft",
)  # fmt: skip
"""What verl imports on its way through a CPU run."""

COUNTED_BYTES = 256 << 20
LOADED_BYTES = 64 << 20


def versions() -> dict[str, str | None]:
    """Version of each package of interest, ``None`` where it is not installed."""
    found: dict[str, str | None] = {}
    for name in PACKAGES:
        found[name] = None
        for spelling in (name, name.replace("-", "_"), name.replace("_", "-")):
            try:
                found[name] = importlib.metadata.version(spelling)
                break
            except importlib.metadata.PackageNotFoundError:
                continue
    return found


def _folder_of(module: str) -> str | None:
    """Where a top-level module would be imported from; nothing is imported."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or [])
    return places[0] if places else os.path.dirname(spec.origin or "") or None


def missing_for_cpu() -> list[str]:
    """Modules that a CPU run needs and that this interpreter does not find."""
    return [name for name in CPU_MODULES if _folder_of(name) is None]


def look_at(path: str, sample: int, prompt_key: str) -> dict[str, Any]:
    """Columns, rows and prompt lengths (characters) of a parquet, JSONL or JSON file; never raises."""
    facts: dict[str, Any] = {
        "format": None,
        "columns": [],
        "nested": [],
        "rows": None,
        "prompt_chars": [],
        "error": None,
    }
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise RuntimeError("not a regular file")
        with open(path, "rb") as file:
            head = file.read(4)
        if head == b"PAR1" or path.endswith(".parquet"):
            facts.update(format="parquet", **_parquet(path, sample, prompt_key))
        else:
            facts.update(
                format="json" if path.endswith(".json") else "jsonl", **_json_rows(path, sample, prompt_key)
            )
    except Exception as error:  # noqa: BLE001  whatever a reader says about a broken file is the answer
        facts["error"] = str(error).strip() or type(error).__name__
    return facts


def _parquet(path: str, sample: int, prompt_key: str) -> dict[str, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise RuntimeError("pyarrow is not installed in this interpreter") from None
    with pyarrow.parquet.ParquetFile(path) as file:
        schema = file.schema_arrow

        def nested(prefix: str, kind: Any) -> Iterable[str]:
            if pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind):
                yield from nested(prefix + "[]", kind.value_type)
            elif pyarrow.types.is_struct(kind):
                for field in kind:
                    yield f"{prefix}.{field.name}"
                    yield from nested(f"{prefix}.{field.name}", field.type)

        lengths: list[int] = []
        if prompt_key in schema.names and sample > 0:
            for batch in file.iter_batches(batch_size=sample, columns=[prompt_key]):
                lengths = [_characters(prompt) for prompt in batch.column(0).to_pylist()][:sample]
                break
        return {
            "columns": list(schema.names),
            "nested": [name for field in schema for name in nested(field.name, field.type)],
            "rows": file.metadata.num_rows,
            "prompt_chars": lengths,
        }


def _json_rows(path: str, sample: int, prompt_key: str) -> dict[str, Any]:
    size = os.path.getsize(path)
    count: int | None = None
    with open(path, encoding="utf-8") as file:
        start = file.read(64).lstrip()
        file.seek(0)
        if start.startswith("["):
            if size > LOADED_BYTES:
                raise RuntimeError(
                    f"a JSON array of {size} bytes is too large to look at; JSONL is read line by line"
                )
            rows = json.load(file)
            count = len(rows)
        else:
            rows = []
            for number, line in enumerate(file, 1):
                if len(rows) >= max(1, sample):
                    break
                if line.strip():
                    try:
                        rows.append(json.loads(line))
                    except ValueError as error:
                        raise RuntimeError(f"line {number} is not JSON: {error}") from None
    if not all(isinstance(row, dict) for row in rows):
        raise RuntimeError("a row is not a JSON object")
    if count is None and size <= COUNTED_BYTES:
        with open(path, "rb") as file:
            count = sum(1 for line in file if line.strip())
    columns: dict[str, None] = {}
    nested: dict[str, None] = {}
    for row in rows[:sample]:
        for name, value in row.items():
            columns[name] = None
            prefix, inner = (name + "[]", value[0]) if isinstance(value, list) and value else (name, value)
            if isinstance(inner, dict):
                nested.update(dict.fromkeys(f"{prefix}.{key}" for key in inner))
    lengths = [_characters(row[prompt_key]) for row in rows[:sample] if prompt_key in row]
    return {"columns": list(columns), "nested": list(nested), "rows": count, "prompt_chars": lengths}


def _characters(prompt: Any) -> int:
    """Characters of a prompt: a text, or messages whose content is a text or a list of parts."""
    if isinstance(prompt, str):
        return len(prompt)
    if isinstance(prompt, dict):
        return _characters(prompt.get("content", prompt.get("text")))
    if isinstance(prompt, list):
        return sum(_characters(part) for part in prompt)
    return 0


def main(argv: list[str]) -> int:
    if len(argv) != 2:
        print("usage: probe.py REQUEST_JSON", file=sys.stderr)
        return 2
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or os.curdir) != here]
    try:
        request = json.loads(sys.stdin.read() if argv[1] == "-" else argv[1])
        paths, sample = [str(path) for path in request.get("data") or []], int(request.get("sample", 64))
        prompt_key = str(request.get("prompt_key") or "prompt")
    except (ValueError, TypeError, AttributeError) as error:
        print(f"probe.py: the request is not what it should be: {error}", file=sys.stderr)
        return 2
    verl = _folder_of("verl")
    config = os.path.join(verl, "trainer", "config") if verl else ""
    answer = {
        "python": platform.python_version(),
        "executable": sys.executable,
        "versions": versions(),
        "missing_for_cpu": missing_for_cpu(),
        "verl_config_dir": config if os.path.isdir(config) else None,
        "data": {path: look_at(path, sample, prompt_key) for path in paths},
    }
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv))
