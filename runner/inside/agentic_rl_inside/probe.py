"""Answers questions about the training interpreter; run in it as a plain script: ``python probe.py REQUEST``.

REQUEST is JSON: ``{"paths": [...], "verl_keys": true}``. One JSON object is printed: ``python`` (version), ``versions``
(distribution -> version of what training needs, where installed), ``missing`` (modules verl on a CPU needs and that
are not there), ``files`` (path -> ``format``, ``columns`` with nested fields dotted, ``rows``, ``longest_prompt`` in
UTF-8 bytes over the first rows, ``error``; ``reader``: the module that is missing to look into it), ``places`` (package
that is started from its source tree -> folder), and, when asked for,
``verl_keys`` (engine -> dotted key -> default, as the packaged configuration of the installed verl declares them; null
when there is none), ``modules`` (name -> ``there``, ``beside`` or ``missing``, for ``{"modules": [...], "folder": DIR,
"path": [DIR, ...]}``: top-level names, looked for on the interpreter's path, on ``path``, then in ``folder``) and
``sources`` (path -> null, or why this Python can't read the source file: ``line``, ``message``). Nothing heavy is
imported: versions come from metadata, parquet from the file's footer and one
small batch. Runs on Python 3.9.
"""

import importlib.machinery
import importlib.metadata
import importlib.util
import json
import os
import platform
import sys

DISTRIBUTIONS = (
    "verl", "torch", "torch_npu", "ray", "vllm", "vllm_ascend", "mindspeed_rl", "megatron_core", "agentic_rl",
    "transformers", "tensordict", "TransferQueue", "pyarrow", "numpy", "hydra-core", "omegaconf",
)  # fmt: skip
MODULES = (
    "verl", "torch", "ray", "transformers", "tensordict", "transfer_queue", "pyarrow", "pandas", "datasets", "hydra",
    "omegaconf", "peft", "codetiming", "fastapi", "uvicorn", "cachetools", "torchdata", "tensorboard",
)  # fmt: skip
SOURCE_TREES = ("mindspeed_rl", "megatron", "mindspeed", "mindspeed_llm", "verl", "recipe")
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


def verl_keys():
    """Keys that the installed verl declares, by engine; None when its packaged configuration can't be read."""
    spec = importlib.util.find_spec("verl")  # of a top-level package: nothing is imported
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    found = {}
    for engine, name in (("fsdp", "_generated_ppo_trainer.yaml"), ("megatron", "_generated_ppo_megatron_trainer.yaml")):
        for place in places:
            path = os.path.join(place, "trainer", "config", name)
            if os.path.isfile(path):
                import yaml

                with open(path, encoding="utf-8") as stream:
                    found[engine] = dict(leaves(yaml.safe_load(stream) or {}))
                break
    return found or None


def leaves(values, prefix=""):
    """Dotted key and default of each leaf; an empty mapping is one."""
    for name, value in values.items():
        key = f"{prefix}.{name}" if prefix else str(name)
        if isinstance(value, dict) and value:
            yield from leaves(value, key)
        else:
            yield key, value


def missing():
    """Modules that a training on a CPU imports and that can't be found."""
    return [name for name in MODULES if importlib.util.find_spec(name) is None]


def modules(names, folder, path):
    """Where each top-level module would come from; finding one imports nothing."""
    return {name: whereabouts(name, folder, path) for name in names}


def whereabouts(name, folder, path):
    """``there``: an import finds it; ``beside``: only in the folder, which is not on the path; ``missing``: neither."""
    try:
        if importlib.util.find_spec(name) is not None:
            return "there"
    except (ImportError, ValueError, AttributeError):
        return "there"  # found, and broken in some way that only an import would tell
    finder = importlib.machinery.PathFinder
    if path and finder.find_spec(name, list(path)) is not None:
        return "there"
    return "beside" if folder and finder.find_spec(name, [folder]) is not None else "missing"


def syntax(path):
    """None when this Python can read the source file, else line and message; nothing is executed."""
    import ast
    import warnings

    try:
        with open(path, "rb") as stream:
            content = stream.read(1 << 20)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(content)
    except SyntaxError as error:
        return {"line": error.lineno or 0, "message": str(error.msg)}
    except (ValueError, RecursionError, MemoryError, OSError):
        return None  # told by whoever read it first
    return None


def places():
    """Folders of packages that are started from their source tree; nothing is imported."""
    found = {}
    for name in SOURCE_TREES:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            continue
        folders = list(spec.submodule_search_locations or ()) if spec is not None else []
        if folders:
            found[name] = folders[0]
    return found


def look_at(path):
    """What a data file holds, or why it can't be read."""
    kind = os.path.splitext(path)[1].lower().lstrip(".")
    try:
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
        return {
            "format": kind,
            "error": "{}: {}".format(type(error).__name__, str(error).splitlines()[0][:300] if str(error) else ""),
        }


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
    """UTF-8 bytes of a prompt: a text, or a list of messages."""
    parts = prompt if isinstance(prompt, list) else [prompt]
    texts = [str(part.get("content", "")) if isinstance(part, dict) else str(part) for part in parts]
    return sum(len(text.encode("utf-8", "replace")) for text in texts)


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
            first_rows = rows[:SAMPLE]
        else:
            record, count, first_rows = None, 0, []
            for line in stream:
                if line.strip():
                    if len(first_rows) < SAMPLE:
                        first_rows.append(json.loads(line))
                    record = first_rows[0] if record is None else record
                    count += 1
                    if count >= LINES:
                        count = None
                        break
    columns = list(record) if isinstance(record, dict) else []
    for name, value in (record or {}).items() if isinstance(record, dict) else ():
        if isinstance(value, dict):
            columns.extend(f"{name}.{inner}" for inner in value)
    answer = {"format": kind, "columns": columns, "rows": count, "error": ""}
    prompts = [row["prompt"] for row in first_rows if isinstance(row, dict) and "prompt" in row]
    if prompts:
        answer["longest_prompt"] = max(length(prompt) for prompt in prompts)
    return answer


def main(argv):
    """Answer the request in ``argv[1]``."""
    request = json.loads(argv[1]) if len(argv) > 1 else {}
    answer = {
        "python": platform.python_version(),
        "versions": versions(),
        "missing": missing(),
        "places": places(),
        "files": {path: look_at(path) for path in request.get("paths", ())},
    }
    if request.get("verl_keys"):
        try:
            answer["verl_keys"] = verl_keys()
        except Exception:  # an unreadable configuration of a package must not hide the rest of the answer
            answer["verl_keys"] = None
    if request.get("modules"):
        answer["modules"] = modules(request["modules"], request.get("folder"), request.get("path") or ())
    if request.get("sources"):
        answer["sources"] = {path: syntax(path) for path in request["sources"]}
    print(json.dumps(answer, default=str))
    return 0


if __name__ == "__main__":
    # The script's own folder must not shadow anything (it holds modules with plain names).
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
    sys.exit(main(sys.argv))
