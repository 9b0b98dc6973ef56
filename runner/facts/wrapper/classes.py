"""Which names of a module are bound to subclasses of AgentSDK's base, as ``inspect.getmembers`` would find them.

Sibling modules are read too, as far as a name comes from one: AgentSDK counts an imported subclass like an own one.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from .methods import async_names, method_of
from .model import Member, Method, WrapperClass
from .source import read_source

BASE = "BaseEngineWrapper"
PACKAGES = ("agentic_rl", "aura")
MOST_MODULES = 50  # beside the wrapper that are read
# Libraries that are sure to hold no subclass of AgentSDK's base.
_FOREIGN = frozenset(
    ("torch", "numpy", "transformers", "pandas", "ray", "requests", "pydantic", "vllm", "openai", "verl")
)


@dataclass(slots=True)
class Bound:
    """What a name of a module stands for: AgentSDK's base, a wrapper class, what can't be known, or neither."""

    kind: str  # base, wrapper, unknown, other
    line: int = 0
    package: str = ""
    cls: WrapperClass | None = None
    own: dict[str, Method] = field(default_factory=dict[str, Method])
    bases: tuple[Bound, ...] = ()
    sure: bool = True
    origin: str = ""


def top_statements(tree: ast.Module) -> Iterator[tuple[ast.stmt, bool]]:
    """Statements on the module's own level, and whether they run for certain."""

    def walk(body: list[ast.stmt], sure: bool) -> Iterator[tuple[ast.stmt, bool]]:
        for node in body:
            yield node, sure
            for name in ("body", "orelse", "finalbody"):
                if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    certain = sure and isinstance(node, ast.With)
                    yield from walk(getattr(node, name, []), certain)
            for handler in getattr(node, "handlers", []):
                yield from walk(handler.body, False)

    yield from walk(tree.body, True)


