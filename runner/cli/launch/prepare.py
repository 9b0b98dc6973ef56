"""From a file to a plan: read, look around, check, plan; behind plan, run, quickstart and the wizard."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from ...backends.errors import PlanError
from ...catalogue import Problem, load_catalogue
from ...document import Document, read_document

if TYPE_CHECKING:
    from ...backends.plan import Plan
    from ...backends.request import Request
    from ...catalogue import Language
    from ...facts.training import TrainingFacts

Device = Literal["npu", "gpu", "cpu"]


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for.

    ``local``: train on this CPU; ``fresh``: start over under a new name; ``backend``: ``auto`` or its name;
    ``settings``: ``KEY=VALUE`` texts that count as if they stood in the file; ``lang``: of what is said about them.
    """

    config: Path
    python: str
    workdir: Path
    run_dir: Path
    local: bool = False
    fresh: bool = False
    devices: str = ""
    ray_address: str = ""
    env_scripts: tuple[str, ...] = ()
    backend: str = "auto"
    settings: tuple[str, ...] = ()
    lang: str = "en"


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
        from ...backends.registry import plan_with

        if self.request is None:
            raise ValueError("nothing was planned")
        return plan_with(self.document, load_catalogue(), replace(self.request, run_dir=run_dir))

    def with_stand_in(self, run_dir: Path) -> Prepared:
        """The same with the plan for the stand-in as it has turned out to be."""
        from ..rehearsal.rehearsal_for import as_made

        if self.request is None or self.request.rehearsal is None:
            return self
        made = replace(self, request=replace(self.request, rehearsal=as_made(self.request.rehearsal)))
        return replace(made, plan=made.plan_in(run_dir))

    @property
    def errors(self) -> list[Problem]:
        """The problems that forbid a start."""
        return [p for p in self.problems if p.level == "error"]


def prepare(wish: Wish) -> Prepared:
    """Do everything that comes before a start; starts nothing and writes nothing.

    The order matters to whoever waits: first what costs milliseconds (the file), then the training interpreter,
    and no Ray before all of it is known to be good.

    Raises:
        UsageError: one of the settings can't be followed.
    """
    from ...backends.cured import as_handed
    from ...check import check_document, target_of
    from ...check.model_source import stands_in
    from ..gather.asking import ask_python
    from ..gather.facts_for import data_files, facts_for, is_file, with_versions, wrapper_of
    from .mindspeed_request import OF_VERL, judge_written, without_prefixes
    from .request_for import choose_backend, request_for

    document = read_document(wish.config)
    if wish.settings and document.readable:
        from .set_values import with_settings

        document = with_settings(document, wish.settings, cast("Language", wish.lang))
    target = "local" if wish.local else target_of(document)
    if not document.readable:
        return Prepared(document, target, tuple(check_document(document)))
    base = wish.config.resolve().parent
    # Only what is a file: a pipe in its place would never answer; what is missing is told by the look at the paths.
    data = {*data_files(document, base, target).values(), *data_files(document, base, "verl").values()}
    wrapper = wrapper_of(document, base, target)
    training = ask_python(
        wish.python,
        sorted({file for file in data if is_file(file)}),
        modules=wrapper.modules() if wrapper else (),
        source=str(base / wrapper.path) if wrapper else "",
        named=True,
    )
    chosen = choose_backend(document, wish, training, target, device := _device(target))
    world = facts_for(document, base, training, chosen.judge, cache=False)
    running = replace(training, versions=chosen.packages(training))
    world = with_versions(world, running, chosen.version_for_check, target=chosen.judge)
    world = replace(world, checkpoint=None)  # the plan chooses the checkpoint, and judges the one it chose
    if chosen.direct_mindspeed:
        world = replace(world, paths=without_prefixes(world.paths))
    started = chosen.choice.backend if chosen.choice is not None else ""
    problems = tuple(as_handed(problem, started) for problem in check_document(document, world, chosen.judge))
    if chosen.direct_mindspeed:
        problems = tuple(problem for problem in problems if problem.code not in OF_VERL)
    prepared = Prepared(document, target, problems, versions=dict(running.versions))
    if prepared.errors:
        return prepared
    try:
        request = request_for(document, wish, device, training, chosen)
        if stands_in(document, target) and request.device == "cpu":
            request = _rehearsed(document, request, training)
        prepared = replace(prepared, request=request)
        plan = prepared.plan_in(wish.run_dir)
        return replace(prepared, plan=plan, problems=(*problems, *judge_written(plan, document, world)))
    except PlanError as refusal:
        return replace(prepared, refusal=refusal)


def _rehearsed(document: Document, request: Request, training: TrainingFacts) -> Request:
    """The request with a stand-in where this CPU can't train the file's own model; its checkpoint is no matter then."""
    from ...backends.source import source_of
    from ..rehearsal.rehearsal_for import rehearsal_for

    train_file = str(request.base / Path(source_of(document).train_file()).expanduser())
    rehearsal = rehearsal_for(document, request.base, request.workdir, training, train_file)
    return request if rehearsal is None else replace(request, rehearsal=rehearsal, checkpoint=None)


def _device(target: str) -> Device | None:
    """The device that a run of this target uses on this machine; None when there is none."""
    if target == "local":
        return "cpu"
    from ...facts.machine import look_at_machine

    kind = look_at_machine().accelerator
    return kind if kind in ("npu", "gpu") else None
