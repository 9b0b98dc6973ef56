"""Logs of real trainings, where this checkout lies beside them; they are other people's text and not kept here."""

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue.failures import load_failures
from agentic_rl_wizard.runner.stream import (
    LineSplitter,
    clean_line,
    diagnose_log,
    last_error,
    parse_metric_line,
    read_signatures,
)

CASES = next((p / "shared/cases" for p in Path(__file__).resolve().parents if (p / "shared/cases").is_dir()), None)
pytestmark = pytest.mark.skipif(CASES is None, reason="no logs of real trainings here")

STEPS = {
    "verl_cpu_logs/good_run.log": [1, 2, 3, 4, 5],
    "verl_cpu_logs/resumed_run.log": [6, 7, 8],
    "verl_cpu_logs/add_seed0_40_steps.log": list(range(1, 41)),
    "logs/be_06_verl_ansi_prefix_step0_step1_engine_died.log": [0, 1],
    "logs/be_09_verl_sft_step_glued_to_tqdm.log": [1],
    "logs/be_26_SYNTHETIC_mindspeed_rl_iterations.log": [1, 2, 3],
}
ERRORS = {
    "verl_cpu_logs/fail_bad_dataset.log": "FileNotFoundError: Unable to find",
    "verl_cpu_logs/fail_bad_key.log": "Could not override 'trainer.totl_epochs'.",
    "verl_cpu_logs/fail_overlong_filtered.log": "got num_samples=0",
}


def lines_of(name: str) -> list[bytes]:
    assert CASES is not None
    path = CASES / name
    if not path.exists():
        pytest.skip("not here")
    splitter = LineSplitter()
    return splitter.feed(path.read_bytes()) + splitter.close()


@pytest.mark.parametrize("name", STEPS)
def test_every_step_is_read(name: str) -> None:
    assert [row[0] for row in map(parse_metric_line, lines_of(name)) if row] == STEPS[name]


@pytest.mark.parametrize("name", ERRORS)
def test_the_cause_is_found(name: str) -> None:
    found = last_error(map(clean_line, lines_of(name)))
    assert found is not None
    assert ERRORS[name] in found.summary


# Judged by hand: the first cause and its line, None for a log without a failure.
JUDGED: dict[str, tuple[str, int] | None] = {
    "logs/be_01_verl_quickstart_v0x_timing_keys.log": None,
    "logs/be_03_verl_issue7412_v08_full_repr.log": None,
    "logs/be_06_verl_ansi_prefix_step0_step1_engine_died.log": None,
    "logs/be_07_verl_numpy2_np_float64.log": None,
    "logs/be_09_verl_sft_step_glued_to_tqdm.log": None,
    "logs/be_11_verl_issue2012_NPU_end_of_run_tbe_noise.log": None,
    "logs/be_14_vllm_ascend_issue1127_npu_oom.log": ("npu-out-of-memory", 1),
    "logs/be_15_torch_npu_hccl_notify_timeout_507048_EI0002.log": ("hccl-notify-timeout", 1),
    "logs/be_26_SYNTHETIC_mindspeed_rl_iterations.log": None,
    "logs/verl_console_trl_smollm_step0_step1.log": None,
    "verl_cpu_logs/add_seed0_40_steps.log": None,
    "verl_cpu_logs/fail_bad_dataset.log": ("dataset-not-found", 1039),
    "verl_cpu_logs/fail_bad_key.log": ("unknown-config-key", 29),
    "verl_cpu_logs/fail_overlong_filtered.log": ("dataset-empty", 1029),
    "verl_cpu_logs/fail_too_long.log": None,
    "verl_cpu_logs/good_run.log": None,
    "verl_cpu_logs/guess_multi_turn_45_steps.log": None,
    "verl_cpu_logs/resumed_run.log": None,
    "verl_cpu_logs/sigterm_run.log": ("terminated", 1356),
}


@pytest.mark.parametrize("name", JUDGED)
def test_each_log_is_judged_as_by_hand(name: str) -> None:
    assert CASES is not None
    if not (CASES / name).exists():
        pytest.skip("not here")
    found = diagnose_log(CASES / name, read_signatures(load_failures()))
    expected = JUDGED[name]
    assert found.failed is (expected is not None)
    assert [(one.id, one.line) for one in found.causes[:1]] == ([expected] if expected else [])
