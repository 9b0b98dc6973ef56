"""What must be there, for whom."""

from __future__ import annotations

from files import LOCAL, MINDSPEED, VERL, check, codes, only, short


def without(text: str, *names: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line.strip().partition(":")[0] not in names)


def test_agentic_rl_wants_what_its_schema_wants() -> None:
    names = ["tokenizer_name_or_path", "model_name", "agent_name", "agent_engine_wrapper_path", "train_backend"]
    assert [p.key for p in check(without(VERL, *names)) if p.code == "required-missing"] == names


def test_verl_itself_wants_less() -> None:
    names = ["model_name", "agent_name", "agent_engine_wrapper_path", "train_backend"]
    for target in ("verl", "local"):
        assert short(check(without(VERL, *names), target=target)) == []
    assert [p.key for p in check(without(LOCAL, "tokenizer_name_or_path"))] == ["tokenizer_name_or_path"]


def test_a_missing_key_is_reported_at_its_section() -> None:
    problem = only(check(without(VERL, "val_files")), "required-missing")
    assert (problem.key, problem.line, problem.level) == ("verl.val_files", 8, "error")


def test_missing_and_empty_sections() -> None:
    head = VERL.partition("verl:\n")[0]
    assert short(check(head)) == [("error", "section-missing", "train_backend", 5)]
    assert short(check(head + "verl:\n")) == [("error", "section-missing", "verl", 8)]
    assert short(check(head + "verl: {}\n")) == [
        ("error", "required-missing", "verl.train_files", 8),
        ("error", "required-missing", "verl.val_files", 8),
    ]


def test_the_section_of_the_other_back_end_is_checked_too_by_agentic_rl_alone() -> None:
    other = "mindspeed_rl:\n  data_path: /d\n  epochs: x\n"
    problems = short(check(other + VERL))
    assert ("hint", "unused-section", "mindspeed_rl", 1) in problems
    assert ("error", "wrong-type", "mindspeed_rl.epochs", 3) in problems
    assert ("error", "required-missing", "mindspeed_rl.load_params_path", 1) in problems
    assert codes(other + LOCAL.replace("# agentic-rl: target=local\n", ""), target="verl") == ["unused-section"]


def test_everything_in_one_pass_sorted_by_line() -> None:
    text = VERL.replace("num_gpus_per_node: 4", "num_gpus_per_node: '4'\nlrr: 1") + "  total_epochs: 0\n  x: 1\n"
    lines = [p.line for p in check(text)]
    assert lines == sorted(lines)
    assert set(codes(text)) == {"wrong-type", "unknown-key", "out-of-range"}


def test_mindspeed_needs_columns() -> None:
    problem = only(check(without(MINDSPEED, "dataset_additional_keys")), "dataset-keys-needed")
    assert (problem.level, problem.line) == ("error", 7)
