"""From a file to a plan: read, look around, check, plan; behind plan, run, quickstart and the wizard."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..backends.errors import PlanError
from ..backends.request import CheckpointState, Request
from ..catalogue import Problem, load_catalogue
from ..document import Document, read_document

if TYPE_CHECKING:
    from ..backends.plan import Plan
    from ..facts.training import TrainingFacts

Device = Literal["npu", "gpu", "cpu"]

INSIDE = Path(__file__).resolve().parent.parent / "inside"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for. ``local``: train on this CPU; ``fresh``: start over under a new name."""

    config: Path
    python: str
    workdir: Path
    run_dir: Path
    local: bool = False
    fresh: bool = False
    devices: str = ""
    ray_address: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The outcome: the document, its problems, and the plan or the reason why there is none."""

    document: Document
    target: str
    problems: tuple[Problem, ...]
    plan: Plan | None = None
    refusal: PlanError | None = None
    versions: dict[str, str] = field(default_factory=dict[str, str])
    request: Request | None = None

    def plan_in(self, run_dir: Path) -> Plan:
        """The same plan for another run directory (the plan names files in it).

        Raises:
            ValueError: there is no plan.
        """
        from ..backends import verl

        if self.request is None:
            raise ValueError("nothing was planned")
        return verl.make_plan(self.document, load_catalogue(), replace(self.request, run_dir=run_dir))

    @property
    def errors(self) -> list[Problem]:
        """The problems that forbid a start."""
        return [p for p in self.problems if p.level == "error"]


def prepare(wish: Wish) -> Prepared:
    """Do everything that comes before a start; starts nothing and writes nothing.

    The order matters to whoever waits: first what costs milliseconds (the file), then the training interpreter,
    and no Ray before all of it is known to be good.
    """
    from ..check import check_document, target_of
    from ..check.model_source import stands_in
    from ..facts.training import probe_training
    from .facts_for import data_files, facts_for, is_file, with_versions

    document = read_document(wish.config)
    target = "local" if wish.local else target_of(document)
    if not document.readable:
        return Prepared(document, target, tuple(check_document(document)))
    base = wish.config.resolve().parent
    # Whatever the file is written for: what is started here is verl, on this CPU or on the devices.
    launcher = "local" if target == "local" else "verl"
    data = data_files(document, base, launcher)
    # Only what is a file: a pipe in its place would never answer; what is missing is told by the look at the paths.
    training = probe_training(wish.python, sorted({file for file in data.values() if is_file(file)}))
    device = _device(target)
    world = with_versions(facts_for(document, base, training, launcher, cache=False), training, target=launcher)
    world = replace(world, checkpoint=None)  # the plan chooses the checkpoint, and judges the one it chose
    problems = tuple(check_document(document, world, launcher))
    prepared = Prepared(document, target, problems, versions=dict(training.versions))
    if prepared.errors:
        return prepared
    try:
        request = _request(document, wish, device, training)
        if stands_in(document, target):
            request = _rehearsed(document, request, training)
        prepared = replace(prepared, request=request)
        return replace(prepared, plan=prepared.plan_in(wish.run_dir))
    except PlanError as refusal:
        return replace(prepared, refusal=refusal)


def _request(document: Document, wish: Wish, device: Device | None, training: TrainingFacts) -> Request:
    from ..backends.source import source_of
    from ..facts.checkpoints import look_at_checkpoints

    source = source_of(document)
    source.refuse()
    base = wish.config.resolve().parent
    if training.problem:
        raise PlanError("python-missing", {"python": wish.python, "error": training.problem})
    version = training.versions.get("verl")
    if version is None:
        raise PlanError("verl-missing", {"python": wish.python})
    if device is None:
        raise PlanError("no-accelerator", {"needed": source.devices()})
    if device == "cpu" and training.missing:
        raise PlanError("module-missing", {"module": ", ".join(training.missing), "python": wish.python})
    project, experiment = source.names()
    renamed = free_experiment(wish.workdir, project, experiment) if wish.fresh else ""
    found = look_at_checkpoints(source.checkpoint_directory(wish.workdir, base, renamed))
    return Request(
        device=device,
        verl_version=version,
        python=wish.python,
        base=base,
        workdir=wish.workdir,
        run_dir=wish.run_dir,
        inside=INSIDE,
        rows=training.rows(str(base / Path(source.train_file()).expanduser())),
        checkpoint=CheckpointState(found.step, found.world_size, found.complete),
        experiment=renamed,
        devices=wish.devices,
        ray_address=wish.ray_address,
    )


def _rehearsed(document: Document, request: Request, training: TrainingFacts) -> Request:
    """The request with a stand-in where this CPU can't train the file's own model; its checkpoint is no matter then."""
    from ..backends.source import source_of
    from .rehearsal_for import rehearsal_for

    train_file = str(request.base / Path(source_of(document).train_file()).expanduser())
    rehearsal = rehearsal_for(document, request.base, request.workdir, training, train_file)
    return request if rehearsal is None else replace(request, rehearsal=rehearsal, checkpoint=None)


def _device(target: str) -> Device | None:
    """The device that a run of this target uses on this machine; None when there is none."""
    if target == "local":
        return "cpu"
    from ..facts.machine import look_at_machine

    kind = look_at_machine().accelerator
    return kind if kind in ("npu", "gpu") else None


def free_experiment(base: Path, project: str, name: str) -> str:
    """A name next to ``name`` whose checkpoint directory does not exist yet: name-2, name-3, ..."""
    if not (base / "checkpoints" / project / name).exists():
        return name
    number = 2
    while (base / "checkpoints" / project / f"{name}-{number}").exists():
        number += 1
    return f"{name}-{number}"