class ModuleNames:
    """The names of one module."""

    def __init__(
        self, tree: ast.Module, folder: Path, file: str = "", beside: dict[str, ModuleNames | None] | None = None
    ) -> None:
        self.folder, self.file = folder, file
        # Shared by all of them: each is read once, and one that is being read is unknown to those it imports.
        self._beside: dict[str, ModuleNames | None] = {} if beside is None else beside
        self.names: dict[str, Bound] = {}
        self.doubt = ""
        self.classes: list[tuple[str, int]] = []
        for node, sure in top_statements(tree):
            self._statement(node, sure)

    def members(self) -> tuple[Member, ...]:
        """Names that are bound to subclasses."""
        return tuple(
            Member(name, bound.line, bound.cls, bound.sure, bound.origin)
            for name, bound in self.names.items()
            if bound.kind == "wrapper" and bound.cls is not None
        )

    def _statement(self, node: ast.stmt, sure: bool) -> None:
        if isinstance(node, ast.ClassDef):
            self.classes.append((node.name, node.lineno))
            self._bind(node.name, self._class(node, sure), sure)
        elif isinstance(node, ast.ImportFrom):
            self._import_from(node, sure)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                self.names[name] = Bound("module", node.lineno, alias.name if alias.asname else name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self._bind(target.id, self._assigned(target.id, node, sure), sure)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.names.pop(target.id, None)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.names[node.name] = Bound("other", node.lineno)

    def _bind(self, name: str, bound: Bound, sure: bool) -> None:
        """A name gets a meaning; a stand-in for what could not be imported does not hide the real thing."""
        before = self.names.get(name)
        if not sure and before is not None and before.kind in ("base", "wrapper") and bound.kind == "other":
            return
        self.names[name] = bound

    def _assigned(self, name: str, node: ast.Assign, sure: bool) -> Bound:
        value, line = node.value, node.lineno
        bound = self.lookup(value)
        if bound.kind in ("wrapper", "base", "unknown") and isinstance(value, (ast.Name, ast.Attribute)):
            return replace(bound, line=line, sure=bound.sure and sure)
        made = isinstance(value, ast.Call) and name[:1].isupper() and not name.isupper()  # perhaps by a class factory
        return Bound("unknown" if made else "other", line)

    def lookup(self, node: ast.expr) -> Bound:
        """What an expression stands for where a class is expected."""
        if isinstance(node, ast.Subscript):  # Generic[T]
            node = node.value
        if isinstance(node, ast.Name):
            if node.id in ("object", "ABC", "Generic", "Protocol"):
                return Bound("other")
            return self.names.get(node.id, Bound("other" if hasattr(builtins, node.id) else "unknown"))
        if isinstance(node, ast.Attribute):
            dotted = ast.unparse(node)
            module, _, name = dotted.rpartition(".")
            bound = self.names.get(module.partition(".")[0])
            if bound is not None and bound.kind == "module":
                full = bound.package + module[len(module.partition(".")[0]) :]
                return self._from(full, name, node.lineno, 0)
            return Bound("unknown")
        return Bound("unknown")

    def _import_from(self, node: ast.ImportFrom, sure: bool) -> None:
        for alias in node.names:
            module = node.module or ""
            if alias.name == "*":
                if module.partition(".")[0] in PACKAGES:
                    self.names[BASE] = Bound("base", node.lineno, module.partition(".")[0])
                elif not _known(module):
                    self.doubt = self.doubt or f"from {module} import *"
                continue
            bound = self._from(module, alias.name, node.lineno, node.level)
            self._bind(alias.asname or alias.name, replace(bound, sure=bound.sure and sure), sure)

    def _from(self, module: str, name: str, line: int, level: int) -> Bound:
        top = module.partition(".")[0]
        if top in PACKAGES and not level:
            if name == BASE:
                return Bound("base", line, top)
            # A ready-made wrapper of the SDK is a subclass too; which names are, only its source tells.
            return Bound("unknown" if name.endswith("Wrapper") else "other", line)
        if _known(module) and not level:
            return Bound("other", line)
        beside = self.beside(module)
        if beside is not None:
            found = beside.names.get(name, Bound("unknown"))
            return replace(found, line=line, origin=module)
        return Bound("unknown", line, origin=module) if name[:1].isupper() else Bound("other", line)

    def beside(self, module: str) -> ModuleNames | None:
        """A module in the wrapper's own folder, read like the wrapper; None where there is none."""
        if not module:
            return None
        if module not in self._beside and len(self._beside) < MOST_MODULES:
            self._beside[module] = None
            place = self.folder.joinpath(*module.split("."))
            found = next((p for p in (place.with_name(f"{place.name}.py"), place / "__init__.py") if p.is_file()), None)
            tree = read_source(found).tree if found is not None else None
            self._beside[module] = (
                ModuleNames(tree, self.folder, found.name, self._beside) if tree is not None and found else None
            )
        return self._beside.get(module)

    def _class(self, node: ast.ClassDef, sure: bool) -> Bound:
        bases = tuple(self.lookup(base) for base in node.bases)
        coroutines = async_names(node.body)
        own: dict[str, Method] = {}
        for one in node.body:
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
                own[one.name] = method_of(one, coroutines, self.file)
            elif isinstance(one, ast.Assign):
                for target in one.targets:
                    if isinstance(target, ast.Name):
                        own[target.id] = Method(target.id, one.lineno, file=self.file)
            elif not isinstance(one, (ast.Expr, ast.AnnAssign, ast.Pass, ast.ClassDef)):
                # Methods that depend on something: they may be there, in any shape.
                for inner in ast.walk(one):
                    if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        own.setdefault(inner.name, Method(inner.name, inner.lineno, file=self.file))
        kinds = {base.kind for base in bases}
        bound = Bound("other", node.lineno, own=own, bases=bases, sure=sure)
        derived = next((base for base in bases if base.kind in ("base", "wrapper")), None)
        if derived is not None:
            package = derived.package or (derived.cls.package if derived.cls else "")
            bound.kind, bound.package = "wrapper", package
            open_ = any(_is_open(base) for base in bases) or bool(node.decorator_list) or bool(node.keywords)
            direct = len(bases) == 1 and bases[0].kind == "base"
            bound.cls = WrapperClass(node.name, node.lineno, package, _resolved(bound, node.name), open_, direct)
        elif "unknown" in kinds:
            bound.kind = "unknown"
        return bound


def _is_open(bound: Bound) -> bool:
    return bound.kind in ("unknown", "module") or any(_is_open(base) for base in bound.bases)


def _resolved(bound: Bound, name: str) -> dict[str, Method]:
    """The methods that count, in the order in which Python looks; those behind AgentSDK's base are hidden by it."""
    made: dict[int, type] = {}
    behind: dict[type, Bound] = {}

    def make(one: Bound) -> type:
        if id(one) not in made:
            bases = tuple(dict.fromkeys(make(base) for base in one.bases))
            made[id(one)] = type(name, bases, {})
            behind[made[id(one)]] = one
        return made[id(one)]

    try:
        order = make(bound).__mro__
    except TypeError:  # no consistent order: Python will say so
        order = tuple(make(base) for base in bound.bases)
    found: dict[str, Method] = {}
    for cls in order:
        one = behind.get(cls)
        if one is None:
            continue
        if one.kind == "base":
            for abstract in ("initialize", "generate_agent_trajectories_async", "__init__"):
                found.setdefault(abstract, Method(abstract, 0, abstract=True, file="(base)"))
            continue
        for method_name, method in one.own.items():
            found.setdefault(method_name, method)
    return {key: method for key, method in found.items() if method.file != "(base)"}


def _known(module: str) -> bool:
    top = module.partition(".")[0]
    return top in sys.stdlib_module_names or top in _FOREIGN
