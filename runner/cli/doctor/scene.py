"""Gathers what the doctor judges: everything at once, each with a time limit, the whole below ten seconds."""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from ...doctor import Scene, Wants
from ...facts.ascend import Ascend, look_at_ascend
from ...facts.devices import find_tool, run_tool
from ...facts.limits import Limits, look_at_limits
from ...facts.network import Network, look_at_network
from ...facts.software import Copy, ImportTrial, Software, look_at_software, try_import
from ...facts.system import RayProcess, System, look_at_ray, look_at_system
from ...stream.devices import NPU_QUERY, NVIDIA_QUERIES, read_devices
from ..devices.texts import text
from ..gather.asking import clean_said

DEADLINE = 8.0  # seconds, for all of it
SOFTWARE_TIMEOUT = 7.0
IMPORT_TIMEOUT = 6.0
TOOL_TIMEOUT = 6.0
_LEAST = 1.0
_NODE = 8  # devices that every machine with NPUs has
# The first of these that is installed is imported for a trial; torch_npu imports torch itself.
_TRIED = (("torch-npu", "torch_npu"), ("torch", "torch"))


def gather(
    python: str,
    wants: Wants | None = None,
    *,
    work: str | os.PathLike[str] = ".",
    root: str | os.PathLike[str] = "/",
    env: Mapping[str, str] | None = None,
    deadline: float = DEADLINE,
) -> Scene:
    """Look at everything at once; what does not come in time is left out, never waited for.

    Args:
        python: the training interpreter.
        wants: what a configuration file asks for.
        work: the directory in which a run would be started.
        root: where ``usr/local/Ascend``, ``dev``, ``proc`` and ``etc`` are (tests).
        env: the environment to judge; this process's own when None.
        deadline: seconds for all of it.
    """
    end = time.monotonic() + deadline
    answers = together(
        {
            "software": lambda: _software(python, end),
            "tool": lambda: _tool(min(TOOL_TIMEOUT, deadline - _LEAST)),
            "ascend": lambda: look_at_ascend(root, env),
            "network": lambda: look_at_network(root, env),
            "limits": lambda: look_at_limits(work, root, env),
            "system": lambda: look_at_system(root),
            "ray": _ray,
        },
        end,
    )
    software, imports = answers.get("software") or (Software(python, problem="timeout"), ())
    variables = dict(os.environ if env is None else env)
    software = _with_mindspeed(software, variables, Path(work), wants)
    tool = cast("dict[str, Any]", answers.get("tool") or {})
    return Scene(
        software=software,
        imports=imports,
        ascend=answers.get("ascend") or Ascend(),
        network=answers.get("network") or Network(env=variables),
        limits=answers.get("limits") or Limits(),
        system=answers.get("system") or System(platform.machine(), platform.release()),
        ray=answers.get("ray") or (),
        wants=wants,
        **tool,
    )


def _with_mindspeed(software: Software, env: Mapping[str, str], work: Path, wants: Wants | None) -> Software:
    """MindSpeed-RL is started from its source tree, which need not be on the interpreter's path."""
    if wants is None or wants.backend != "mindspeed-rl" or "mindspeed-rl" in software.found or software.problem:
        return software
    from ...backends.mindspeed.facts import version_of_tree
    from ...facts.mindspeed_tree import find_mindspeed

    tree = find_mindspeed(env, work.absolute(), Path(wants.file).absolute())
    if tree is None:
        return software
    copy = Copy(version_of_tree(tree), tree.root, tree.root)
    return replace(software, found={**software.found, "mindspeed-rl": (copy,)})


