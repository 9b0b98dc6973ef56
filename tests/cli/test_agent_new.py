"""`agentic-rl agent new`: files that are whole, checked, and never written over somebody's own."""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue.agents import EXAMPLE, KINDS, class_name, scaffold_test, wrapper_source
from agentic_rl_wizard.runner.check.wrapper import Setting, judge_wrapper
from agentic_rl_wizard.runner.cli.agent.new import add_new_parser
from agentic_rl_wizard.runner.facts.wrapper import look_at_wrapper

ALL = [(template, lang) for template in (*KINDS, EXAMPLE) for lang in ("en", "zh")]


def new(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_new_parser(parser.add_subparsers(), "en")
    parsed = parser.parse_args(["new", *arguments])
    return int(parsed.run(parsed))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_two_files_with_agentsdks_modes(tmp_path: Path, kind: str, lang: str) -> None:
    folder = tmp_path / "agents"
    assert new("find_door", "--kind", kind, "-o", str(folder), "--lang", lang) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["find_door.py", "test_find_door.py"]
    assert [path.stat().st_mode & 0o777 for path in sorted(folder.iterdir())] == [0o640, 0o640]
    assert folder.stat().st_mode & 0o777 == 0o750
    text = (folder / "find_door.py").read_text("utf-8")
    assert "class FindDoorWrapper(BaseEngineWrapper):" in text
    assert bool(re.search(r"[\u4e00-\u9fff]", text)) is (lang == "zh")


@pytest.mark.parametrize(("template", "lang"), ALL, ids=["-".join(one) for one in ALL])
def test_no_mark_of_the_template_is_left_and_both_languages_are_the_same_program(template: str, lang: str) -> None:
    texts = [wrapper_source(template, "find_door", lang)]
    texts += [scaffold_test(template, "find_door", lang)] if template in KINDS else []
    for text in texts:
        assert not re.search(r"#(en|zh)\||#include|__NAME__|__CLASS__", text)
        assert max(map(len, text.splitlines())) <= 120
        assert not re.search(r"[ \t]+$|\n{4,}", text, re.MULTILINE)
    other = wrapper_source(template, "find_door", "zh" if lang == "en" else "en")
    assert without_texts(texts[0]) == without_texts(other)


def without_texts(source: str) -> str:
    """The program alone: comments and docstrings are what the languages differ in."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)


@pytest.mark.parametrize(("template", "lang"), ALL, ids=["-".join(one) for one in ALL])
@pytest.mark.parametrize(
    ("target", "backend", "keys"),
    [
        ("agentsdk", "verl", None),
        ("agentsdk", "mindspeed_rl", ("question", "labels")),
        ("local", "verl", None),
        ("", "", None),
    ],
    ids=["sdk-verl", "sdk-mindspeed", "local", "alone"],
)
def test_the_static_check_has_nothing_to_say(
    tmp_path: Path, template: str, lang: str, target: str, backend: str, keys: tuple[str, ...] | None
) -> None:
    path = tmp_path / "find_door.py"
    path.write_text(wrapper_source(template, "find_door", lang), "utf-8")
    generation = "C" if target == "agentsdk" else ""
    setting = Setting(look_at_wrapper(str(path)), target, generation, backend, keys, False, None)
    assert [(one.level, one.code, one.line) for one in judge_wrapper(setting)] == []


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("find-door", "find_door"),
        ("2048", "agent_2048"),
        ("class", "class_agent"),
        ("torch", "torch_agent"),
        ("json", "json_agent"),
        ("test_door", "door"),
        ("猜数", "agent"),
        ("door.py", "door"),
    ],
)
def test_a_name_that_can_not_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, better: str) -> None:
    assert new(name, "-o", str(tmp_path)) == 2
    assert f"Try {better}." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", ["find_door.py", "test_find_door.py"])
def test_what_is_there_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str], there: str) -> None:
    (tmp_path / there).write_text("mine")
    assert new("find_door", "-o", str(tmp_path)) == 2
    assert there in capsys.readouterr().err
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(there, "mine")]


def test_a_folder_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert new("find_door", "-o", str(tmp_path / "file")) == 2
    assert "can't be written" in capsys.readouterr().err


def test_class_names() -> None:
    assert [class_name(name) for name in ("find_door", "x", "_", "aB_c")] == ["FindDoor", "X", "Agent", "ABC"]


def test_a_scaffold_is_tried_as_its_first_lines_say(tmp_path: Path) -> None:
    """`agent try` in a process of its own; the rest of the scaffolds' tests runs in tests/inside, in this one."""
    program = Path(sys.executable).with_name("agentic-rl")
    if subprocess.run([program, "agent", "try", "--help"], capture_output=True, check=False).returncode:
        pytest.skip("agentic-rl agent try is not there yet")
    assert new("find_door", "-o", str(tmp_path)) == 0
    test = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "reaching", "test_find_door.py"]
    path = f"{program.parent}:{os.environ.get('PATH', '')}"
    env = {**os.environ, "PATH": path, "AGENTIC_RL_PYTHON": sys.executable}
    done = subprocess.run(test, capture_output=True, text=True, check=False, cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "1 passed" in done.stdout
