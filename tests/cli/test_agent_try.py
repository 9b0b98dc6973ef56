"""`agentic-rl agent try`: what becomes of good and bad wrappers, in a child that is not trusted."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest
from wrappers import FIVE, GOOD, METRICS, RETURN, wrong

from agentic_rl_wizard.runner.cli.agent.child import Answer
from agentic_rl_wizard.runner.cli.agent.trial import result_of, split_output
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.process.procs import processes

pytest.importorskip("torch")
pytest.importorskip("transformers")

REPLIES = ["--replies", '["15"]']


@pytest.fixture(autouse=True)
def _away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AGENTIC_RL_PYTHON", raising=False)


def wrapper(tmp_path: Path, text: str) -> str:
    (tmp_path / "sums.py").write_text(text, encoding="utf-8")
    return str(tmp_path / "sums.py")


def tried(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict]:
    code = main(["agent", "try", *arguments, "--json", "--lang", "en"])
    return code, json.loads(capsys.readouterr().out)


def test_a_good_one_with_replies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = wrapper(tmp_path, GOOD)
    tasks = ["--task", '{"id": 7, "question": "1+1", "ground_truth": "2"}', "--task", '{"id": 8, "question": "x"}']
    code, result = tried(capsys, path, *tasks, "--replies", '["2", "no"]')
    assert (code, result["ok"], result["problems"]) == (0, True, [])
    assert [(t["task"]["id"], t["reward"]) for t in result["trajectories"]] == [(7, 1.0), (8, 0.0)]
    first = result["trajectories"][0]
    assert first["chat"] == [{"role": "user", "content": "1+1"}, {"role": "assistant", "content": "2"}]
    assert [(s["trained"], s["text"]) for s in first["segments"]] == [(True, "2")]
    assert first["prompt"]["text"].endswith("assistant\n")


def test_the_tiny_model_and_words_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace(
        "        text = answer", '        print("\\x1b]0;evil\\x07 [red] API_KEY=sk-1")\n        text = answer'
    )
    assert main(["agent", "try", wrapper(tmp_path, text), "--lang", "zh"]) == 0
    out = capsys.readouterr().out
    assert "随机初始化的微型模型" in out
    assert "    +     8  " in out, "the eight tokens of the model are trained"
    assert "\x1b" not in out
    assert "[red] API_KEY=***" in out


BAD: dict[str, tuple[str, str, str, int]] = {
    "raises": (RETURN, '        raise ValueError("no server")\n', "wrapper-raised", 21),
    "hangs": (RETURN, "        time.sleep(1000)\n", "wrapper-hangs", 21),
    "exits": (RETURN, "        import os\n        os._exit(3)\n", "wrapper-ended", 22),
    "leaves-a-process": (
        RETURN,
        '        import subprocess\n        subprocess.Popen(["setsid", "sleep", "3141"])\n' + RETURN,
        "process-left",
        22,
    ),
    "too-few": (RETURN, RETURN.replace("tasks))", "tasks))[:0]"), "too-few-trajectories", 20),
    "none-content": ('"content": text}', '"content": None}', "chat", 36),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_one(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    old, new, rule, line = BAD[name]
    path = wrapper(tmp_path, GOOD.replace(old, new, 1))
    code, result = tried(capsys, path, *REPLIES, "--timeout", "2")
    assert (code, result["ok"]) == (1, False)
    (problem,) = [p for p in result["problems"] if p["level"] == "error"]
    assert (problem["rule"], problem["line"], Path(problem["file"]).name) == (rule, line, "sums.py")
    assert problem["fix"]
    assert problem["task"] == ("" if name == "leaves-a-process" else "0")
    assert not any("agentic_rl" in frame["file"] for frame in problem["trace"])
    if name == "leaves-a-process":
        assert not any(one.name == "sleep" and "3141" in str(one) for one in processes().values())


def test_a_problem_is_told_in_chinese(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace('"content": text}', '"content": None}', 1)
    assert main(["agent", "try", wrapper(tmp_path, text), *REPLIES, "--lang", "zh"]) == 1
    assert "chat_completions[1]['content'] 须为字符串，而不是 None" in capsys.readouterr().out


def test_what_reading_shows_stands_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, result = tried(capsys, wrapper(tmp_path, wrong("async")), *REPLIES)
    assert code == 1
    assert [p["rule"] for p in result["problems"]] == ["not-a-list"]
    assert [c["code"] for c in result["check"]] == ["wrapper-async"]


def test_five_metrics_are_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace(METRICS, FIVE)
    noise = "        import sys\n        sys.stdout.buffer.write(bytes(range(256)) * 999)\n"
    code, result = tried(capsys, wrapper(tmp_path, text.replace(RETURN, noise + RETURN)), *REPLIES)
    assert (code, result["ok"]) == (0, True)
    assert [(p["level"], p["rule"]) for p in result["problems"]] == [("warning", "metrics-five")]
    assert result["printed_bytes"] == 256 * 999


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["gone.py"], "no file gone.py"),
        ([], "name the wrapper"),
        (["sums.py", "--task", "{"], "not JSON"),
        (["sums.py", "--task", "[" * 100_000], "nested too deep"),
        (["sums.py", "--task", "[1]"], "JSON object"),
        (["sums.py", "--task", "@gone.json"], "gone.json"),
        (["sums.py", "--replies", "[1]"], "list of texts"),
        (["--config", "gone.yaml"], "gone.yaml"),
    ],
    ids=["missing", "none", "json", "deep", "task", "task-file", "replies", "config"],
)
def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], word: str) -> None:
    wrapper(tmp_path, GOOD)
    assert main(["agent", "try", *arguments, "--lang", "en"]) == 2
    assert word in capsys.readouterr().err


@pytest.mark.parametrize(
    ("script", "word"),
    [("echo No module named torch >&2; exit 1", "No module named torch"), (None, "can't be started")],
    ids=["no-torch", "no-python"],
)
def test_an_interpreter_that_can_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str | None, word: str
) -> None:
    python = tmp_path / "python"
    if script:
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o755)
    assert main(["agent", "try", wrapper(tmp_path, GOOD), "--python", str(python), "--lang", "en"]) == 3
    assert word in capsys.readouterr().err


def test_a_child_that_holds_on_is_killed_with_all_it_started(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrapper that never lets go of the interpreter: nothing in the child can tell."""
    monkeypatch.setattr("agentic_rl_wizard.runner.cli.agent.child.GRACE", 0.2)
    python = tmp_path / "python"
    ready = '{"event": "ready", "tasks": [{"id": 5}], "model": "replies"}'
    python.write_text(f"#!/bin/sh\nsetsid sleep 2718 &\necho '{ready}' > \"$3\"\nexec sleep 2719\n")
    python.chmod(0o755)
    code, result = tried(capsys, wrapper(tmp_path, GOOD), "--python", str(python), "--timeout", "0.3")
    assert code == 1
    told = {p["rule"]: p for p in result["problems"]}
    assert set(told) == {"wrapper-hangs", "process-left"}
    assert told["wrapper-hangs"]["task"] == "5"
    time.sleep(0.1)
    assert not [1 for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists() and b"sleep\x00271" in _bytes(p)]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_row_of_the_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrapper(tmp_path, GOOD)
    rows = [{"problem": "1+1", "answer": "2"}, {"problem": "2+2", "answer": "4"}]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "c.yaml").write_text(
        "tokenizer_name_or_path: /no/such/model\nagent_name: adder\nagent_engine_wrapper_path: sums.py\n"
        "train_backend: mindspeed_rl\nmax_steps: 2\ndataset_additional_keys: [problem]\n"
        "mindspeed_rl:\n  data_path: d.jsonl\n"
    )
    code, result = tried(capsys, "--config", "c.yaml", "--row", "1", "--replies", '["4"]')
    assert code == 0
    assert result["trajectories"][0]["task"] == {"id": 1, "problem": "2+2"}
    assert main(["agent", "try", "--config", "c.yaml", "--row", "9", *REPLIES, "--lang", "en"]) == 2
    assert "no row 9" in capsys.readouterr().err


