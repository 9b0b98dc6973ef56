"""The source tree of MindSpeed-RL: where it is, which keys its config classes have; read, never imported or run.

It is no installable distribution: its guide clones the repository, copies ``megatron``, ``mindspeed`` and
``mindspeed_llm`` into it and starts ``cli/train_grpo.py`` from there.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

VARIABLE = "MINDSPEED_RL_PATH"
LIBRARIES: Mapping[str, str] = {"megatron": "Megatron-LM", "mindspeed": "MindSpeed", "mindspeed_llm": "MindSpeed-LLM"}
_CLASSES = {"megatron": "megatron_config.py", "rl": "rl_config.py", "generate": "generate_config.py"}
_RUNTIME_ENV = "configs/envs/runtime_env.yaml"
_LARGEST = 1024 * 1024  # bytes of a source file that is read


@dataclass(frozen=True, slots=True)
class MindSpeedTree:
    """A repository of MindSpeed-RL.

    Attributes:
        root: its absolute path.
        found_by: ``MINDSPEED_RL_PATH``, ``installed``, ``PYTHONPATH``, ``workdir`` or ``config``.
        scripts: entry scripts below ``cli/``.
        keys: class (``megatron``, ``rl``, ``generate``) -> attribute names, which are the keys it accepts.
        models: names of the config group ``model``.
        runtime_env: ``env_vars`` of its runtime_env.yaml; None when the file can't be read.
        libraries: ``megatron``, ``mindspeed``, ``mindspeed_llm`` -> folder that must be on the path, "" where none
            was found.
    """

    root: str
    found_by: str
    scripts: tuple[str, ...] = ()
    keys: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    models: tuple[str, ...] = ()
    runtime_env: Mapping[str, str] | None = None
    libraries: Mapping[str, str] = field(default_factory=dict[str, str])


def find_mindspeed(
    environ: Mapping[str, str], workdir: Path, config: Path | None = None, installed: Mapping[str, str] | None = None
) -> MindSpeedTree | None:
    """The first tree of: the variable, the training interpreter's package, PYTHONPATH, the working folder, the file's.

    Args:
        environ: the environment of the person.
        workdir: folder in which the command was given.
        config: the configuration file; it may lie in ``configs/`` of the repository.
        installed: package -> folder, as the training interpreter finds them.
    """
    there = installed or {}
    for found_by, place in _places(environ, workdir, config, there.get("mindspeed_rl", "")):
        if _is_tree(place):
            return look_at_tree(place, found_by, environ, there)
    return None


def look_at_tree(
    root: Path,
    found_by: str = "",
    environ: Mapping[str, str] | None = None,
    installed: Mapping[str, str] | None = None,
) -> MindSpeedTree:
    """Read one repository."""
    classes = {name: root / "mindspeed_rl" / "config_cls" / file for name, file in _CLASSES.items()}
    return MindSpeedTree(
        root=str(root),
        found_by=found_by,
        scripts=tuple(sorted(f"cli/{path.name}" for path in (root / "cli").glob("*.py"))),
        keys={name: _attributes(path) for name, path in classes.items()},
        models=tuple(sorted(path.stem for path in (root / "configs" / "model").glob("*.yaml"))),
        runtime_env=_runtime_env(root / _RUNTIME_ENV),
        libraries={
            # What the interpreter finds by itself needs no further entry on the path: the root stands for it.
            name: str(root) if name in (installed or {}) else _library(name, folder, root, environ or {})
            for name, folder in LIBRARIES.items()
        },
    )


def _places(
    environ: Mapping[str, str], workdir: Path, config: Path | None, installed: str
) -> Iterator[tuple[str, Path]]:
    if environ.get(VARIABLE):
        yield VARIABLE, Path(environ[VARIABLE]).expanduser().absolute()
    if installed:
        yield "installed", Path(installed).absolute().parent
    for entry in environ.get("PYTHONPATH", "").split(os.pathsep):
        if entry:
            yield "PYTHONPATH", Path(entry).absolute()
    yield "workdir", workdir
    yield "workdir", workdir / "MindSpeed-RL"
    if config is not None:
        for parent in list(config.absolute().parents)[:3]:
            yield "config", parent


def _is_tree(root: Path) -> bool:
    try:
        return (root / "cli" / "train_grpo.py").is_file() and (root / "mindspeed_rl").is_dir()
    except (OSError, ValueError):
        return False


def _library(name: str, folder: str, root: Path, environ: Mapping[str, str]) -> str:
    """Where a library that MindSpeed-RL imports lies: in the tree (as its guide copies it), on the path, or beside."""
    entries = [Path(entry) for entry in environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    for place in (root, *entries, root.parent / folder, root / folder):
        try:
            if (place / name).is_dir():
                return str(place)
        except (OSError, ValueError):
            continue
    return ""


def _attributes(path: Path) -> frozenset[str]:
    """Names that are set on ``self`` anywhere in a source file; a config class takes no other keys."""
    try:
        if path.stat().st_size > _LARGEST:
            return frozenset()
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return frozenset()
    found: set[str] = set()
    for node in ast.walk(tree):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                found.add(target.attr)
    return frozenset(found)


def _runtime_env(path: Path) -> Mapping[str, str] | None:
    import yaml

    try:
        if path.stat().st_size > _LARGEST:
            return None
        content: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError, RecursionError):
        return None
    variables: Any = cast("Mapping[str, Any]", content).get("env_vars") if isinstance(content, Mapping) else None
    if not isinstance(variables, Mapping):
        return None
    return {str(name): str(value) for name, value in cast("Mapping[Any, Any]", variables).items()}
