import math

import pytest

from agentic_rl_wizard.runner.stream import finite_or_none, join_attempts, merge_steps, parse_metric_line


@pytest.mark.parametrize(
    ("line", "step", "data"),
    [
        ("step:3 - actor/lr:1e-06 - critic/rewards/mean:-0.5", 3, {"actor/lr": 1e-6, "critic/rewards/mean": -0.5}),
        ("(TaskRunner pid=1) step:0 - val-core/my data/acc/mean@1:0.5", 0, {"val-core/my data/acc/mean@1": 0.5}),
        ("\x1b[36m(T pid=1)\x1b[0m step:1 - a/b:np.float64(1.5) - c:np.int64(-2)", 1, {"a/b": 1.5, "c": -2.0}),
        ("Epoch: 50%|#####     | 1/2 [00:09<00:09, 81.49s/it]step:2 - a/b:1", 2, {"a/b": 1.0}),
        ("\r step:2 - a/b:1.25 [repeated 2x across cluster]", 2, {"a/b": 1.25}),
        ("step:2 - a/b:1 - perf/x:11.73Training Progress:  50%|##  | 1/2", 2, {"a/b": 1.0, "perf/x": 11.73}),
        ("step:4 - train/lr(1e-3):0.0002 - train/loss:1.06", 4, {"train/lr(1e-3)": 0.0002, "train/loss": 1.06}),
        ("step:4 - a/b:1 - actor/entro", 4, {"a/b": 1.0}),
        ("step:4 - a/b:.5 - c/d:2. - e/f:text - g/h:", 4, {"a/b": 0.5, "c/d": 2.0}),
        (
            "(train pid=5) 2026-01-02 11:01:05,123 - INFO - iteration: 2 / 10 | timing/all : 3.5 | actor/lr : 1e-06 ",
            2,
            {"timing/all": 3.5, "actor/lr": 1e-6},
        ),
        ("[INFO] 2026 [m.py:1] f: iteration: 7 / 9 | reward : 0.1234 | grad_norm : nan ", 7, {"reward": 0.1234}),
    ],
)
def test_metric_lines(line: str, step: int, data: dict[str, float]) -> None:
    found = parse_metric_line(line)
    assert found is not None
    assert found[0] == step
    assert {k: v for k, v in found[1].items() if math.isfinite(v)} == data
    assert parse_metric_line(line.encode()) == found or "nan" in line


def test_values_that_are_not_finite_are_read_and_become_null() -> None:
    found = parse_metric_line("step:1 - a/nan:nan - a/inf:inf - a/minus:-inf - a/np:np.float64(nan)")
    assert found is not None
    assert finite_or_none(found[1]) == {"a/nan": None, "a/inf": None, "a/minus": None, "a/np": None}


@pytest.mark.parametrize(
    "line",
    [
        "(T pid=1) global_step:2 - a/b:1",
        "checkpoints/p/e/global_step:9/actor - a/b:1",
        "timing_s/step:1.25 - a/b:1",
        "71.47s/it]step:{n} - perf/max:22.7",
        "step:1 - first:2 - then:3",
        "step:1 - done",
        "step: 1 - a/b:1",
        "iteration: 3 of 5",
        "sync start grpo training at iteration: 0/10 ...",
        "",
    ],
)
def test_lines_that_only_look_like_it(line: str) -> None:
    assert parse_metric_line(line) is None


def test_a_row_of_a_step_may_come_in_two_lines() -> None:
    assert merge_steps([(2, {"a": 1.0}), (1, {"a": 0.0}), (2, {"b": 2.0})]) == [
        (1, {"a": 0.0}),
        (2, {"a": 1.0, "b": 2.0}),
    ]


def test_a_later_attempt_wins_from_its_first_step_on() -> None:
    first = [(step, {"r": 0.0}) for step in range(1, 8)]
    second = [(step, {"r": 1.0}) for step in (5, 6)]
    joined = join_attempts([first, second, []])
    assert [(step, data["r"]) for step, data in joined] == [(1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (6, 1)]
