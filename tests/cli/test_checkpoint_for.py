"""The checkpoint that a file names is looked at: on how many devices it was written decides who can read it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.document import parse_document
from agentic_rl_wizard.wizard.form.checker import Checker


def saved(directory: Path, step: int, ranks: int) -> Path:
    """A checkpoint as verl's FSDP workers leave it, with empty files."""
    actor = directory / f"global_step_{step}" / "actor"
    actor.mkdir(parents=True)
    for rank in range(ranks):
        (actor / f"model_world_size_{ranks}_rank_{rank}.pt").touch()
    (directory / "latest_checkpointed_iteration.txt").write_text(str(step))
    return directory / f"global_step_{step}"


def text(keys: str, devices: int = 8) -> str:
    return f"trainer:\n  n_gpus_per_node: {devices}\n{keys}"


def codes(tmp_path: Path, config: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    file = tmp_path / "c.yaml"
    file.write_text(config)
    main(["check", "--json", str(file)])
    report = json.loads(capsys.readouterr().out)
    return {problem["code"] for one in report["files"] for problem in one["problems"]}


OTHER = "resume-other-world"


@pytest.mark.parametrize(
    ("keys", "devices", "other"),
    [
        ("  default_local_dir: {dir}\n", 8, True),
        ("  default_local_dir: {dir}\n", 16, False),
        ("  default_local_dir: {dir}\n  resume_mode: disable\n", 8, False),
        ("  default_local_dir: {dir}/nowhere\n", 8, False),
        ("  default_local_dir: ${{oc.env:HOME}}/x\n", 8, False),
        ("  resume_mode: resume_path\n  resume_from_path: {dir}/global_step_20\n", 8, True),
        ("  resume_mode: resume_path\n  resume_from_path: {dir}/global_step_10\n", 8, False),
        ("  default_local_dir: {dir}/none\n  resume_from_path: {dir}/global_step_20\n", 8, False),
    ],
    ids=["other", "same", "disabled", "absent", "env", "path", "path-same", "path-unread"],
)
def test_world_size(keys: str, devices: int, other: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(tmp_path / "k", 10, 8)
    saved(tmp_path / "k", 20, 16)
    found = codes(tmp_path, text(keys.format(dir=tmp_path / "k"), devices), capsys)
    assert (OTHER in found) is other


def test_below_the_section_of_ascendfactory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(tmp_path / "k", 20, 16)
    tree = text(f"  default_local_dir: {tmp_path / 'k'}\n")
    config = "af_output_dir: /out\nbackend_config:\n" + "".join(f"  {line}\n" for line in tree.splitlines())
    assert OTHER in codes(tmp_path, config, capsys)


def test_the_wizard_sees_it_too_and_looks_again_when_the_name_changes(tmp_path: Path) -> None:
    saved(tmp_path / "k", 20, 16)
    checker = Checker()
    here = parse_document(text(f"  default_local_dir: {tmp_path / 'k'}\n"))
    elsewhere = parse_document(text(f"  default_local_dir: {tmp_path / 'j'}\n"))
    assert OTHER in {p.code for p in checker.check(here)}
    assert OTHER not in {p.code for p in checker.check(elsewhere)}


def test_a_spoilt_tracker(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(tmp_path / "k", 20, 16)
    (tmp_path / "k" / "latest_checkpointed_iteration.txt").write_text("9" * 5000)
    assert OTHER not in codes(tmp_path, text(f"  default_local_dir: {tmp_path / 'k'}\n"), capsys)
