"""Names at the wrong place or under another name, and files of other shapes."""

from __future__ import annotations

import pytest
from files import LOCAL, MINDSPEED, VERL, check, codes, only, short

from agentic_rl_wizard.runner.catalogue import Edit, problem_text
from agentic_rl_wizard.runner.check import generation_of, shape_of, target_of
from agentic_rl_wizard.runner.document import apply_edits, parse_document


def test_good_files_have_no_problems() -> None:
    assert short(check(VERL)) == []
    assert short(check(MINDSPEED)) == []
    assert short(check(LOCAL)) == []


def test_unknown_key_with_its_nearest() -> None:
    problem = only(check(VERL + "  kl_loss_ceof: 0.1\n"), "unknown-key")
    assert (problem.level, problem.key, problem.line, problem.column) == ("error", "verl.kl_loss_ceof", 11, 3)
    assert problem.edits == (Edit("rename", "verl.kl_loss_ceof", "kl_loss_coef"),)
    assert "kl_loss_coef" in problem_text(problem, "en").fix
    strange = only(check(VERL + "  zzzzqqqq: 0.1\n"), "unknown-key")
    assert strange.edits == ()
    assert "nearest" not in strange.params


def test_samples_that_lost_their_indentation_can_be_repaired() -> None:
    text = VERL.replace("  train", "train").replace("  val", "val") + "total_epochs: 1\n"
    problems = check(text)
    assert short(problems) == [
        ("error", "misplaced-key", "train_files", 9),
        ("error", "misplaced-key", "val_files", 10),
        ("error", "misplaced-key", "total_epochs", 11),
    ]
    assert "below verl:" in problem_text(problems[0], "en").because
    repaired = apply_edits(text, [edit for problem in problems for edit in problem.edits])
    assert check(repaired) == []
    assert "  total_epochs: 1\n" in repaired


def test_first_level_keys_inside_a_section() -> None:
    problem = only(check(VERL + "  lr: 1.0e-5\n"), "misplaced-key")
    assert problem.edits == (Edit("move", "verl.lr", "lr"),)
    assert "first level" in problem_text(problem, "en").because


def test_a_name_of_both_sections_belongs_to_the_back_end_in_use() -> None:
    first = "adv_estimator: gae\n"
    assert only(check(first + VERL), "misplaced-key").params["target"] == "verl.adv_estimator"
    assert only(check(first + MINDSPEED), "misplaced-key").params["target"] == "mindspeed_rl.adv_estimator"


def test_names_that_only_documents_use() -> None:
    problem = only(check(VERL + "  policy_loss_model: gpg\n"), "documented-name")
    assert (problem.level, problem.key) == ("error", "verl.policy_loss_model")
    assert problem.edits == (Edit("rename", "verl.policy_loss_model", "policy_loss_mode"),)
    both = only(check(VERL + "  policy_loss_mode: gpg\n  policy_loss_model: gpg\n"), "documented-name")
    assert both.edits == ()
    bad = check(VERL + "  kl_loss_coeff: x\n")
    assert ("error", "wrong-type", "verl.kl_loss_coeff", 11) in short(bad)
    assert "context-below-sequence" in codes(MINDSPEED + "  seq_len: 99999\n")


def test_a_section_that_is_no_mapping() -> None:
    text = VERL.partition("verl:\n")[0] + "verl: 5\n"
    assert only(check(text), "wrong-type").key == "verl"


@pytest.mark.parametrize("text", ["agentic_ai:\n  mode: direct\nverl_conf: {}\n", "infer_instances: []\n"])
def test_hydra_files_are_named_and_left_alone(text: str) -> None:
    (problem,) = check(text)
    assert (problem.level, problem.code, problem.line) == ("warning", "generation-hydra", 1)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("actor_rollout_ref:\n  rollout: {n: 4}\n", "verl"),
        ("actor_rollout_ref.rollout.n: 4\n", "verl"),
        ("af_output_dir: /o\nbackend_config: {}\n", "ascendfactory"),
        ("af_output_dir: /o\nbackend_config: {training: {stage: sft}}\n", "ascendfactory"),
    ],
)
def test_other_shapes_give_no_false_alarm(text: str, shape: str) -> None:
    assert shape_of(parse_document(text).values) == shape
    assert [p.code for p in check(text) if p.level == "error"] == []


def test_mindspeed_files_are_checked() -> None:
    assert shape_of(parse_document("rl_config: {}\n").values) == "mindspeed-rl"
    assert [(p.level, p.code) for p in check("rl_config: {}\n")] == [("warning", "mindspeed-value-missing")]


def test_generation_a() -> None:
    text = "\n".join(
        f"{k}: {v}"
        for k, v in {
            "tokenizer_name_or_path": "/t", "data_path": "/d", "load_params_path": "/l", "save_params_path": "/s",
            "train_iters": 1, "agent_name": "a", "agent_engine_wrapper_path": "/w.py",
        }.items()
    )  # fmt: skip
    assert generation_of(parse_document(text).values) == "A"
    assert codes(text) == ["generation-older"]
    assert codes(text.replace("agent_name: a\n", "")) == ["required-missing", "generation-older"]
    assert "wrong-type" in codes(text.replace("train_iters: 1", "train_iters: x"))


def test_generation_b_keeps_one_key_in_the_section() -> None:
    from agentic_rl_wizard.runner.check import World

    text = MINDSPEED + "  actor_rollout_dispatch_size: 2\n"
    assert generation_of(parse_document(text).values) == "B"
    assert only(check(text), "misplaced-key").edits[0].value == "actor_rollout_dispatch_size"
    assert "misplaced-key" in codes(text, World(backend_version="26.0.0"))


@pytest.mark.parametrize(
    ("head", "target"),
    [
        ("# agentic-rl: target=local\n", "local"),
        ("\ufeff#agentic-rl: target = verl  # so\r\n", "verl"),
        ("#\n#\n#\n#\n# agentic-rl: target=verl\n", "verl"),
        ("#\n#\n#\n#\n#\n# agentic-rl: target=verl\n", "agentsdk"),
        ("x: '# agentic-rl: target=local'\n", "agentsdk"),
        ("", "agentsdk"),
    ],
)
def test_target(head: str, target: str) -> None:
    assert target_of(parse_document(head + "a: 1\n")) == target


def test_unknown_target() -> None:
    problem = only(check("# agentic-rl: target=locall\n" + VERL), "target-unknown")
    assert (problem.line, problem.column, problem.params["nearest"]) == (1, 22, "local")
