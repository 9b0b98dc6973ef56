"""What is installed in the training interpreter, and what the data files hold as that interpreter reads them.

The training interpreter is rarely the one that runs this tool, and only it is sure to have a parquet reader. It is
asked by running ``agentic_rl_inside/probe.py`` in it: a JSON request as its argument, a JSON answer on the last line of
its standard output. Nothing in a data file is unpickled or executed.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from .devices import ToolOutput, run_tool

PROBE = Path(__file__).resolve().parent.parent / "inside" / "agentic_rl_inside" / "probe.py"
TIMEOUT = 60.0  # seconds; it takes well below one, and much longer from a cold network file system


@dataclass(frozen=True, slots=True)
class DataFacts:
    """A data file as the training interpreter reads it.

    Attributes:
        format: ``parquet``, ``json``, ``jsonl``, or "" when it could not be told.
        columns: names of the columns; fields of a nested column are dotted (``reward_model.ground_truth``).
        rows: number of rows, None when it is not known.
        error: why it can't be read, else "".
        reader: module that the interpreter lacks to look into it; then nothing is known, and nothing is wrong.
        prompt_bytes: UTF-8 bytes of the longest of the first prompts (column ``prompt``); None when it is not known.
    """

    path: str
    format: str = ""
    columns: tuple[str, ...] = ()
    rows: int | None = None
    error: str = ""
    reader: str = ""
    prompt_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class TrainingFacts:
    """The answer of the training interpreter.

    Attributes:
        python: path of the interpreter.
        version: its Python version.
        versions: distribution name -> version, of the packages that training needs and that are installed.
        missing: modules that training on this CPU needs and that are not there.
        files: what was asked about, by path as asked.
        verl_keys: engine (``fsdp``, ``megatron``) -> key -> default, as the installed verl declares them; None when it
            was not asked for, or there is no verl.
        modules: top-level module -> ``there``, ``beside`` (only in the folder of the importing file) or ``missing``.
        sources: source file -> None, or line and message of what this Python can't read in it.
        named: whether the user named this interpreter, or is about to start it.
        places: package that is started from its source tree (``mindspeed_rl``, ``megatron``) -> its folder.
        problem: why there is no answer ("" when there is one): it can't be started, it took too long, or it printed
            something else.
    """

    python: str
    version: str = ""
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    missing: tuple[str, ...] = ()
    files: Mapping[str, DataFacts] = field(default_factory=dict[str, DataFacts])
    verl_keys: Mapping[str, Mapping[str, Any]] | None = None
    modules: Mapping[str, str] = field(default_factory=dict[str, str])
    sources: Mapping[str, tuple[int, str] | None] = field(default_factory=dict[str, "tuple[int, str] | None"])
    named: bool = False
    problem: str = ""
    places: Mapping[str, str] = field(default_factory=dict[str, str])

    def rows(self, path: str) -> int | None:
        """Rows of a data file that was asked about."""
        facts = self.files.get(path)
        return facts.rows if facts is not None and not facts.error else None


def default_python(given: str | None = None) -> str:
    """The training interpreter: ``--python``, else $AGENTIC_RL_PYTHON, else the one that runs this tool."""
    return given or os.environ.get("AGENTIC_RL_PYTHON") or sys.executable


def probe_training(
    python: str,
    paths: Iterable[str] = (),
    *,
    verl_keys: bool = False,
    modules: Iterable[str] = (),
    source: str = "",
    named: bool = False,
    timeout: float = TIMEOUT,
    probe: Path | None = None,
) -> TrainingFacts:
    """Ask the training interpreter; whatever goes wrong is in ``problem`` of the answer, never an exception.

    Args:
        python: the interpreter; a bare name is looked up on the path.
        paths: data files to look into.
        verl_keys: also tell which keys the installed verl declares (50 ms more).
        modules: top-level modules to look for (nothing is imported).
        source: the Python file that imports them; modules in its folder are told apart, and its syntax is judged.
        named: whether the user named the interpreter, or is about to start it.
        timeout: seconds after which it is given up.
        probe: the script to run (tests).
    """
    script = probe or PROBE
    asked: dict[str, Any] = {"paths": [str(path) for path in paths]}
    if verl_keys:
        asked["verl_keys"] = True
    wanted = list(modules)
    if wanted:
        path = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
        asked |= {"modules": wanted, "folder": str(Path(source).parent) if source else "", "path": path}
    if source:
        asked["sources"] = [source]
    request = json.dumps(asked)
    # The tool's own import path must not leak into the training environment.
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    if "PYTHONPATH" in os.environ and python != sys.executable:
        environment["PYTHONPATH"] = os.environ["PYTHONPATH"]  # theirs: set by the user for the training Python
    done = run_tool([python, str(script), request], timeout, environment)
    if done.problem:
        return TrainingFacts(python, problem=_why(done, timeout))
    try:
        return replace(_answer(python, _json_line(done.stdout)), named=named)
    except (ValueError, TypeError, AttributeError) as error:
        return TrainingFacts(python, problem=f"an answer that makes no sense: {error}")


def _why(done: ToolOutput, timeout: float) -> str:
    """Why an interpreter gave no answer."""
    if done.problem == "missing":
        there = os.path.lexists(done.argv[0])
        return os.strerror(errno.EACCES if there else errno.ENOENT)
    if done.problem == "timeout":
        return f"no answer within {timeout:g} s"
    if done.problem == "flood":
        return "an answer that makes no sense: more than 4 MiB"
    return done.detail or _last_line(done.stderr) or f"exit code {done.returncode}"


def _answer(python: str, answer: Mapping[str, Any]) -> TrainingFacts:
    files = cast("Mapping[str, Mapping[str, Any]]", answer.get("files") or {})
    versions = cast("Mapping[str, Any]", answer.get("versions") or answer.get("packages") or {})
    return TrainingFacts(
        python,
        version=str(answer.get("python", "")),
        versions={str(name): str(version) for name, version in versions.items() if version},
        missing=tuple(map(str, cast("list[Any]", answer.get("missing") or []))),
        files={path: _data(path, facts) for path, facts in files.items()},
        verl_keys=cast("Mapping[str, Mapping[str, Any]] | None", answer.get("verl_keys")),
        modules={str(k): str(v) for k, v in cast("Mapping[str, Any]", answer.get("modules") or {}).items()},
        sources={path: _place(found) for path, found in cast("Mapping[str, Any]", answer.get("sources") or {}).items()},
        places={str(n): str(p) for n, p in cast("Mapping[str, Any]", answer.get("places") or {}).items()},
    )


def _place(found: Any) -> tuple[int, str] | None:
    return (int(found["line"]), str(found["message"])) if found else None


def _data(path: str, facts: Mapping[str, Any]) -> DataFacts:
    rows: Any = facts.get("rows")
    longest: Any = facts.get("longest_prompt")
    return DataFacts(
        path,
        format=str(facts.get("format") or ""),
        columns=tuple(map(str, cast("list[Any]", facts.get("columns") or []))),
        rows=rows if isinstance(rows, int) else None,
        error=str(facts.get("error") or ""),
        reader=str(facts.get("reader") or ""),
        prompt_bytes=longest if isinstance(longest, int) else None,
    )


def _json_line(output: bytes) -> Mapping[str, Any]:
    """The last line that is a JSON object: site packages may print banners of their own before it."""
    for line in reversed(output.decode("utf-8", "replace").splitlines()):
        if line.lstrip().startswith("{"):
            found: Any = json.loads(line)
            if isinstance(found, dict):
                return cast("dict[str, Any]", found)
    raise ValueError("no JSON in it")


def _last_line(output: bytes) -> str:
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""
