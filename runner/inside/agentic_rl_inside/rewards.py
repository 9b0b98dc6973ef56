"""Rewards of the project's own data source; everything else goes to verl's own scorers.

Has the signature of a verl reward function (``reward.custom_reward_function``), so it can be named there as
well.
"""

from __future__ import annotations

from typing import Any

ADDITION = "agentic_rl/addition"
"""``data_source`` of the quick-start rows: a sum whose digits are the whole answer."""


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: dict[str, Any] | None = None,
    **kwargs: Any,
) -> float | dict[str, Any]:
    """Score a response: 1 for the right sum and nothing else, 0 otherwise; verl's score for other sources.

    Raises:
        NotImplementedError: verl knows no scorer for the data source either.
    """
    if data_source == ADDITION:
        return float(solution_str.strip() == str(ground_truth))
    from verl.utils.reward_score import default_compute_score

    return default_compute_score(data_source, solution_str, ground_truth, extra_info, **kwargs)
