"""What works on a desk and not in a training: processes, exits, questions, event loops.

Kinds: ``process`` (starts one), ``ray`` (starts or joins Ray), ``exit`` (ends the interpreter), ``input`` (waits for a
person), ``raise`` (the module itself raises), ``loop`` (asks for the event loop of a thread that has none).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .imports import walk
from .model import Habit, Place
from .values import own_nodes

_PROCESS = frozenset(
    (
        *("subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_call"),
        *("subprocess.check_output", "os.system", "os.popen", "os.fork", "os.forkpty", "os.posix_spawn", "pty.spawn"),
        *("asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell", "multiprocessing.Process"),
        *("multiprocessing.Pool", "torch.multiprocessing.spawn", "ProcessPoolExecutor"),
        "concurrent.futures.ProcessPoolExecutor",
    )
)
_RAY = frozenset(("ray.init", "ray.shutdown"))
_EXIT = frozenset(("sys.exit", "os._exit", "exit", "quit", "os.abort"))
_INPUT = frozenset(("input", "breakpoint", "pdb.set_trace"))
_LOOP = frozenset(("asyncio.get_event_loop",))
_KINDS = (("process", _PROCESS), ("ray", _RAY), ("exit", _EXIT), ("input", _INPUT))


def habits_of(tree: ast.Module) -> Iterator[Habit]:
    """All of them, in the order of the file; those of the module's own level first where they end the import."""
    aliases = _aliases(tree)
    own = _names_of_file(tree)
    for node, place in walk(tree):
        if isinstance(node, ast.Call):
            called = _called(node.func, aliases)
            for kind, names in _KINDS:
                if called in names and called not in own:
                    yield Habit(kind, node.lineno, called, place)
        elif isinstance(node, ast.Raise) and place == "top":
            yield Habit("raise", node.lineno, "raise", _at_top(tree, node))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for inner in own_nodes(node):
                if isinstance(inner, ast.Call) and _called(inner.func, aliases) in _LOOP:
                    yield Habit("loop", inner.lineno, "asyncio.get_event_loop")


def _at_top(tree: ast.Module, node: ast.AST) -> Place:
    return "top" if node in tree.body else "conditional"


def _called(function: ast.expr, aliases: dict[str, str]) -> str:
    if not isinstance(function, (ast.Name, ast.Attribute)):
        return ""
    dotted = ast.unparse(function)
    first, _, rest = dotted.partition(".")
    first = aliases.get(first, first)
    return f"{first}.{rest}" if rest else first


def _aliases(tree: ast.Module) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update({alias.asname: alias.name for alias in node.names if alias.asname})
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return found


def _names_of_file(tree: ast.Module) -> set[str]:
    named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, named)}
