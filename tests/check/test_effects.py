"""Values that change nothing, and combinations that mean something else."""

from __future__ import annotations

import pytest
from files import LOCAL, MINDSPEED, VERL, check, codes, only, short

from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.check.world import World


def test_effective_only_when() -> None:
    problem = only(check(VERL + "  kl_loss_coef: 0.5\n"), "no-effect")
    assert (problem.level, problem.line, problem.column) == ("warning", 11, 3)
    assert "verl.use_kl_loss" in problem_text(problem, "en").because
    assert codes(VERL + "  kl_loss_coef: 0.5\n  use_kl_loss: true\n") == []
    assert codes(VERL + "  kl_loss_coef: 0.001\n") == []  # the default, written out
    assert codes(VERL + "  kl_loss_coef: -1.0\n") == ["out-of-range"]


def test_without_effect_under_agentic_rl_but_not_under_verl() -> None:
    text = VERL + "  test_freq: 5\n"
    problem = only(check(text), "no-effect-backend")
    assert (problem.level, problem.key) == ("warning", "verl.test_freq")
    assert "validates" in problem_text(problem, "en").because
    assert codes(LOCAL + "  test_freq: 5\n") == []


def test_what_only_agentic_rl_reads_is_a_hint_under_verl() -> None:
    without = VERL.replace("agent_engine_wrapper_path: /m/wrapper.py\n", "")
    hint = ("hint", "no-effect-backend", "max_tokens", 1)
    assert hint in short(check("max_tokens: 5\n" + without, target="verl"))
    assert hint not in short(check("max_tokens: 5\n" + VERL, target="verl"))


def test_documented_default_that_harms() -> None:
    assert ("hint", "harmful-default", "entropy_coeff", 1) in short(check("entropy_coeff: 0.2\n" + VERL))
    assert codes("entropy_coeff: 0.01\n" + VERL) == []


def test_val_only() -> None:
    both = "  val_only: true\n  val_before_train: false\n"
    assert codes(LOCAL + "  val_only: true\n") == []
    problem = only(check(LOCAL + both), "val-only-trains")
    assert problem.edits[0].key == "verl.val_before_train"
    assert problem.level == "warning"
    under_agentsdk = only(check(VERL + "  val_only: true\n"), "no-effect-backend")
    assert "trains" in problem_text(under_agentsdk, "en").because


def test_documented_spelling_that_dies_in_the_update() -> None:
    assert ("error", "value-unregistered", "verl.policy_loss_mode", 11) in short(
        check(VERL + "  policy_loss_mode: clip-cov\n")
    )
    assert codes(LOCAL + "  policy_loss_mode: clip-cov\n") == []  # the plan hands over clip_cov


@pytest.mark.parametrize("mode", ["vanilla", "gpg"])
def test_clip_bounds_are_checked_in_every_loss_mode(mode: str) -> None:
    text = VERL + f"  policy_loss_mode: {mode}\n  policy_loss_clip_cov_lb: 6.0\n"
    problem = only(check(text), "clip-bounds-order")
    assert (problem.level, problem.line, problem.related) == ("error", 12, ("verl.policy_loss_clip_cov_ub",))
    swapped = only(check(text + "  policy_loss_clip_cov_ub: 2.0\n"), "clip-bounds-order")
    assert [edit.value for edit in swapped.edits] == [2.0, 6.0]
    equal = VERL + "  policy_loss_clip_cov_lb: 2.0\n  policy_loss_clip_cov_ub: 2.0\n"
    assert only(check(equal), "clip-bounds-order").edits == ()


def test_two_kl_terms() -> None:
    text = LOCAL + "  use_kl_loss: true\nuse_kl_in_reward: true\n"
    assert only(check(text), "two-kl-terms").related == ("use_kl_in_reward",)


def test_misprint() -> None:
    text = VERL + "  use_kl_loss: true\n  kl_loss_type: low_bar_kl\n"
    assert only(check(text), "misprint-value").edits[0].value == "low_var_kl"


def test_gae_needs_a_critic() -> None:
    assert only(check(VERL + "  adv_estimator: gae\n"), "gae-without-critic").level == "warning"
    assert "gae-without-critic" not in codes(MINDSPEED + "  adv_estimator: gae\n")


def test_wrapper_under_verl() -> None:
    old, new = World(verl_version="0.6.1"), World(verl_version="0.7.1")
    problem = ("error", "wrapper-needs-newer-verl", "agent_engine_wrapper_path", 4)
    assert problem in short(check(VERL, old, target="verl"))
    assert problem not in short(check(VERL, new, target="verl"))
    assert "wrapper-steps" in [found[1] for found in short(check(VERL + "max_steps: 101\n", new, target="verl"))]


def test_pitfalls_give_way_to_what_the_value_check_says() -> None:
    assert codes("lr: 1e-6\n" + VERL) == ["wrong-type"]
    assert codes("use_tensorboard: yes\n" + VERL) == ["yaml11-boolean-word"]
    assert codes(VERL + "  experiment_name: 1e5\n") == []  # a text was wanted
    assert codes(VERL + "  experiment_name: 2026-01-01\n") == ["wrong-type"]
    assert codes("rollout_n: 010\n" + VERL.replace("rollout_n: 2\n", "")) == ["yaml11-octal"]


def test_duplicate_keys_are_among_the_problems() -> None:
    problem = only(check(VERL + "rollout_n: 4\n"), "duplicate-key")
    assert (problem.line, problem.params["first_line"]) == (11, 7)


def test_a_wrong_word_that_verl_never_reads_is_no_error_there() -> None:
    text = VERL.replace("agent_engine_wrapper_path: /m/wrapper.py\n", "") + "  kl_loss_type: low_bar_kl\n"
    assert only(check(text, None, "agentsdk"), "misprint-value").level == "error"  # its schema reads every word
    assert only(check(text, None, "verl"), "misprint-value").level == "warning"
    assert only(check(text + "  use_kl_loss: true\n", None, "verl"), "misprint-value").level == "error"
    assert only(check(text + "  loss_agg_mode: mean\n", None, "verl"), "not-a-choice").level == "error"
