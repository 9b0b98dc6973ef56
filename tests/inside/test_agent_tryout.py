"""The child of `agent try`: places in tracebacks, scripted replies, rows as tasks."""

from __future__ import annotations

import asyncio
import json
import traceback
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from agentic_rl_inside import tiny_model  # noqa: E402
from agentic_rl_inside.agent import tryout, tryout_model, tryout_tasks  # noqa: E402
from agentic_rl_inside.agent.rules import WrapperProblem  # noqa: E402


def test_only_lines_of_the_wrapper_and_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "w.py").write_text("import near\n\n\ndef play():\n    near.fail()\n")
    (tmp_path / "near.py").write_text("import json\n\n\ndef fail():\n    json.loads('{')\n")
    names: dict = {}
    near = compile((tmp_path / "near.py").read_text(), str(tmp_path / "near.py"), "exec")
    exec(near, names)
    names["near"] = type("near", (), {"fail": staticmethod(names["fail"])})
    exec(compile("\n\n\ndef play():\n    near.fail()\n", str(tmp_path / "w.py"), "exec"), names)
    try:
        names["play"]()
    except ValueError:
        detail = traceback.format_exc()
    data = tryout.problem_data(WrapperProblem("wrapper-raised", "x", "3", detail), tmp_path / "w.py")
    assert [(Path(f["file"]).name, f["line"]) for f in data["trace"]] == [("w.py", 5), ("near.py", 5)]
    assert (Path(data["file"]).name, data["line"], data["task"]) == ("near.py", 5, "3")


def test_a_mistake_of_syntax_has_a_line(tmp_path: Path) -> None:
    problem = WrapperProblem("wrapper-import", "w.py can't be imported: SyntaxError: invalid syntax (w.py, line 9)")
    assert tryout.problem_data(problem, tmp_path / "w.py")["line"] == 9


def test_scripted_replies_in_order() -> None:
    tokenizer = tiny_model.build_tokenizer()
    script = tryout_model.Script(tokenizer, ["ab", "cdefgh"])

    async def ask(most: int | None):
        return await script.generate([1], {"max_tokens": most}, "s")

    first, second = asyncio.run(ask(None)), asyncio.run(ask(3))
    assert tokenizer.decode(first.tokens) == "ab<|im_end|>"
    assert (first.finish, second.finish, len(second.tokens)) == ("stop", "length", 3)
    with pytest.raises(ValueError, match="2 replies, and this is request 3"):
        asyncio.run(ask(None))


def test_the_tiny_model_answers() -> None:
    engine = tryout_model.engine_of({})
    answer = asyncio.run(engine.generate([5, 6, 7], {"max_tokens": 4, "temperature": 1.0}, "s"))
    assert engine.name == "tiny model"
    assert 1 <= len(answer.tokens) <= 4


def test_a_model_that_is_too_large_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not tryout_model.small(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"x" * 100)
    assert tryout_model.small(tmp_path)
    monkeypatch.setattr(tryout_model, "SMALL", 99)
    assert not tryout_model.small(tmp_path)


@pytest.mark.parametrize(
    ("sdk", "expected"),
    [(True, {}), (False, {"level": "easy"})],
    ids=["agentsdk", "stand-in"],
)
def test_a_row_of_verl(tmp_path: Path, sdk: bool, expected: dict) -> None:
    row = {
        "data_source": "d",
        "prompt": [{"role": "user", "content": "say"}],
        "reward_model": {"ground_truth": "2"},
        "extra_info": {"question": "1+1", "index": 4, "level": "easy"},
    }
    (tmp_path / "d.jsonl").write_text(json.dumps(row) + "\n")
    data = {"path": str(tmp_path / "d.jsonl"), "row": 0, "backend": "verl", "sdk": sdk}
    (task,) = tryout_tasks.tasks_of({"data": data})
    assert {"question": "1+1", "ground_truth": "2", "id": 4, **expected}.items() <= task.items()
    assert ("level" in task) is not sdk


def test_tasks_get_an_id() -> None:
    assert tryout_tasks.tasks_of({"tasks": [{"question": "a"}, {"id": 9}]}) == [{"id": 0, "question": "a"}, {"id": 9}]
    assert tryout_tasks.tasks_of({})[0]["question"]


def test_what_json_does_not_take_becomes_text() -> None:
    value = {"a": float("nan"), "b": torch.tensor(2.0), "c": [object], 3: None}
    assert tryout.plain(value) == {"a": "nan", "b": 2.0, "c": [str(object)], "3": None}
