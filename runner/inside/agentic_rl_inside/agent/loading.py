"""From the file that ``agent_engine_wrapper_path`` names to an initialised wrapper, step by step as AgentSDK does."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from . import compat
from .rules import WrapperProblem, warn_once


def load_class(file: str | Path) -> type[Any]:
    """Execute the file and return its one subclass of ``BaseEngineWrapper``.

    The module is not entered into ``sys.modules`` and its folder not into ``sys.path``: AgentSDK does neither, so that
    a file that works here works there.

    Raises:
        WrapperProblem: ``wrapper-file``, ``wrapper-name``, ``wrapper-import``, ``wrapper-class``.
    """
    path = Path(file).resolve()
    if not path.is_file():
        raise WrapperProblem("wrapper-file", f"the wrapper {path} is no file")
    if not path.stem.isidentifier():
        text = f"the file name {path.name!r} without .py must be a Python identifier (letters, digits, _; no dash)"
        raise WrapperProblem("wrapper-name", text)
    try:
        stands_in = compat.install()
        base = importlib.import_module(compat.ROOT).BaseEngineWrapper
    except Exception as error:
        text = f"AgentSDK is installed here, but can't be imported: {told(error)}"
        raise WrapperProblem("wrapper-import", text, detail=traceback.format_exc()) from error
    module = _execute(path, stands_in)
    found = [
        member
        for _, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, base) and member is not base
    ]
    if len(found) != 1:
        names = ", ".join(f"{cls.__module__}.{cls.__name__}" for cls in found) or "none"
        text = f"{path.name} must show one subclass of BaseEngineWrapper, imported ones included; it has {names}"
        raise WrapperProblem("wrapper-class", text)
    return found[0]


def build(cls: type[Any], arguments: Mapping[str, Any], completions: list[Any], addresses: list[str]) -> Any:
    """Construct with keywords, set ``completions`` and ``server_addresses``, then ``initialize()``.

    Args:
        cls: From :func:`load_class`.
        arguments: agent_name, tokenizer, sampling_params, max_prompt_length, max_response_length, n_parallel_agents,
            max_steps.
        completions: ``self.completions``.
        addresses: ``self.server_addresses``.

    Raises:
        WrapperProblem: ``wrapper-arguments``, ``wrapper-initialize``.
    """
    try:
        wrapper = cls(**arguments)
    except Exception as error:
        text = f"{cls.__name__} can't be constructed: {told(error)}"
        raise WrapperProblem("wrapper-arguments", text, detail=traceback.format_exc()) from error
    wrapper.completions, wrapper.server_addresses = completions, addresses
    try:
        wrapper.initialize()
    except Exception as error:
        text = f"{cls.__name__}.initialize() raised {told(error)}"
        raise WrapperProblem("wrapper-initialize", text, detail=traceback.format_exc()) from error
    return wrapper


def told(error: BaseException) -> str:
    """An exception in one line."""
    try:
        words = str(error)
    except Exception as second:  # a user's class may fail at that, too
        words = f"(its text can't be had: {type(second).__name__})"
    return " ".join(f"{type(error).__name__}: {words}".split()).removesuffix(":")


def _execute(path: Path, stands_in: bool) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise WrapperProblem("wrapper-import", f"{path.name} can't be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    before = dict(sys.modules)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        text = f"{path.name} can't be imported: {told(error)}"
        if isinstance(error, ImportError) and stands_in and str(error.name or "").startswith(compat.ROOT):
            text += " (AgentSDK is not installed here; the stand-in has only what wrappers are documented to import)"
        raise WrapperProblem("wrapper-import", text, detail=traceback.format_exc()) from error
    finally:
        _put_back(before)
    return module


def _put_back(before: Mapping[str, ModuleType]) -> None:
    """Undo what the file did to modules of this process: published examples put stubs in verl's place."""
    replaced = [name for name, module in before.items() if sys.modules.get(name) is not module]
    for name in replaced:
        sys.modules[name] = before[name]
    for name, module in list(sys.modules.items()):
        if name not in before and name.partition(".")[0] in before and getattr(module, "__spec__", None) is None:
            del sys.modules[name]  # a stub below a real package
            replaced.append(name)
    if replaced:
        roots = ", ".join(sorted({name.partition(".")[0] for name in replaced}))
        warn_once("module-replaced", f"the wrapper's file put other modules in the place of {roots}; they are put back")
