"""Answers questions about the training interpreter; run in it as a plain script: ``python probe.py REQUEST``.

<<<<<<< HEAD
REQUEST is JSON: ``{"paths": [...]}``. One JSON object is printed: ``python`` (version), ``versions`` (distribution ->
version of what training needs, where installed), ``missing`` (modules that verl on a CPU needs and that are not there),
``files`` (path -> ``format``, ``columns`` with nested fields dotted, ``rows``, ``longest_prompt`` in characters over
the first rows, ``error``; ``reader``: the module that is missing to look into it). Nothing heavy is imported: versions
come from metadata, parquet from the file's footer and one small batch. Runs on Python 3.9.
=======
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
>>>>>>> engine
"""

import importlib.metadata
import importlib.util
import json
import os
import platform
import sys
<<<<<<< HEAD
=======
from collections.abc import Iterable
from typing import Any
>>>>>>> engine

DISTRIBUTIONS = (
    "verl", "torch", "torch_npu", "ray", "vllm", "vllm_ascend", "mindspeed_rl", "megatron_core", "agentic_rl",
    "transformers", "tensordict", "TransferQueue", "pyarrow", "numpy", "hydra-core", "omegaconf",
)  # fmt: skip
<<<<<<< HEAD
MODULES = (
    "verl", "torch", "ray", "transformers", "tensordict", "transfer_queue", "pyarrow", "pandas", "datasets", "hydra",
    "omegaconf", "peft", "codetiming", "fastapi", "uvicorn", "cachetools", "torchdata", "tensorboard",
=======
CPU_MODULES = (
    "verl", "torch", "ray", "transformers", "transfer_queue", "tensordict", "torchdata", "hydra", "omegaconf",
    "datasets", "pandas", "pyarrow", "tokenizers", "safetensors", "psutil", "codetiming", "cachetools",
    "fastapi", "uvicorn", "peft",
>>>>>>> engine
)  # fmt: skip
SAMPLE = 64  # rows whose prompts are measured
LINES = 1_000_000  # JSON lines that are counted at most


def versions():
    """Distribution -> version, of those that are installed."""
    found = {}
    for name in DISTRIBUTIONS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        except Exception as error:  # broken metadata of one package must not hide the others
            found[name] = f"? ({type(error).__name__})"
    return found


def missing():
    """Modules that a training on a CPU imports and that can't be found."""
    return [name for name in MODULES if importlib.util.find_spec(name) is None]


def look_at(path):
    """What a data file holds, or why it can't be read."""
    kind = os.path.splitext(path)[1].lower().lstrip(".")
    try:
<<<<<<< HEAD
        if kind in ("json", "jsonl"):
            return json_file(path, kind)
        with open(path, "rb") as stream:
            head = stream.read(4)
        if head != b"PAR1":
            if kind == "parquet":
                return {"format": "", "error": f"no parquet file: its first bytes are {head!r}"}
            return {"format": kind, "error": ""}
        return parquet_file(path)
    except ImportError as error:
        return {"format": "parquet", "error": "", "reader": error.name or "pyarrow"}
    except Exception as error:
=======
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
>>>>>>> engine
        return {
            "format": kind,
            "error": "{}: {}".format(type(error).__name__, str(error).splitlines()[0][:300] if str(error) else ""),
        }


<<<<<<< HEAD
def parquet_file(path):
    """Columns and rows from the footer; prompts from the first rows."""
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path) as file:
        schema = file.schema_arrow
        answer = {"format": "parquet", "columns": columns_of(schema), "rows": file.metadata.num_rows, "error": ""}
        if "prompt" in schema.names and file.metadata.num_rows:
            batch = next(file.iter_batches(batch_size=SAMPLE, columns=["prompt"]))
            answer["longest_prompt"] = max(length(value) for value in batch.column(0).to_pylist())
    return answer
=======
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
>>>>>>> engine


def columns_of(fields):
    """Names of the columns, and of the fields inside structs as ``column.field``."""
    import pyarrow

    names = []
    for field in fields:
        names.append(field.name)
        if pyarrow.types.is_struct(field.type):
            names.extend(f"{field.name}.{inner}" for inner in columns_of(list(field.type)))
    return names


def length(prompt):
    """Characters of a prompt: a text, or a list of messages."""
    if isinstance(prompt, list):
        return sum(len(str(m.get("content", ""))) if isinstance(m, dict) else len(str(m)) for m in prompt)
    return len(str(prompt))


def json_file(path, kind):
    """Keys of the first record and the number of records."""
    with open(path, encoding="utf-8") as stream:
        first = stream.read(1)
        while first and first.isspace():
            first = stream.read(1)
        stream.seek(0)
        if first == "[":
            rows = json.load(stream)
            record, count = (rows[0] if rows else {}), len(rows)
        else:
            record, count = None, 0
            for line in stream:
                if line.strip():
                    record = json.loads(line) if record is None else record
                    count += 1
                    if count >= LINES:
                        count = None
                        break
    columns = list(record) if isinstance(record, dict) else []
    for name, value in (record or {}).items() if isinstance(record, dict) else ():
        if isinstance(value, dict):
            columns.extend(f"{name}.{inner}" for inner in value)
    return {"format": kind, "columns": columns, "rows": count, "error": ""}


def main(argv):
    """Answer the request in ``argv[1]``."""
    request = json.loads(argv[1]) if len(argv) > 1 else {}
    answer = {
        "python": platform.python_version(),
        "versions": versions(),
        "missing": missing(),
        "files": {path: look_at(path) for path in request.get("paths", ())},
    }
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    # The script's own folder must not shadow anything (it holds modules with plain names).
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
    sys.exit(main(sys.argv))
