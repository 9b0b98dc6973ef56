"""Turns, times and parts of the reward have charts whichever back end reports them, in its own words."""

from __future__ import annotations

import pytest

from agentic_rl_wizard.wizard.store.chart_specs import available, series_of
from agentic_rl_wizard.wizard.store.metrics import MetricStore

VERL = {
    "num_turns/mean": 4.0, "num_turns/max": 7.0, "num_turns/min": 2.0, "tool_call_counts/mean": 1.5,
    "timing_s/agent_loop/generate_sequences/mean": 3.0, "timing_s/agent_loop/tool_calls/mean": 0.5,
    "timing_s/agent_loop/compute_score/mean": 0.1,
}  # fmt: skip
V1 = {"training/num_turns/mean": 4.0, "training/num_turns/max": 7.0}
AGENTSDK = {
    "traj/steps_mean": 4.0, "traj/steps_max": 7.0, "traj/llm_time_mean": 3.0, "traj/env_time_mean": 0.5,
    "traj/reward_time_mean": 0.1, "traj/total_time_mean": 3.7, "traj/toolcall_reward_mean": 0.2,
    "traj/res_reward_mean": 0.8, "batch/solve_all": 3.0, "batch/solve_none": 1.0, "batch/solve_partial": 4.0,
}  # fmt: skip
MINDSPEED = {"traj/res_reward_mean": 0.8, "traj/toolcall_reward_mean": 0.2, "grpo/score/mean": 0.7}
DUMPS = {"rollouts/turns/mean": 3.0, "rollouts/model_time/mean": 2.0, "rollouts/tool_time/mean": 1.0}


@pytest.mark.parametrize(
    ("data", "charts"),
    [
        (VERL, {"turns": ["turns", "turns_max", "tool_calls"],
                "rollout_time": ["model_time", "tool_time", "score_time"]}),
        (V1, {"turns": ["turns", "turns_max"]}),
        (AGENTSDK, {"turns": ["turns", "turns_max"],
                    "rollout_time": ["model_time", "tool_time", "score_time", "total_time"],
                    "reward_parts": ["result_reward", "tool_reward"],
                    "solved": ["solve_all", "solve_partial", "solve_none"]}),
        (MINDSPEED, {"reward_parts": ["result_reward", "tool_reward"], "reward": ["train"]}),
        (DUMPS, {"turns": ["turns"], "rollout_time": ["model_time", "tool_time"]}),
    ],
    ids=["verl", "verl-v1", "agentsdk", "mindspeed-rl", "dumps"],
)  # fmt: skip
def test_charts_of_trajectories(data: dict[str, float], charts: dict[str, list[str]]) -> None:
    store = MetricStore()
    for step in (1, 2):
        store.add(step, data)
    found = {spec.id: [one.label for one in series_of(spec, store)] for spec in available(store)}
    assert {name: found.get(name) for name in charts} == charts


def test_what_the_back_end_measured_goes_before_what_dumps_amount_to() -> None:
    store = MetricStore()
    store.add(1, {**DUMPS, **VERL})
    turns = next(spec for spec in available(store) if spec.id == "turns")
    assert series_of(turns, store)[0].key == "num_turns/mean"
