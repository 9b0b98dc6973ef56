"""Paths, data and machine, from facts that are values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from files import LOCAL, VERL, check, codes, only, short

from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.check import World, paths_of
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.runner.facts import DataFacts, Machine, Offender, PathFacts, TreeFacts

GOOD = PathFacts(
    "/m/model", "/m/model", True, "directory", mode="750", owner="me", group="us", wanted_owner="me",
    wanted_group="us", real="/m/model", tree=TreeFacts(entries=3),
)  # fmt: skip
KEY = "tokenizer_name_or_path"


def at(facts: PathFacts, key: str = KEY) -> World:
    return World(paths={key: facts})


def test_a_good_path() -> None:
    assert codes(VERL, at(GOOD)) == []


@pytest.mark.parametrize(
    ("facts", "code", "word"),
    [
        (replace(GOOD, exists=False, kind=""), "path-missing", "does not exist"),
        (replace(GOOD, error="Permission denied"), "path-unreadable", "Permission denied"),
        (replace(GOOD, kind="fifo"), "path-special", "neither"),
        (replace(GOOD, kind="file", mode="640", tree=None), "path-wrong-kind", "is a file, not a directory"),
        (replace(GOOD, link=True, real="/r"), "path-is-link", "symbolic link"),
        (replace(GOOD, mode="755"), "path-mode", "has mode 755; it must be exactly 750"),
        (replace(GOOD, owner="you"), "path-owner", "belongs to you:us, not to me:us"),
        (replace(GOOD, group="them"), "path-owner", "belongs to me:them, not to me:us"),
        (replace(GOOD, absolute=False, given="m"), "path-not-absolute", "not absolute"),
        (replace(GOOD, bad_characters=" 模"), "path-bad-characters", "not allowed: ' ' 模"),
        (replace(GOOD, dotdot=True), "path-dotdot", "two dots"),
        (replace(GOOD, given="/" + "x" * 1024), "path-too-long", "1025 characters"),
    ],
)
def test_each_rule(facts: PathFacts, code: str, word: str) -> None:
    problem = only(check(VERL, at(facts)), code)
    assert (problem.level, problem.key, problem.line, problem.column) == ("error", KEY, 1, 25)
    assert word in problem_text(problem, "en").message


def test_1024_characters_are_allowed() -> None:
    assert codes(VERL, at(replace(GOOD, given="/" + "x" * 1023))) == []


def test_the_whole_tree() -> None:
    offender = Offender("a/b", "file", "600", "you", "us")
    tree = TreeFacts(9, 4, 2, [offender], [offender], broken=["l"], unreadable=["x"])
    problems = check(VERL, at(replace(GOOD, tree=tree)))
    mode = only(problems, "path-tree-mode")
    assert (mode.params["count"], mode.params["wanted"]) == (4, "640")
    assert "4 entries below /m/model" in problem_text(mode, "en").message
    assert only(problems, "path-owner").params["path"] == "/m/model/a/b"
    assert only(problems, "path-missing").params["path"] == "/m/model/l"
    assert only(problems, "path-unreadable").params["path"] == "/m/model/x"


def test_levels_by_target() -> None:
    open_file = at(replace(GOOD, mode="755"))
    direct = LOCAL.replace("local", "verl")
    assert short(check(VERL, open_file))[0][0] == "error"
    assert short(check(direct, open_file)) == [("warning", "path-mode", KEY, 2)]
    assert short(check(LOCAL, open_file)) == [("hint", "path-mode", KEY, 2)]
    missing = at(replace(GOOD, exists=False, kind="", given="model", absolute=False))
    assert short(check(LOCAL, missing)) == [("error", "path-missing", KEY, 2)]
    hub = at(replace(GOOD, exists=False, kind="", given="Qwen/Qwen3-0.6B", absolute=False))
    assert short(check(LOCAL, hub)) == [("warning", "path-missing", KEY, 2)]  # verl downloads it


def test_the_file_itself() -> None:
    config = replace(GOOD, given="/c.yaml", kind="file", mode="644", tree=None)
    (problem,) = check(VERL, World(config=config))
    assert (problem.level, problem.code, problem.key, problem.line) == ("error", "path-mode", "", 0)
    assert problem_text(problem, "en").message == "This file: /c.yaml has mode 644; it must be exactly 640."
    assert codes(LOCAL, World(config=config)) == []


def test_which_paths_are_looked_at() -> None:
    other = "mindspeed_rl:\n  data_path: /x\n"
    keys = [KEY, "agent_engine_wrapper_path", "verl.train_files", "verl.val_files"]
    assert list(paths_of(parse_document(VERL))) == keys
    assert set(paths_of(parse_document(other + VERL))) == {*keys, "mindspeed_rl.data_path"}
    assert set(paths_of(parse_document(other + VERL), "verl")) == set(keys)
    assert paths_of(parse_document("a: [\n")) == {}


TRAIN = "verl.train_files"
COLUMNS = (
    "prompt",
    "data_source",
    "reward_model",
    "reward_model.ground_truth",
    "extra_info.question",
    "extra_info.index",
)


def data(facts: DataFacts) -> World:
    return World(data={TRAIN: facts})


def test_columns_that_the_back_end_reads() -> None:
    assert codes(VERL, data(DataFacts("/d", "parquet", COLUMNS, 100))) == []
    raw = data(DataFacts("/d", "parquet", ("question", "answer"), 100))
    problems = check(VERL, raw)
    assert [p.params["column"] for p in problems] == [
        "prompt", "data_source", "reward_model.ground_truth", "extra_info.question", "extra_info.index",
    ]  # fmt: skip
    assert (problems[0].level, problems[0].code, problems[0].line) == ("error", "data-column-missing", 9)
    assert "question, answer" in problem_text(problems[0], "en").because
    assert [p.params["column"] for p in check(LOCAL, raw)] == ["prompt", "data_source", "reward_model.ground_truth"]


def test_a_column_whose_fields_are_not_known() -> None:
    columns = ("prompt", "data_source", "reward_model", "extra_info")
    assert codes(VERL, data(DataFacts("/d", "parquet", columns, 100))) == []


def test_rows() -> None:
    few = check(VERL, data(DataFacts("/d", "parquet", COLUMNS, 7)))
    assert (only(few, "data-empty").params["needed"], only(few, "data-empty").related) == (
        8,
        ("verl.train_batch_size",),
    )
    assert codes(VERL, World(data={"verl.val_files": DataFacts("/d", "parquet", COLUMNS, 0)})) == ["data-empty"]
    assert codes(VERL, data(DataFacts("/d", "parquet", COLUMNS, None))) == []
    steps = check(VERL + "  total_training_steps: 100\n", data(DataFacts("/d", "parquet", COLUMNS, 80)))
    assert only(steps, "steps-beyond-data").params["available"] == 20


def test_formats() -> None:
    assert codes(VERL, data(DataFacts("/d", "jsonl", COLUMNS, 80))) == ["data-format"]
    assert codes(VERL, data(DataFacts("/d", error="no parquet magic"))) == ["data-unreadable"]


def test_machine() -> None:
    small = World(machine=Machine("npu", 2, 2, 8, 64, 64, 100))
    problem = only(check(VERL, small), "devices-too-few")
    assert problem.edits[0].value == 2
    assert codes(LOCAL, small) == []
    assert codes(VERL, World(machine=Machine("cpu", 0, 0, 8, 64, 64, 100))) == ["no-accelerator"]


def test_files_of_this_repository_are_right() -> None:
    folder = Path(__file__).resolve().parents[2] / "snapshots" / "templates"
    for path in sorted(folder.glob("*.yaml")):
        problems = check(path.read_text(encoding="utf-8"))
        assert [p for p in problems if p.level == "error"] == [], path


def test_real_configurations_give_no_false_alarm() -> None:
    folder = Path(__file__).resolve().parents[3].parent / "shared" / "cases" / "real_configs"
    files = [path for path in sorted(folder.glob("*.yaml")) if not path.name.startswith("d")]
    if not files:
        pytest.skip("no shared cases beside this working tree")
    for path in files:
        problems = check(path.read_text(encoding="utf-8"))
        assert [p for p in problems if p.level == "error"] == [], path