def test_secrets_are_masked(tmp_path: Path) -> None:
    end = {"trajectories": [{"chat": [{"role": "user", "content": "token=hf_123"}]}], "problems": []}
    request = {"file": wrapper(tmp_path, GOOD), "timeout": 1}
    result = result_of(Answer(ready={"tasks": []}, end=end, code=0, output=b"WANDB_API_KEY=abc\n"), request, "en")
    assert "hf_123" not in json.dumps(result)
    assert "abc" not in json.dumps(result)


def test_an_exit_that_the_child_survives_is_told_at_its_line(tmp_path: Path) -> None:
    path = wrapper(tmp_path, GOOD.replace(RETURN, "        import sys\n        sys.exit(3)\n"))
    told = {"level": "error", "rule": "wrapper-raised", "task": "0", "file": "", "line": 0, "trace": []}
    told["message"] = "RuntimeError: the wrapper ended the process: SystemExit: 3"
    end = {"trajectories": [], "problems": [told]}
    result = result_of(Answer(ready={"tasks": []}, end=end, code=0), {"file": path, "timeout": 1}, "en")
    assert [(p["rule"], p["line"]) for p in result["problems"]] == [("wrapper-ended", 22)]


def test_warnings_are_taken_out_of_what_the_wrapper_printed() -> None:
    line = b"no end of line[agentic-rl wrapper] warning rule=mask-empty: nothing; told once\nmore\n"
    warnings, printed = split_output(line)
    assert [(w["rule"], w["message"]) for w in warnings] == [("mask-empty", "nothing")]
    assert printed == b"no end of linemore\n"


def test_the_tool_does_not_import_the_wrapper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mark = tmp_path / "mark"
    text = f"import os\nopen({str(mark)!r}, 'a').write(str(os.getpid()) + ' ')\n" + GOOD
    tried(capsys, wrapper(tmp_path, text), *REPLIES)
    import os

    pids = mark.read_text().split()
    assert len(pids) == 1
    assert pids[0] != str(os.getpid())
    assert "sums" not in sys.modules
