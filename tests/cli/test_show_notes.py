"""The list of what a rehearsal changes: aligned, a reason once, within the columns of a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.backends.plan import Note
from agentic_rl_wizard.runner.backends.rehearsal import note_of
from agentic_rl_wizard.runner.catalogue.wrap import width
from agentic_rl_wizard.runner.cli.launch.show_notes import note_lines
from agentic_rl_wizard.runner.cli.launch.show_plan import command_pieces

IGNORED = {"en": "verl has no setting for it", "zh": "verl 没有对应的设置"}
NOTES = [
    note_of("scaled", "num_gpus_per_node", "device", 4, 1),
    note_of("scaled", "verl.save_freq", "save", 100, 3),
    note_of("scaled", "infer_tensor_parallel_size", "device", 8, 1),
    Note("ignored", "model_name", IGNORED),
    Note("ignored", "use_tensorboard", IGNORED),
]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_keys_of_one_reason_stand_together_and_values_below_each_other(lang: str) -> None:
    lines = note_lines(NOTES, lang, 78)
    assert [line.split()[0] for line in lines if " -> " in line] == [
        "num_gpus_per_node",
        "infer_tensor_parallel_size",
        "verl.save_freq",
    ]
    places = {line.index(value) for line, value in zip(lines, ("4 -> 1", "8 -> 1"), strict=False)}
    assert places == {len("infer_tensor_parallel_size") + 2}
    assert any(line.startswith("model_name") and "use_tensorboard" in line for line in lines)
    assert sum(IGNORED[lang] in line for line in lines) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_lines_fit(lang: str) -> None:
    assert max(width(line) for line in note_lines(NOTES, lang, 60)) <= 60


def test_long_values_take_lines_of_their_own_and_paths_are_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    long = "/" + "x" * 70
    lines = note_lines([note_of("scaled", "model", "save", long, str(tmp_path / "made" / "model"))], "en", 78)
    assert lines[:3] == ["model", f"    {long}", "    -> made/model"]


@pytest.mark.parametrize(
    ("argv", "pieces"),
    [
        (
            ["/p/python", "cli/train_grpo.py", "--config-dir", "/R/x y", "hydra.run.dir=/R"],
            ["/p/python cli/train_grpo.py", "--config-dir '/R/x y'", "hydra.run.dir=/R"],
        ),
        (["python", "-m", "verl.trainer.main_ppo", "a=1", "+b=2"], ["python -m verl.trainer.main_ppo", "a=1", "+b=2"]),
        (["agentic_rl", "--config-path", "/x"], ["agentic_rl", "--config-path /x"]),
        (["tool", "train", "/x", "--env.A=1", "--flag"], ["tool train /x", "--env.A=1", "--flag"]),
    ],
    ids=["script", "module", "option", "flags"],
)
def test_an_option_stands_with_its_value(argv: list[str], pieces: list[str]) -> None:
    assert command_pieces(argv) == pieces
