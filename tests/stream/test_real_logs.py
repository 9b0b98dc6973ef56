"""Logs of real trainings, where this checkout lies beside them; they are other people's text and not kept here."""

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.stream import LineSplitter, clean_line, last_error, parse_metric_line

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
