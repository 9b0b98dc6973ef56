import pytest

from agentic_rl_wizard.runner.stream import (
    Progress,
    bar_of,
    checkpoint_of,
    last_error,
    level_of,
    next_stage,
    resume_of,
    stage_of,
    total_steps_of,
)

P = "(TaskRunnerV1 pid=7) "


def test_a_start_never_goes_back_and_training_moves_freely() -> None:
    lines = [
        ("ray init kwargs: {'num_cpus': 16}", "starting"),
        (P + "INFO:2026-01-01 10:00:00,1:create worker group dict_keys(['actor'])", "loading"),
        ("(WorkerDict pid=8) Before FSDP, memory allocated (GB): 0.5", "loading"),
        (P + "INFO:x:actor and ref model engine initialized", "rollout"),
        ("(Server pid=9) Loading weights: 100%|##| 27/27 [00:00<00:00]", "rollout"),
        (P + "test_gen_batch meta info: {'validate': True}", "initial-validation"),
        (P + "Training Progress:   0%|          | 0/5 [00:00<?, ?it/s]", "training"),
        (P + "test_gen_batch meta info: {'validate': True}", "validation"),
        (P + "INFO:x:Saving checkpoint to checkpoints/p/e/global_step_2", "saving"),
        (P + "Training Progress:  40%|####      | 2/5 [00:00<?, ?it/s]", "training"),
        ("(WorkerDict pid=8) Loading weights: 100%|##| 27/27 [00:00<00:00]", "training"),
        (P + '("Final validation metrics: {', "finishing"),
        (P + "Training Progress: 100%|##########| 5/5 [00:00<?, ?it/s]", "finishing"),
    ]
    stage = None
    for line, expected in lines:
        seen = stage_of(line)
        stage = next_stage(stage, seen) if seen else stage
        assert stage == expected, line


@pytest.mark.parametrize(
    "line", [P + "  'note': 'Saving checkpoint to x',", "nothing", "x" * 200 + "Training Progress:"]
)
def test_quoted_words_are_no_stage(line: str) -> None:
    assert stage_of(line) is None


def test_totals_bars_checkpoints_and_resume() -> None:
    assert total_steps_of(P + "INFO:x:Total training steps: 25") == 25
    assert total_steps_of("Training Progress:  12%|#2        | 3/25 [00:10<01:00, 3s/it]") == 25
    assert total_steps_of("(train pid=1) sync start grpo training at iteration: 0/500 ...") == 500
    assert total_steps_of("Loading weights: 100%|##| 27/27") is None
    bar = bar_of("Epoch 1/6:   0%|  | 0/62 [a]Training Progress:  12%|#2  | 3/25 [b]")
    assert bar is not None
    assert (bar.done, bar.total) == (3, 25)
    assert checkpoint_of("Saving checkpoint to /c/global_step_12") == (12, "/c/global_step_12")
    assert checkpoint_of("local_global_step_folder: c/p/e/global_step_4") == (4, "c/p/e/global_step_4")
    assert resume_of("Resuming from /c/global_step_5, setting global step to 5") == (5, "/c/global_step_5")
    assert resume_of("Resuming from /c/global_step_5") == (5, "/c/global_step_5")
    assert resume_of("Setting global step to 40") == (40, "")


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("Traceback (most recent call last):", "error"),
        (P + "ValueError: no", "error"),
        (P + "ray.exceptions.RayTaskError(ValueError): ray::f()", "error"),
        ("ERROR 06-16 08:26:32 [core.py:6] died", "error"),
        ("[2026-11-29 12:24:53,082 E 23103 23103] logging.cc:474: x", "error"),
        ("2026-11-29 12:15:30,376\tWARNING x.py:85 -- Token", "warning"),
        ("/x/y.py:180: UserWarning: Disabled", "warning"),
        (P + "INFO:2026-11-29:Training from scratch", "info"),
        ("step:1 - a/b:1", "info"),
        ("DEBUG:root:x", "debug"),
    ],
)
def test_levels(line: str, level: str) -> None:
    assert level_of(line) == level


def test_progress_has_a_robust_pace_and_the_rewards() -> None:
    progress = Progress()
    progress.feed_event({"kind": "state", "state": "running", "time": 100.0})
    progress.feed_event({"kind": "stage", "stage": "training", "total": 10, "time": 101.0})
    assert progress.seconds_left is None
    for step, seconds in enumerate([90.0, 4.0, 4.2, 60.0, 4.1], start=1):
        progress.feed_metrics(step, {"critic/rewards/mean": step / 10, "timing_s/step": seconds}, 100.0 + step)
    assert progress.seconds_per_step == pytest.approx(4.15)
    assert progress.seconds_left == pytest.approx(5 * 4.15)
    assert progress.reward == 0.5
    assert progress.mean_reward(2) == pytest.approx(0.45)
    assert progress.mean_reward(2, last=False) == pytest.approx(0.15)
    progress.feed_metrics(3, {"grpo/rewards/mean": 9.0})
    assert progress.rewards == [(1, 0.1), (2, 0.2), (3, 9.0)]


def test_pace_from_the_clock_where_the_software_does_not_tell() -> None:
    progress = Progress(total=3)
    for step in (1, 2):
        progress.feed_metrics(step, {"a": 1.0}, 10.0 * step)
    assert progress.seconds_per_step == 10.0
    assert progress.reward is None


FAILED = """Error executing job with overrides: ['a=1']
Traceback (most recent call last):
  File "main_ppo.py", line 93, in run_ppo
    ray.get(runner.run.remote(config))
ray.exceptions.RayTaskError(FileNotFoundError): ray::TaskRunnerV1.run() (pid=1, ip=10.0.0.2)
  File "rl_dataset.py", line 174, in _read
    dataframe = load(path)
FileNotFoundError: Unable to find '/nope/train.parquet'
(WorkerDict pid=3) [ERROR] TBE Subprocess[task_distribute] raise error[], main process disappeared!
*** SIGTERM received at time=1 on cpu 0 ***""".splitlines()


def test_the_first_cause_and_not_the_noise_after_it() -> None:
    found = last_error(FAILED)
    assert found is not None
    assert found.summary == "FileNotFoundError: Unable to find '/nope/train.parquet'"
    assert found.number == 8
    assert found.lines[-1] == found.summary
    assert not any("main process disappeared" in line for line in found.lines)


def test_a_message_of_several_lines_stays_together() -> None:
    found = last_error(["Traceback (most recent call last):", "hydra.errors.ConfigError: Could not override 'a.b'.",
                        "To append to your config use +a.b=3"])  # fmt: skip
    assert found is not None
    assert found.lines[-1].startswith("To append")


def test_an_error_without_traceback_and_none_at_all() -> None:
    found = last_error(["fine", P + "ERROR 01-01 x.py:1] RuntimeError: NPU out of memory.", "later ERROR"])
    assert found is not None
    assert found.summary.endswith("NPU out of memory.")
    assert last_error(["step:1 - a/b:1", "done"]) is None
