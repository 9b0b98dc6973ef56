"""AgentSDK's lines, wrapped lines, and what stands before a message."""

import pytest

from agentic_rl_wizard.runner.stream import (
    MetricReader,
    checkpoint_of,
    merge_steps,
    message_of,
    resume_of,
    reward_of,
    stage_of,
    total_steps_of,
)

SDK = "[INFO] 2026-01-02-03:04:05.678.901 [trainer.py:12] fit: "


def rows(*lines: str) -> list[tuple[int, dict[str, float]]]:
    reader = MetricReader()
    return merge_steps(row for row in map(reader.read, lines) if row)


def test_agentsdk_on_verl() -> None:
    found = rows(
        f"{SDK}Epoch 0, step 3 started.",
        f"{SDK}Reward stats - min: 0.0 max: 1.0 mean: 0.25",
        f"{SDK}Actor output metrics: {{'actor/pg_loss': [0.5, 1.5], 'actor/kl_loss': np.float64(1e-05), 'a': 'b'}}",
        f"(R pid=3) {SDK}Step 4, metrics: {{'perf/throughput': 12.5, 'actor/lr': 1e-06}}",
    )
    assert found[0] == (3, {"reward/min": 0.0, "reward/max": 1.0, "reward/mean": 0.25, "actor/pg_loss": 1.0,
                            "actor/kl_loss": 1e-5})  # fmt: skip
    assert found[1] == (4, {"perf/throughput": 12.5, "actor/lr": 1e-6})
    assert reward_of(found[0][1]) == 0.25


def test_a_dictionary_without_a_step_is_no_row() -> None:
    assert rows("Actor output metrics: {'a/b': 1.0}", "the Step 3, metrics: {'a/b': 1}") == []


def test_a_hard_wrapped_line_is_joined() -> None:
    assert rows("step:2 - a/b:0.5 - t", "iming_s/gen:3.0 - c/d:4 - e/f:0.", "25 - g/h:1", "hello - world") == [
        (2, {"a/b": 0.5, "timing_s/gen": 3.0, "c/d": 4.0, "e/f": 0.25, "g/h": 1.0})
    ]


def test_megatron() -> None:
    line = " [2026-01-02 03:04:05] iteration       10/    2000 | learning rate: 1.25E-06 | lm loss: 1.138E+01 |"
    assert rows(line) == [(10, {"learning rate": 1.25e-6, "lm loss": 11.38})]


def test_the_score_of_mindspeed_rl_is_the_reward() -> None:
    assert reward_of({"grpo/rewards/mean": 0.0, "grpo/score/mean": 0.4}) == 0.4
    assert reward_of({"base_acc_rewards/mean": 0.3}) == 0.3


@pytest.mark.parametrize(
    ("line", "text", "level"),
    [
        ("(train pid=5) 2026-01-02 11:01:05,123 - INFO - [2026-01-02 03:01:05] iteration: 1", "iteration: 1", "INFO"),
        ("(train pid=5) 2026-01-02 11:01:05,123 - INFO - [2026-01-02 03:01:05+00:00] INFO go", "go", "INFO"),
        ("(EngineCore_DP0 pid=1) ERROR 06-16 08:26:32 [core.py:390] ValueError: x", "ValueError: x", "ERROR"),
        ("ERROR 06-16 08:26:32 core.py:390] ValueError: x", "ValueError: x", "ERROR"),
        (f"{SDK}hello", "hello", "INFO"),
        ("[rank0]: Traceback (most recent call last):", "Traceback (most recent call last):", ""),
        ("2026-06-16T08:24:51.123Z (W pid=7, ip=1.2.3.4) hi", "hi", ""),
        ("   4.73 (X pid=3) INFO:2026-11-29 13:23:03,533:Platform", "Platform", "INFO"),
        ('  File "x.py", line 3', '  File "x.py", line 3', ""),
        ("[2026-11-29 12:24:53,082 E 2 3] x.cc:4: y", "[2026-11-29 12:24:53,082 E 2 3] x.cc:4: y", ""),
    ],
)  # fmt: skip
def test_what_stands_before_a_message(line: str, text: str, level: str) -> None:
    found = message_of(line)
    assert (found.text, found.level) == (text, level)


def test_milestones_of_the_other_back_ends() -> None:
    assert stage_of(f"{SDK}GRPO training finished.") == "finishing"
    assert checkpoint_of(f"{SDK}Checkpoint saved successfully | global_steps=8 | path=/c/global_step_8") == (
        8,
        "/c/global_step_8",
    )
    assert checkpoint_of("saving checkpoint at iteration     100 to /c in torch format") == (100, "/c")
    assert resume_of("  successfully loaded checkpoint from /c [ t 0, p 0 ] at iteration 100") == (100, "/c")
    assert total_steps_of("Epoch 1/6:   0%|          | 0/62 [00:00<?, ?it/s]") == 372