def together(tasks: Mapping[str, Callable[[], Any]], end: float) -> dict[str, Any]:
    """Run all tasks at once; the answers of those that were ready before ``end`` (of the monotonic clock).

    The threads are daemons: one that hangs in the kernel (a dead network file system) does not keep the command alive.
    A task that raises is one without an answer.
    """
    answers: dict[str, Any] = {}

    def run(name: str, task: Callable[[], Any]) -> None:
        try:
            answers[name] = task()
        except Exception:  # one look that fails must not take the others with it
            answers[name] = None

    threads = [threading.Thread(target=run, args=item, daemon=True) for item in tasks.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    return dict(answers)


def _software(python: str, end: float) -> tuple[Software, tuple[ImportTrial, ...]]:
    # It ends before the deadline does: a thread that is left behind would leave its interpreter behind.
    found = look_at_software(python, max(_LEAST, min(SOFTWARE_TIMEOUT, end - time.monotonic() - _LEAST)))
    software = replace(found, detail=clean_said(found.detail))
    left = min(IMPORT_TIMEOUT, end - time.monotonic() - 0.5)
    module = next((module for name, module in _TRIED if name in software.found), "")
    if not module or left < _LEAST:
        return software, ()
    trial = try_import(python, module, left)
    return software, (replace(trial, detail=clean_said(trial.detail)),)


def _ray() -> tuple[RayProcess, ...]:
    """Ray processes that belong to no run that still lives."""
    from ...process.index import RunNotFound, find_run
    from ...process.record import ENDED

    left: list[RayProcess] = []
    for process in look_at_ray():
        try:
            if process.run and find_run(process.run).state not in ENDED:
                continue
        except (RunNotFound, OSError, ValueError):
            pass  # of a run that this user's index does not know
        left.append(process)
    return tuple(left)


def _tool(timeout: float) -> dict[str, Any]:
    """Ask npu-smi, or else nvidia-smi: the fields of the scene."""
    queries = next((one for one in ((NPU_QUERY,), NVIDIA_QUERIES) if find_tool(one[0][0])), None)
    if queries is None:
        return {}
    output = run_tool(queries[0], timeout)
    data = output.stdout
    for more in queries[1:] if not output.problem else ():
        data += b"\n" + run_tool(more, timeout).stdout
    table = read_devices(data)
    if not table.devices:
        table = read_devices(data + b"\n" + output.stderr)  # the driver's words may be on either stream
    said = next((line for line in (output.stderr or output.stdout).splitlines() if line.strip()), b"")
    code = next((one.code for one in table.problems if one.code != "nothing"), "")
    words: dict[str, str] = {}
    if not table.devices and (code or output.problem == "failed"):
        values = {"tool": Path(output.argv[0]).name, "seconds": timeout, "detail": "", "code": output.returncode}
        key = f"problem.{code}" if code else "problem.failed"
        words = {lang: text(key, lang, **values) for lang in ("en", "zh")}
    return {
        "devices": table,
        "tool": queries[0][0],
        "tool_problem": output.problem,
        "tool_said": clean_said(said)[:200],
        "tool_words": words,
        "tool_timeout": timeout,
    }


def wants_of(file: str, verl_version: str = "") -> Wants:
    """What a configuration file asks for; whatever is wrong with the file is only counted."""
    from ...backends.choose import candidates
    from ...check import World, check_document, shape_of, target_of
    from ...check.case import Case
    from ...check.verl.parallel import RECIPE_POOL
    from ...check.view_mindspeed import DEVICES, mindspeed_view
    from ...check.view_verl import verl_view
    from ...document import read_document

    document = read_document(file)
    if not document.readable:
        return Wants(file, "", readable=False)
    target = target_of(document)
    world = World(verl_version=verl_version)
    errors = sum(problem.level == "error" for problem in check_document(document, world, target))
    shape = shape_of(document.values)
    backend = (candidates(document.values, target) or ("verl",))[-1]  # what trains; before it, what starts that
    if shape == "agentsdk":
        case = Case(document, world, target)
        nodes, devices = case.number("num_node"), case.number("num_gpus_per_node")
        engine = "vllm"
    elif backend == "mindspeed-rl":
        # Its own files name the devices of all nodes together: how many belong to one is told only below a node's size.
        total = mindspeed_view(document, world).number(DEVICES)
        nodes, devices, engine = 1, total if total is not None and total <= _NODE else None, "vllm"
    else:
        view = verl_view(document, world, target)
        nodes, devices = view.number("trainer.nnodes"), view.number("trainer.n_gpus_per_node")
        engine = cast("str", view.value("actor_rollout_ref.rollout.name") or "")
        if nodes == 1 and devices and view.given(RECIPE_POOL[0]):
            devices += view.number(RECIPE_POOL[0]) or 0  # a pool of its own for the rollout, on the same machine
    return Wants(file, target, backend, nodes or 1, devices, str(engine), verl_version, errors)
