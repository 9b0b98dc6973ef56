"""What `agent try` asks of its child: the tasks, the model, the settings, from arguments or a configuration."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any, cast

from ...check import target_of
from ...document import Document, read_document

_SAMPLING = ("temperature", "top_k", "top_p", "min_p")
# Where the two quick starts put their models, from the folder of the wrapper or of the command.
_QUICK = ("game/model", "tiny/model", "quickstart-agent/game/model", "quickstart/tiny/model")
_LARGEST = 8 << 20  # bytes of a file of tasks or replies


class BadRequest(Exception):
    """The arguments make no sense; ``key`` is a text of texts_agent, ``params`` fill it."""

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key)
        self.key = key
        self.params = params


def request_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The child's request.

    Raises:
        BadRequest: with what is wrong, for people.
    """
    request: dict[str, Any] = {"timeout": arguments.timeout, "file": arguments.file}
    if arguments.config:
        request |= _of_config(arguments.config, arguments.file, int(arguments.row))
    if arguments.task:
        request["tasks"] = [task for text in arguments.task for task in _tasks(text)]
    if arguments.replies:
        request["replies"] = _replies(arguments.replies)
    if arguments.steps:
        request["steps"] = arguments.steps
    if not request["file"]:
        raise BadRequest("no_file")
    file = Path(request["file"]).expanduser()
    if not file.is_file():
        raise BadRequest("no_such_file", file=request["file"])
    request["file"] = str(file.resolve())
    if "model" not in request and "replies" not in request:
        request["model"] = _quick_model(file.resolve().parent)
    return request


def _of_config(config: str, file: str | None, row: int) -> dict[str, Any]:
    document = read_document(Path(config))
    if not document.readable:
        raise BadRequest("bad_config", file=config)
    from ...check.case import Case
    from ...check.world import World

    case = Case(document, World(), target_of(document), validate=False)
    base = Path(os.path.realpath(config)).parent

    def place(key: str) -> str:
        found = case.found.get(key)
        value = found.value if found is not None else None
        return str(base / Path(value).expanduser()) if isinstance(value, str) and value else ""

    keys: Any = case.value("dataset_additional_keys")
    sampling = {name: case.value(name) for name in _SAMPLING if name in case.found}
    request: dict[str, Any] = {
        "file": file or place("agent_engine_wrapper_path"),
        "agent_name": case.value("agent_name"),
        "steps": case.value("max_steps"),
        "n": case.value("rollout_n"),
        "sampling": {name: value for name, value in sampling.items() if isinstance(value, (int, float))},
        "data": {
            "path": _data_file(document, case, base),
            "row": row,
            "backend": case.backend,
            "keys": cast("list[Any]", keys) if isinstance(keys, list) else [],
            "sdk": case.target == "agentsdk",
        },
    }
    model = place("tokenizer_name_or_path")
    if model and Path(model).is_dir():
        request["model"] = {"tokenizer": model, "model": model}
    if not request["data"]["path"]:
        raise BadRequest("no_data", file=config)
    return request


def _data_file(document: Document, case: Any, base: Path) -> str:
    key = "verl.train_files" if case.backend == "verl" else "mindspeed_rl.data_path"
    found = case.found.get(key)
    value: Any = found.value if found is not None else document.get(key)
    return str(base / Path(value).expanduser()) if isinstance(value, str) and value else ""


def _quick_model(folder: Path) -> dict[str, Any]:
    for start in (folder, folder.parent, Path.cwd()):
        for name in _QUICK:
            place = start / name
            # The quick start's own manifest stands beside its model; other people's models are not taken by surprise.
            if (place / "config.json").is_file() and (place.parent / "quickstart.json").is_file():
                return {"tokenizer": str(place), "model": str(place)}
    return {}


def _read(text: str, what: str) -> Any:
    if text.startswith("@"):
        try:
            with open(text[1:], encoding="utf-8-sig") as stream:
                text = stream.read(_LARGEST)
        except (OSError, UnicodeDecodeError) as error:
            raise BadRequest("unreadable", file=text[1:], error=getattr(error, "strerror", None) or error) from error
    try:
        return json.loads(text)
    except RecursionError as error:
        raise BadRequest("bad_json", what=what, error="nested too deep") from error
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > 1:  # JSON lines
            try:
                return [json.loads(line) for line in lines]
            except (ValueError, RecursionError):
                pass
        raise BadRequest("bad_json", what=what, error=error) from error


def _tasks(text: str) -> list[dict[str, Any]]:
    found = _read(text, "--task")
    tasks = cast("list[Any]", found) if isinstance(found, list) else [found]
    if not tasks or not all(isinstance(task, dict) for task in tasks):
        raise BadRequest("bad_task")
    return tasks


def _replies(text: str) -> list[str]:
    found = _read(text, "--replies")
    replies = cast("list[Any]", found) if isinstance(found, list) else [found]
    if not all(isinstance(reply, str) for reply in replies):
        raise BadRequest("bad_replies")
    return replies
