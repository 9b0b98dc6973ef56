"""The static check of the agent wrapper: wrong ones are told, right ones are left alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from wrappers import CTOR, GOOD, RIGHT, WRONG, wrong

from agentic_rl_wizard.runner.catalogue import Problem, problem_text
from agentic_rl_wizard.runner.check import World, check_document
from agentic_rl_wizard.runner.check.wrapper import Setting, judge_wrapper
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts.training import TrainingFacts
from agentic_rl_wizard.runner.facts.wrapper import look_at_wrapper

KEY = "agent_engine_wrapper_path"
AGENTSDK = {"target": "agentsdk", "generation": "C", "backend": "verl"}


def found(tmp_path: Path, text: str, name: str = "sums.py", **setting: object) -> list[tuple[str, str]]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    facts = look_at_wrapper(str(tmp_path / name))
    given = {**AGENTSDK, **setting}
    return [(one.level, one.code) for one in judge_wrapper(Setting(facts, **given))]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_wrapper_is_told(tmp_path: Path, name: str) -> None:
    _, _, code, level = WRONG[name]
    told = found(tmp_path, wrong(name))
    assert (level, code) in told
    assert {other for grade, other in told if grade == "error"} <= {code}, "one mistake, one error"


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("backend", ["verl", "mindspeed_rl"])
def test_a_right_wrapper_is_left_alone(tmp_path: Path, name: str, backend: str) -> None:
    assert found(tmp_path, RIGHT[name], backend=backend, keys=("problem",), stepwise=False) == []


@pytest.mark.parametrize("name", WRONG)
def test_texts_name_the_place_in_both_languages(tmp_path: Path, name: str) -> None:
    (tmp_path / "sums.py").write_text(wrong(name))
    for one in judge_wrapper(Setting(look_at_wrapper(str(tmp_path / "sums.py")), **AGENTSDK)):
        for lang in ("en", "zh"):
            text = problem_text(Problem(one.level, one.code, KEY, params=one.params), lang)
            assert "sums.py" in text.message
            assert "?" not in text.message + text.because
            assert text.fix


@pytest.mark.parametrize(
    ("name", "code"),
    [("my-agent.py", "wrapper-file-name"), ("1st.py", "wrapper-file-name"), ("agent.txt", "wrapper-not-python")],
)
def test_the_name_of_the_file(tmp_path: Path, name: str, code: str) -> None:
    assert found(tmp_path, GOOD, name) == [("error", code)]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"x = '\xff'\n", "wrapper-unreadable"),
        (b"# coding: nonsense\n", "wrapper-unreadable"),
        (b"x = '\0'\n", "wrapper-syntax"),
        (b"x = " + b"(" * 5000 + b"\n", "wrapper-syntax"),
        (b"#" * ((1 << 20) + 1), "wrapper-not-read"),
        (b"", "wrapper-no-subclass"),
    ],
    ids=["latin", "codec", "nul", "deep", "large", "empty"],
)
def test_what_is_no_wrapper_at_all(tmp_path: Path, content: bytes, code: str) -> None:
    (tmp_path / "a.py").write_bytes(content)
    facts = look_at_wrapper(str(tmp_path / "a.py"))
    assert [one.code for one in judge_wrapper(Setting(facts, **AGENTSDK))] == [code]


def test_nothing_is_executed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    found(tmp_path, f"open({str(mark)!r}, 'w').close()\n" + GOOD)
    assert not mark.exists()
    assert "sums" not in sys.modules


def test_an_imported_subclass_counts(tmp_path: Path) -> None:
    (tmp_path / "base_agent.py").write_text(GOOD.replace("Sums", "Helper"))
    text = GOOD.replace("import torch\n", "import torch\nfrom base_agent import Helper\n")
    assert ("error", "wrapper-many-subclasses") in found(tmp_path, text)
    assert found(tmp_path, text.replace("from base_agent import Helper", "import base_agent")) == []
    only = "import base_agent\n\n\nclass Mine(base_agent.Helper):\n    pass\n"
    assert found(tmp_path, only) == []
    assert found(tmp_path, text + "\n\ndel Helper\n") == []


def test_methods_of_a_module_beside_it_are_judged_there(tmp_path: Path) -> None:
    (tmp_path / "base_agent.py").write_text(wrong("async").replace("Sums", "Helper"))
    (tmp_path / "mine.py").write_text("import base_agent\n\n\nclass Mine(base_agent.Helper):\n    pass\n")
    (told,) = judge_wrapper(Setting(look_at_wrapper(str(tmp_path / "mine.py")), **AGENTSDK))
    line = wrong("async").splitlines().index("    async def generate_agent_trajectories_async(self, tasks):") + 1
    assert (told.code, told.params["place"]) == ("wrapper-async", f"base_agent.py:{line}")


@pytest.mark.parametrize(
    ("setting", "level"),
    [
        ({"generation": "A"}, None),
        ({"generation": "B"}, "warning"),
        ({"generation": "C"}, "error"),
        ({"target": "verl"}, "warning"),
        ({"target": "", "generation": "", "backend": ""}, "warning"),
    ],
    ids=["7.3.0", "between", "26.0.0", "stand-in", "no-file"],
)
def test_five_metrics_by_generation(tmp_path: Path, setting: dict[str, str], level: str | None) -> None:
    told = {code: grade for grade, code in found(tmp_path, wrong("five-metrics"), **setting)}
    assert told.get("wrapper-metrics") == level


def test_seven_metrics_on_the_oldest(tmp_path: Path) -> None:
    assert ("error", "wrapper-metrics") in found(tmp_path, GOOD, generation="A")


def test_early_generations_may_not_pass_max_steps(tmp_path: Path) -> None:
    text = GOOD.replace(CTOR, "    def __init__(self, agent_name, tokenizer, sampling_params, max_prompt_length, "
                        "max_response_length, n_parallel_agents):\n        super().__init__(agent_name, tokenizer, "
                        "sampling_params)\n\n")  # fmt: skip
    assert ("error", "wrapper-constructor") in found(tmp_path, text)
    assert ("warning", "wrapper-constructor") in found(tmp_path, text, generation="B")


READS = '        self.asked = [task["question"] for task in tasks]\n'
READING = GOOD.replace('task.get("question") or task.get("problem") or ""', '"?"').replace(
    "        return asyncio.run(", READS + "        return asyncio.run("
)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"backend": "verl"}, []),
        ({"backend": "mindspeed_rl", "keys": ("problem",)}, [("error", "wrapper-task-key")]),
        ({"backend": "mindspeed_rl", "keys": ("question",)}, []),
        ({"backend": "mindspeed_rl", "keys": None}, []),
        ({"backend": "", "target": ""}, [("hint", "wrapper-not-portable")]),
        ({"backend": "mindspeed_rl", "keys": ("problem",), "target": "local"}, []),
    ],
    ids=["verl", "msrl-without", "msrl-with", "unknown", "no-file", "stand-in"],
)
def test_task_keys_by_back_end(tmp_path: Path, setting: dict[str, object], told: list[tuple[str, str]]) -> None:
    assert found(tmp_path, READING, **setting) == told


def test_stepwise_advantage_needs_steps(tmp_path: Path) -> None:
    assert found(tmp_path, GOOD, backend="mindspeed_rl", stepwise=True) == [("warning", "wrapper-stepwise")]


MODULES = """\
import search_kit

