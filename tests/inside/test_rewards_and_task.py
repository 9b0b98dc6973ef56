"""The quick-start task: who answers what, and what it earns."""

from __future__ import annotations

from agentic_rl_inside.addition import Sum, split_sums
from agentic_rl_inside.rewards import ADDITION, compute_score


def test_only_the_right_sum_earns() -> None:
    assert compute_score(ADDITION, "52", "52") == 1.0
    assert compute_score(ADDITION, " 52\n", "52") == 1.0
    for wrong in ("42", "052", "5 2", "52 52", "", "it is 52"):
        assert compute_score(ADDITION, wrong, "52") == 0.0


def test_other_sources_go_to_verls_own_scorers() -> None:
    assert compute_score("openai/gsm8k", "so it is #### 72", "72") == 1.0


def test_the_teacher_forgets_the_carry_and_nothing_else() -> None:
    assert (Sum(47, 5).right, Sum(47, 5).without_carry) == ("52", "42")
    assert Sum(42, 5).right == Sum(42, 5).without_carry == "47"


def test_held_out_sums_are_never_trained_on_and_seeds_differ() -> None:
    training, held_out = split_sums(0)
    assert not set(training) & set(held_out)
    assert len(held_out) == 96
    assert len(training) == 384
    assert {len(s.right) for s in training + held_out} == {2}
    assert split_sums(0) == (training, held_out)
    assert split_sums(1)[1] != held_out
