"""Which training software the training interpreter has, and whether it can be imported.

The interpreter is asked by running ``agentic_rl_inside/software_probe.py`` in it, which reads metadata and folders and
imports nothing; a real import is tried only by `try_import`, in a process of its own. What goes wrong is a value.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from .devices import ToolOutput, run_tool

PROBE = Path(__file__).resolve().parent.parent / "inside" / "agentic_rl_inside" / "software_probe.py"
TIMEOUT = 8.0  # seconds; metadata takes below one, more from a cold network file system


@dataclass(frozen=True, slots=True)
class Copy:
    """One installed copy of a package.

    Attributes:
        version: as its metadata, or a file of its source tree, says; "" when nothing does.
        place: folder that holds the package.
        editable: source tree of a development install or of a tree on PYTHONPATH, else "".
        commit: git commit of that tree, "" when it is not known.
        requires: what its metadata requires, without extras.
    """

    version: str = ""
    place: str = ""
    editable: str = ""
    commit: str = ""
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PathEntry:
    """An entry of PYTHONPATH; ``shadows`` are the modules of the standard library that it hides."""

    path: str
    exists: bool = True
    shadows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Software:
    """The answer of the training interpreter.

    Attributes:
        python: the interpreter as it was named.
        version: its Python version, "" when there is no answer.
        executable: its own path.
        machine: architecture it was built for.
        found: distribution (normalised: ``vllm-ascend``) -> its copies; the first one is imported.
        programs: console programs of the back ends -> path.
        pythonpath: what PYTHONPATH puts before everything else.
        broken: packages whose metadata can't be read.
        too_old: it answered, but is too old to tell anything else.
        problem: ``missing``, ``not_started``, ``timeout``, ``failed``, ``nonsense``, or "" when it answered.
        detail: what it said then.
    """

    python: str
    version: str = ""
    executable: str = ""
    machine: str = ""
    found: Mapping[str, tuple[Copy, ...]] = field(default_factory=dict[str, "tuple[Copy, ...]"])
    programs: Mapping[str, str] = field(default_factory=dict[str, str])
    pythonpath: tuple[PathEntry, ...] = ()
    broken: tuple[str, ...] = ()
    too_old: bool = False
    problem: str = ""
    detail: str = ""

    def copy(self, name: str) -> Copy | None:
        """The copy of a package that is imported, or None."""
        copies = self.found.get(name, ())
        return copies[0] if copies else None

    def version_of(self, name: str) -> str:
        """Its version; "" when it is not installed or does not say."""
        copy = self.copy(name)
        return copy.version if copy is not None else ""

    @property
    def versions(self) -> dict[str, str]:
        """Name -> version of everything that was found, in alphabetical order."""
        return {name: self.version_of(name) for name in sorted(self.found)}


@dataclass(frozen=True, slots=True)
class ImportTrial:
    """What a real import gave: ``good``, ``failed`` (with the last line it said) or ``timeout``."""

    module: str
    outcome: Literal["good", "failed", "timeout"]
    detail: str = ""
    seconds: float = 0.0


def look_at_software(python: str, timeout: float = TIMEOUT, probe: Path | None = None) -> Software:
    """Ask the training interpreter what it has; never raises.

    Args:
        python: the interpreter; a bare name is looked up on the path.
        timeout: seconds after which it is given up.
        probe: the script to run (tests).
    """
    output = run_tool([python, str(probe or PROBE)], timeout, environment())
    if output.problem:
        return Software(python, problem=output.problem, detail=output.detail or last_line(output))
    for line in reversed(output.stdout.decode("utf-8", "replace").splitlines()):
        if line.lstrip().startswith("{"):  # site packages may print banners of their own before it
            try:
                return _software(python, json.loads(line))
            except (ValueError, TypeError, AttributeError, KeyError):
                break
    return Software(python, problem="nonsense", detail=last_line(output))


def try_import(python: str, module: str, timeout: float = TIMEOUT) -> ImportTrial:
    """Import a module in a process of its own and tell how that ended; never raises."""
    output = run_tool([python, "-c", f"import {module}"], timeout, environment())
    if output.problem in ("timeout", "flood"):
        return ImportTrial(module, "timeout", seconds=output.seconds)
    if output.problem:
        said = output.detail or last_line(output) or f"exit code {output.returncode}"
        return ImportTrial(module, "failed", said, output.seconds)
    return ImportTrial(module, "good", seconds=output.seconds)


def environment(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a look at the training interpreter: the user's, without what was made for another Python."""
    return {
        name: value
        for name, value in (os.environ if given is None else given).items()
        if name not in ("PYTHONHOME", "PYTHONSTARTUP", "__PYVENV_LAUNCHER__")
    }


def last_line(output: ToolOutput) -> str:
    """The last thing a program said, where tracebacks name the error."""
    for stream in (output.stderr, output.stdout):
        lines = [line.strip() for line in stream.decode("utf-8", "replace").splitlines() if line.strip()]
        if lines:
            return lines[-1][:300]
    return ""


def _software(python: str, answer: Mapping[str, Any]) -> Software:
    found = cast("Mapping[str, Sequence[Mapping[str, Any]]]", answer.get("found") or {})
    entries = cast("Sequence[Mapping[str, Any]]", answer.get("pythonpath") or ())
    return Software(
        python,
        version=str(answer["python"]),
        executable=str(answer.get("executable") or ""),
        machine=str(answer.get("machine") or ""),
        found={name: tuple(_copy(copy) for copy in copies) for name, copies in found.items() if copies},
        programs={name: str(path) for name, path in cast("Mapping[str, Any]", answer.get("programs") or {}).items()},
        pythonpath=tuple(
            PathEntry(str(entry["path"]), bool(entry["exists"]), tuple(map(str, entry["shadows"]))) for entry in entries
        ),
        broken=tuple(map(str, cast("Sequence[Any]", answer.get("broken") or ()))),
        too_old="found" not in answer,
    )


def _copy(values: Mapping[str, Any]) -> Copy:
    texts = (str(values.get(name) or "") for name in ("version", "place", "editable", "commit"))
    return Copy(*texts, requires=tuple(map(str, cast("Sequence[Any]", values.get("requires") or ()))))
