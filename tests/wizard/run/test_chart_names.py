"""Each back end's names of metrics reach the charts that people look at first."""

import pytest

from agentic_rl_wizard.runner.stream import MetricReader
from agentic_rl_wizard.wizard.store.chart_specs import available, series_of, stage_times
from agentic_rl_wizard.wizard.store.failure import failure_of_event
from agentic_rl_wizard.wizard.store.metrics import MetricStore

MINDSPEED = (
    "(train pid=5) 2026-01-02 11:01:05,123 - INFO - [2026-01-02 03:01:05] iteration: 1 / 10 | timing/all : 9.0 | "
    "timing/update : 3.0 | timing/rollout : 4.0 | actor/entropy : 0.4 | actor/kl_loss : 0.1 | actor/lr : 1e-06 | "
    "actor/pg_loss : -0.1 | grad_norm : 0.2 | grpo/rewards/mean : 0.0 | grpo/score/mean : 0.4 | "
    "response_length/mean : 901.5 | {tps} : 446.1 "
)


@pytest.mark.parametrize("tps", ["e2e_tps", "tokens/p/s"])
def test_mindspeed_rl_has_its_charts(tps: str) -> None:
    store = MetricStore()
    row = MetricReader().read(MINDSPEED.format(tps=tps))
    assert row is not None
    store.add(*row)
    charts = {spec.id: [one.key for one in series_of(spec, store)] for spec in available(store)}
    assert charts["reward"] == ["grpo/score/mean"]
    assert charts["throughput"] == [tps]
    assert {"length", "loss", "kl", "entropy", "step_time", "grad_norm"} <= set(charts)
    assert [name for name, _, _ in stage_times(store)] == ["rollout", "update"]


def test_a_failure_of_an_event_has_line_and_parameters() -> None:
    found = failure_of_event({"cause": {"en": "full", "zh": "满"}, "line": 7, "parameters": ["a"], "excerpt": "x"})
    assert found is not None
    assert (found.line, found.parameters, found.excerpt) == (7, ("a",), "x")