try:
    import fast_kit
except ImportError:
    fast_kit = None


def late():
    import late_kit


"""


def asked(**changes: object) -> TrainingFacts:
    missing = {"search_kit": "missing", "fast_kit": "missing", "late_kit": "missing"}
    given = {"version": "3.11.9", "versions": {"agentic_rl": "26.0.0"}, "modules": missing, "named": True}
    return TrainingFacts("/t/python", **{**given, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("training", "levels"),
    [
        (asked(), ["error", "hint", "warning"]),
        (asked(versions={"verl": "0.9.1"}), ["warning", "hint", "warning"]),
        (asked(named=False), ["hint"]),
        (asked(named=False, versions={}), []),
        (asked(problem="no answer"), []),
        (None, []),
    ],
    ids=["sdk", "other-interpreter", "default", "no-training", "no-answer", "not-asked"],
)
def test_modules_that_the_interpreter_lacks(tmp_path: Path, training: TrainingFacts | None, levels: list[str]) -> None:
    told = [one for one in found(tmp_path, MODULES + GOOD, training=training) if one[1] == "wrapper-module-missing"]
    assert [level for level, _ in told] == levels


def test_a_module_beside_the_wrapper_is_not_on_the_path(tmp_path: Path) -> None:
    training = asked(modules={"search_kit": "beside", "fast_kit": "there", "late_kit": "there"})
    assert found(tmp_path, MODULES + GOOD, training=training) == [("error", "wrapper-module-beside")]


def test_the_parser_of_the_training_interpreter_decides(tmp_path: Path) -> None:
    newer = asked(sources={"sums.py": None})
    assert found(tmp_path, wrong("syntax"), training=newer) == [("hint", "wrapper-not-read")]
    older = asked(sources={"sums.py": (7, "invalid syntax")}, version="3.9.2")
    assert found(tmp_path, GOOD, training=older) == [("error", "wrapper-syntax")]


CONFIG = """\
tokenizer_name_or_path: /m/model
model_name: qwen2.5-7b
agent_name: math
agent_engine_wrapper_path: {path}
train_backend: mindspeed_rl
dataset_additional_keys: [problem]
mindspeed_rl:
  data_path: /d/train.jsonl
"""


def test_the_problem_stands_at_the_parameter(tmp_path: Path) -> None:
    path = tmp_path / "sums.py"
    path.write_text(READING)
    world = World(wrapper=look_at_wrapper(str(path)))
    told = [p for p in check_document(parse_document(CONFIG.format(path=path)), world) if p.code.startswith("wrapper")]
    assert [(p.level, p.code, p.key, p.line, p.related) for p in told] == [
        ("error", "wrapper-task-key", KEY, 4, ("dataset_additional_keys",))
    ]
    assert problem_text(told[0]).message.startswith(f"{KEY}: sums.py:21:")
