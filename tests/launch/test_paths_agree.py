"""Our check of a path and AgentSDK's file check refuse the same paths."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from standin_environment import COMMANDS

from agentic_rl_wizard.runner.check import check_document
from agentic_rl_wizard.runner.cli.gather.facts_for import facts_for
from agentic_rl_wizard.runner.document import read_document

sys.path.insert(0, str(COMMANDS))
from standin_filecheck import check_path


def tree(root: Path, directory: int = 0o750, file: int = 0o640) -> Path:
    (root / "m" / "sub").mkdir(parents=True)
    for name in ("m/config.json", "m/sub/weights.bin"):
        (root / name).write_text("{}")
        (root / name).chmod(file)
    for name in ("m", "m/sub"):
        (root / name).chmod(directory)
    return root / "m"


def changed(name: str, mode: int) -> Callable[[Path], str]:
    def make(root: Path) -> str:
        path = tree(root)
        (root / name).chmod(mode)
        return str(path)

    return make


def linked(target: str, name: str, answer: str) -> Callable[[Path], str]:
    def make(root: Path) -> str:
        tree(root)
        (root / name).symlink_to(root / target)
        return str(root / answer)

    return make


def renamed(name: str) -> Callable[[Path], str]:
    return lambda root: str(tree(root).rename(root / name))


CASES: dict[str, Callable[[Path], str]] = {
    "good": lambda root: str(tree(root)),
    "slash": lambda root: f"{tree(root)}/",
    "dot": lambda root: f"{tree(root).parent}/./m",
    "double": lambda root: str(tree(root)).replace("/m", "//m"),
    "dotdot": lambda root: f"{tree(root)}/sub/..",
    "setgid": changed("m", 0o2750),
    "file-644": changed("m/config.json", 0o644),
    "file-600": changed("m/sub/weights.bin", 0o600),
    "dir-755": changed("m/sub", 0o755),
    "dir-700": changed("m", 0o700),
    "link": linked("m", "l", "l"),
    "parent-link": linked("m", "l", "l/sub"),
    "link-inside": linked("m/config.json", "m/l", "m"),
    "link-to-bad": lambda root: (os.symlink("/etc/passwd", tree(root) / "l"), str(root / "m"))[1],
    "broken": lambda root: (os.symlink("/no/such", tree(root) / "l"), str(root / "m"))[1],
    "blank": renamed("a b"),
    "han": renamed("模型"),
    "plus": renamed("a+b"),
    "two-dots": renamed("a..b"),
    "missing": lambda root: str(root / "no"),
    "file": lambda root: str(tree(root) / "config.json"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_path(name: str, tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    path = CASES[name](root)
    try:
        check_path(path)
        refused = ""
    except (ValueError, OSError) as error:
        refused = str(error)
    config = root / "c.yaml"
    config.write_text(f'train_backend: verl\ntokenizer_name_or_path: "{path}"\n')
    document = read_document(config)
    problems = check_document(document, facts_for(document, root, target="agentsdk", cache=False), "agentsdk")
    found = [p.code for p in problems if p.key == "tokenizer_name_or_path" and p.level == "error"]
    # A model is a folder; AgentSDK's check itself takes a file as well.
    assert bool(refused) == bool(set(found) - {"path-wrong-kind"}), (refused, found)
