"""Modules and names that an older verl imports and the environment of 0.9.1 does not have.

Only what an import asks for and no validation uses is put in place; whatever is stubbed is said in the record.

- 0.4 asks for ``pkg_resources``, which setuptools has dropped.
- 0.6 asks transformers for ``AutoModelForVision2Seq``, which transformers 5 has renamed.
- From 0.7 on a LoRA rank is judged by a function of ``verl.workers.rollout.vllm_rollout.utils``. That file is loaded,
  its function runs; vllm and verl's patches of vllm, which it imports, are empty.
- From 0.7 on the settings of a critic open the model's files as they are made; there are none here, so they don't.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any


class _Anything:
    """A class of any name, for ``from vllm.x import Name`` and for inheriting from it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__()


class _AnyModule(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (_Anything,), {})
        setattr(self, name, made)
        return made


class _Finder(MetaPathFinder, Loader):
    """Answers for a package that is not installed, and for everything below it."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name == "vllm.config.lora":
            raise ImportError(name)  # verl falls back to its own list of ranks
        if name == self.package or name.startswith(self.package + "."):
            return ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        module = _AnyModule(spec.name)
        module.__path__ = []
        module.__version__ = "0.11.0"  # type: ignore[attr-defined]
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        return None


def put(tree: Path) -> list[str]:
    """Put in place what this release needs; returns what it was."""
    done: list[str] = []
    if importlib.util.find_spec("pkg_resources") is None and "pkg_resources" in _text(tree / "verl" / "__init__.py"):
        module = types.ModuleType("pkg_resources")
        module.DistributionNotFound = type("DistributionNotFound", (Exception,), {})  # type: ignore[attr-defined]
        sys.modules["pkg_resources"] = module
        done.append("pkg_resources")
    if "\n    AutoModelForVision2Seq,\n" in _text(tree / "verl" / "utils" / "model.py"):
        import transformers

        if not hasattr(transformers, "AutoModelForVision2Seq"):
            transformers.AutoModelForVision2Seq = transformers.AutoModelForImageTextToText
            done.append("transformers.AutoModelForVision2Seq")
    return done


def put_vllm(tree: Path) -> list[str]:
    """Make the file with verl's LoRA rule importable without vllm; called after everything else was imported."""
    folder = tree / "verl" / "workers" / "rollout" / "vllm_rollout"
    if "def get_vllm_max_lora_rank" not in _text(folder / "utils.py"):
        return []
    for package in ("vllm", "verl.utils.vllm"):
        sys.meta_path.insert(0, _Finder(package))
    package = types.ModuleType("verl.workers.rollout.vllm_rollout")  # without its __init__, which starts vllm's classes
    package.__path__ = [str(folder)]
    sys.modules[package.__name__] = package
    return ["vllm", "verl.utils.vllm"]


def put_models() -> list[str]:
    """Keep the settings of a model from opening it: from 0.7 on they read its files as soon as a critic needs them."""
    try:
        from verl.workers.config.model import HFModelConfig
    except ImportError:
        return []
    HFModelConfig.__post_init__ = lambda _: None
    return ["HFModelConfig.__post_init__"]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
