"""From what is wished and what is there to the request that a back end plans for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...backends.backend import Backend, Installed
from ...backends.choose import Choice, choose
from ...backends.errors import PlanError
from ...backends.plan import Note
from ...backends.registry import backend, probe_all
from ...backends.request import CheckpointState, Device, Request
from ...document import Document
from ...facts.ray_token import token_environment
from ...native.shape import shape_of
from ..inside import INSIDE
from .environment_scripts import with_scripts
from .mindspeed_request import find_tree, tool_of, with_mindspeed

if TYPE_CHECKING:
    from ...facts.mindspeed_tree import MindSpeedTree
    from ...facts.training import TrainingFacts
    from .prepare import Wish


@dataclass(frozen=True, slots=True)
class Chosen:
    """The back end that will start the file, or why there is none; ``judge``: whose checks the file has to pass.

    ``direct_mindspeed``: MindSpeed-RL itself will train from it; ``tree`` is its repository, where one was found.
    """

    judge: str
    choice: Choice | None = None
    installed: Installed | None = None
    refusal: PlanError | None = None
    tree: MindSpeedTree | None = None
    direct_mindspeed: bool = False

    def packages(self, training: TrainingFacts) -> Mapping[str, str]:
        """Versions of what will run: those of the back end's own environment where that is another one."""
        own = self.installed.packages if self.installed is not None and self.installed.present else None
        return training.versions if own is None else own

    @property
    def version_for_check(self) -> str:
        """The version of the back end's own software; "" leaves it to what the interpreter has."""
        own = self.judge in ("agentsdk", "mindspeed-rl")
        return self.installed.version if self.installed is not None and own else ""


def choose_backend(
    document: Document, wish: Wish, training: TrainingFacts, target: str, device: Device | None
) -> Chosen:
    """Choose, and say by whose rules the file is judged; a refusal is told after the errors of the file."""
    from ...facts.tools import look_at_tools

    local = target == "local"
    tree = find_tree(training, wish.workdir, wish.config)
    installed = probe_all(training, {**look_at_tools(wish.python), **tool_of(tree)})
    try:
        choice = choose(document.values, installed, wish=wish.backend, target=target, local=local, device=device)
    except PlanError as refusal:
        wished = wish.backend if refusal.code == "backend-absent" else ""
        judge = "local" if local else _judge(wished, document) or target
        return Chosen(judge, refusal=refusal, direct_mindspeed=wished == "mindspeed-rl")
    judge = "local" if local else _judge(choice.backend, document)
    direct = choice.backend == "mindspeed-rl"
    return Chosen(judge, choice, installed[choice.backend], tree=tree, direct_mindspeed=direct)


def _judge(name: str, document: Document) -> str:
    """Whose checks the file has to pass when that back end starts it; "" without one."""
    judge = backend(name).JUDGE if name else ""
    shape = shape_of(document.values)
    if judge == "mindspeed-rl" and shape != "mindspeed-rl":
        # Judged as what it is; what is written for MindSpeed-RL is judged after it (mindspeed_request.py).
        return "verl" if shape == "agentsdk" else "ascendfactory"
    return judge


def request_for(
    document: Document, wish: Wish, device: Device | None, training: TrainingFacts, chosen: Chosen
) -> Request:
    """What the chosen back end is asked to plan.

    Raises:
        PlanError: the interpreter, the back end, a device or a module is missing, or the file asks for what the back
            end can't do.
    """
    if chosen.choice is None or chosen.installed is None:
        raise chosen.refusal or PlanError("backend-unsuitable", {"backend": wish.backend, "able": "-"}, exit_code=2)
    module = backend(chosen.choice.backend)
    asked = module.asked(document)
    asked.refuse()
    base = wish.config.resolve().parent
    if training.problem:
        raise PlanError("python-missing", {"python": wish.python, "error": training.problem})
    if not chosen.installed.present:
        raise _missing(module, wish, chosen.installed)
    if device is None or device not in module.NEEDS:
        raise PlanError("no-accelerator", {"needed": asked.devices()})
    if device == "cpu" and training.missing:
        raise PlanError("module-missing", {"module": ", ".join(training.missing), "python": wish.python})
    project, experiment = asked.names()
    renamed = free_experiment(wish.workdir, project, experiment) if wish.fresh else ""
    request = Request(
        device=device,
        verl_version=chosen.packages(training).get("verl", ""),
        python=wish.python,
        base=base,
        workdir=wish.workdir,
        run_dir=wish.run_dir,
        inside=INSIDE,
        rows=training.rows(str(base / Path(asked.train_file()).expanduser())),
        checkpoint=_checkpoint(module.LAYOUT, asked.checkpoint_directory(wish.workdir, base, renamed)),
        experiment=renamed,
        devices=wish.devices,
        ray_address=wish.ray_address,
        ray_token=token_environment(os.environ),
        backend=chosen.choice.backend,
        backend_version=chosen.installed.version,
        program=chosen.installed.program,
        environment=dict(os.environ),
        notes=_told(chosen.choice, chosen.installed),
        verl_source=_verl_source(training),
    )
    request = with_scripts(request, wish.env_scripts, os.environ)
    return with_mindspeed(request, document, chosen.tree, wish.fresh) if module.NAME == "mindspeed-rl" else request


def _verl_source(training: TrainingFacts) -> str:
    """Verl's repository: where its package lies beside ``recipe/``, or what is on the path; "" for an installed one."""
    found = training.places.get("recipe") or training.places.get("verl")
    parent = Path(found).parent if found else None
    return str(parent) if parent is not None and (parent / "recipe").is_dir() else ""


def _told(choice: Choice, installed: Installed) -> tuple[Note, ...]:
    notes = (Note("info", "--backend", choice.reason),)
    return (*notes, Note("info", "--backend", installed.remark)) if installed.remark else notes


def _missing(module: Backend, wish: Wish, installed: Installed) -> PlanError:
    if module.NAME == "verl":
        return PlanError("verl-missing", {"python": wish.python})
    return PlanError("backend-absent", {"backend": module.NAME, "reason": installed.why_not})


def _checkpoint(layout: str, directory: Path) -> CheckpointState | None:
    """What lies there, as the back end's own layout has it."""
    from ...facts.checkpoints import look_at_checkpoints
    from ...facts.megatron import look_at_megatron

    if layout == "verl":
        found = look_at_checkpoints(directory)
        return CheckpointState(found.step, found.world_size, found.complete)
    weights = look_at_megatron(directory) if layout == "megatron" else None
    if weights is None:
        return None
    return CheckpointState(int(weights.iteration) if weights.iteration.isdecimal() else 0, complete=bool(weights.ranks))


def free_experiment(base: Path, project: str, name: str) -> str:
    """A name next to ``name`` whose checkpoint directory does not exist yet: name-2, name-3, ..."""
    if not (base / "checkpoints" / project / name).exists():
        return name
    number = 2
    while (base / "checkpoints" / project / f"{name}-{number}").exists():
        number += 1
    return f"{name}-{number}"
