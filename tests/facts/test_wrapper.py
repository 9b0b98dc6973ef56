"""Reading a wrapper: what is certain is told as certain, what is not as open."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from wrappers import GOOD

from agentic_rl_wizard.runner.facts import probe_training
from agentic_rl_wizard.runner.facts.wrapper import WrapperFacts, look_at_wrapper


def read(tmp_path: Path, text: str) -> WrapperFacts:
    (tmp_path / "w.py").write_text(text, encoding="utf-8")
    return look_at_wrapper("w.py", tmp_path)


def test_the_good_one(tmp_path: Path) -> None:
    facts = read(tmp_path, GOOD)
    (member,) = facts.members
    assert (member.name, member.cls.package, member.sure, member.cls.open) == ("Sums", "agentic_rl", True, False)
    assert [one.module for one in facts.imports] == ["asyncio", "time", "torch", "agentic_rl"]
    (call,) = facts.calls
    assert (call.given["prompt_tokens"].kind, call.given["idx"].kind, call.open) == ("tensor", "unknown", False)
    assert call.metrics is not None
    assert len(call.metrics) == 7
    assert [(one.key, one.value.kind) for one in call.chat] == [
        ("role", "str"), ("content", "unknown"), ("role", "str"), ("content", "unknown"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "problem"),
    [("gone.py", "missing"), ("folder.py", "not-a-file"), ("pipe.py", "not-a-file"), ("a\0.py", "unreadable")],
    ids=["missing", "folder", "pipe", "nul"],
)
def test_what_is_no_file(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    assert look_at_wrapper(name, tmp_path).problem == problem


def test_where_imports_stand(tmp_path: Path) -> None:
    text = """\
import top
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import only_types
if len(top.name) > 3:
    import sometimes
try:
    import maybe
except (ImportError, OSError):
    import instead
try:
    import must
except ValueError:
    pass
def f():
    import late
    try:
        import late_maybe
    except Exception:
        pass
if __name__ == "__main__":
    import by_hand
"""
    places = {one.module: one.place for one in read(tmp_path, text).imports if one.module != "typing"}
    assert places == {
        "top": "top",
        "sometimes": "conditional",
        "maybe": "guarded",
        "instead": "guarded",
        "must": "top",
        "late": "function",
        "late_maybe": "guarded",
    }


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("sys.path.insert(0, 'x')", True),
        ("sys.path += ['x']", True),
        ("sys.modules[name] = 1", True),
        ("sys.modules['a.b'] = 1", False),
        ("print(sys.path)", False),
    ],
    ids=["insert", "plus", "any", "stub", "read"],
)
def test_files_that_change_how_modules_are_found(tmp_path: Path, line: str, moves: bool) -> None:
    facts = read(tmp_path, f"import sys\nname = 'q'\n{line}\n")
    assert facts.moves_path is moves
    assert facts.stubs == ({"a"} if "a.b" in line else set())


def test_modules_that_import_each_other_are_read_once(tmp_path: Path) -> None:
    names = [f"m{i}" for i in range(30)]
    for name in names:
        lines = [f"from {other} import Helper{other}" for other in names if other != name]
        base = "BaseEngineWrapper" if name == "m0" else "object"
        lines += ["from agentic_rl import BaseEngineWrapper", f"class Helper{name}({base}): pass"]
        (tmp_path / f"{name}.py").write_text("\n".join(lines))
    facts = read(tmp_path, "from m1 import Helperm1\nfrom m0 import Helperm0\n")
    assert [(member.name, member.origin) for member in facts.members] == [("Helperm0", "m0")]


def test_what_the_training_interpreter_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "near_kit.py").write_text("raise SystemExit('imported')\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "path_kit.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(elsewhere))
    names = ["json", "near_kit", "path_kit", "no_such_kit"]
    facts = probe_training(sys.executable, modules=names, source=str(tmp_path / "w.py"), named=True)
    assert facts.problem == ""
    assert dict(facts.modules) == {"json": "there", "near_kit": "beside", "path_kit": "there", "no_such_kit": "missing"}
    assert facts.named


def test_the_training_interpreter_parses(tmp_path: Path) -> None:
    (tmp_path / "w.py").write_text("x = 1\ndef f(:\n")
    facts = probe_training(sys.executable, source=str(tmp_path / "w.py"))
    found = facts.sources[str(tmp_path / "w.py")]
    assert found is not None
    assert found[0] == 2
    assert not (tmp_path / "__pycache__").exists()
