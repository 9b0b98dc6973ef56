"""What is known of an agent wrapper from reading its source: plain values, no syntax trees.

Whatever the source leaves open (a decorator, an unknown base, a name that is bound twice) is marked as not sure; a
check may then hint, never refuse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Place = Literal["top", "function", "guarded", "conditional"]
"""Where an import or a call stands: it always runs, runs in a function, may fail unharmed, or depends on something."""


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression gives.

    Attributes:
        kind: ``none``, ``bool``, ``comparison``, ``int``, ``float``, ``nan``, ``str``, ``bytes``, ``list``, ``tuple``,
            ``dict``, ``set``, ``generator``, ``array`` (numpy), ``tensor``, ``zeros`` (a tensor of them), ``tokens`` (a
            list of token ids), ``coroutine``, or ``unknown``.
        line: where it stands, from 1.
        number: of a constant that is a number.
        sure: False when another branch, or a later change of the name, may give something else.
        items: kinds of the elements of a list that is written out.
    """

    kind: str
    line: int = 0
    number: float | None = None
    sure: bool = True
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a method, ``self`` left out. ``by``: ``position``, ``both`` or ``keyword``."""

    name: str
    by: Literal["position", "both", "keyword"]
    required: bool


@dataclass(frozen=True, slots=True)
class Signature:
    """What a call of a method may pass; ``rest`` and ``keywords`` are ``*args`` and ``**kwargs``."""

    parameters: tuple[Parameter, ...] = ()
    rest: bool = False
    keywords: bool = False
    bound: bool = True  # False: defined without a place for self


@dataclass(frozen=True, slots=True)
class SuperCall:
    """A call of the base's constructor: positional arguments, names of keywords, whether * or ** leave it open."""

    line: int
    positional: int
    keywords: tuple[str, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class Method:
    """A method as it is defined; ``signature`` is None where a decorator or an assignment may have changed it."""

    name: str
    line: int
    signature: Signature | None = None
    is_async: bool = False
    is_generator: bool = False
    abstract: bool = False
    trivial: bool = False  # nothing but pass, a text or ...
    always_raises: bool = False
    returns: tuple[Value, ...] = ()
    super_calls: tuple[SuperCall, ...] = ()
    sets: tuple[str, ...] = ()  # attributes of self that it assigns
    file: str = ""  # "" is the wrapper's own


@dataclass(frozen=True, slots=True)
class WrapperClass:
    """A class that derives from AgentSDK's base.

    Attributes:
        package: ``agentic_rl``, or ``aura`` for the base of the newer generation.
        methods: by name, the one that counts; of its bases in the file and beside it too.
        open: a base that can't be read may bring methods of its own.
        direct: its constructor's ``super`` is AgentSDK's base itself.
    """

    name: str
    line: int
    package: str
    methods: Mapping[str, Method] = field(default_factory=dict[str, Method])
    open: bool = False
    direct: bool = True


@dataclass(frozen=True, slots=True)
class Member:
    """A name of the module that is bound to a wrapper class; ``origin`` is the module it was imported from."""

    name: str
    line: int
    cls: WrapperClass
    sure: bool = True
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Import:
    """A module that is imported; ``level`` dots in front of a relative one, ``beside``: it lies in the same folder."""

    module: str
    line: int
    place: Place
    level: int = 0
    names: tuple[str, ...] = ()
    beside: bool = False

    @property
    def top(self) -> str:
        """The top-level package."""
        return self.module.partition(".")[0]


@dataclass(frozen=True, slots=True)
class ChatValue:
    """A value of a message that is written out: ``content``, ``tool_calls`` ..."""

    key: str
    value: Value


@dataclass(frozen=True, slots=True)
class TrajectoryCall:
    """A construction of ``Trajectory`` or ``StepTrajectory``.

    Attributes:
        given: what is passed, by field; ``#N`` is a positional argument beyond the fields.
        open: more may come through * or **.
        metrics: keys and values of the metrics where they are written out, else None.
        chat: the values of messages that are written out.
    """

    name: str
    line: int
    given: Mapping[str, Value]
    open: bool = False
    metrics: Mapping[str, Value] | None = None
    metrics_sure: bool = True
    chat: tuple[ChatValue, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskRead:
    """``task["key"]`` without a guard; ``sure`` when the task is certainly one of those handed over."""

    key: str
    line: int
    sure: bool


@dataclass(frozen=True, slots=True)
class Habit:
    """Something that works on a desk and not in a training: see habits.py for the kinds."""

    kind: str
    line: int
    what: str
    place: Place = "function"


@dataclass(frozen=True, slots=True)
class WrapperFacts:
    """The source of a wrapper.

    Attributes:
        path: as given.
        problem: "" when it was read; else ``missing``, ``not-a-file``, ``too-large``, ``unreadable``, ``encoding``,
            ``syntax`` or ``too-deep``.
        detail: what the system or the parser says about it.
        line: of a mistake of syntax.
        python: version of the parser (major.minor).
        members: names of the module bound to wrapper classes, in the order of the file.
        classes: names and lines of all classes on the first level.
        doubt: what may bring a subclass that can't be seen ("" when nothing can).
        imports: in the order of the file.
        stubs: modules that the file itself puts into ``sys.modules``.
        moves_path: it changes ``sys.path``, or the import system.
        calls: constructions of trajectories.
        steps: whether it uses ``StepTrajectory``.
        task_keys: keys of a task that are read without a guard.
        lazy_dataclass: line of a dataclass whose annotations are texts, else 0.
    """

    path: str
    problem: str = ""
    detail: str = ""
    line: int = 0
    python: str = ""
    members: tuple[Member, ...] = ()
    classes: tuple[tuple[str, int], ...] = ()
    doubt: str = ""
    imports: tuple[Import, ...] = ()
    stubs: frozenset[str] = frozenset()
    moves_path: bool = False
    calls: tuple[TrajectoryCall, ...] = ()
    steps: bool = False
    task_keys: tuple[TaskRead, ...] = ()
    habits: tuple[Habit, ...] = ()
    lazy_dataclass: int = 0

    def modules(self) -> tuple[str, ...]:
        """Top-level names of all modules that it imports by absolute name."""
        return tuple(dict.fromkeys(one.top for one in self.imports if not one.level and one.top))
