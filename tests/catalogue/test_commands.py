"""`agentic-rl explain`, `templates` and `new`."""

from __future__ import annotations

import argparse
import json
import os
import stat
from pathlib import Path

import pytest
import yaml

from agentic_rl_wizard.runner.cli.catalogue.command import add_parsers, default_language


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_parsers(parser.add_subparsers())
    parsed = parser.parse_args(arguments)
    return parsed.run(parsed)


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "lr") == 0
    assert "Peak learning rate" in capsys.readouterr().out
    assert run("explain", "lr", "--lang", "zh") == 0
    assert "学习率" in capsys.readouterr().out
    assert run("explain", "lr", "--json") == 0
    assert json.loads(capsys.readouterr().out)["key"] == "lr"
    assert run("explain", "lrr") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Did you mean: lr?" in captured.err


def test_templates(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("templates") == 0
    assert "agentsdk-verl" in capsys.readouterr().out
    assert run("templates", "--json") == 0
    assert {entry["name"] for entry in json.loads(capsys.readouterr().out)} >= {"agentsdk-verl", "local-quickstart"}


def test_new_prints_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new") == 0
    assert yaml.safe_load(capsys.readouterr().out)["train_backend"] == "verl"
    assert run("new", "local-quickstart", "--minimal", "-o", "-") == 0
    assert capsys.readouterr().out.startswith("# agentic-rl: target=local\n")


@pytest.mark.parametrize("umask", [0o022, 0o077, 0])
def test_new_writes_mode_640_and_leaves_nothing_else(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "a.yaml"
    old = os.umask(umask)
    try:
        assert run("new", "-o", str(path), "--set", "lr=2.0e-6") == 0
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["lr"] == 2e-6
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".agentic-rl", "a.yaml"]


def test_new_never_overwrites_unless_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("mine", encoding="utf-8")
    assert run("new", "-o", str(path)) == 2
    assert path.read_text(encoding="utf-8") == "mine"
    assert "--force" in capsys.readouterr().err
    assert run("new", "-o", str(path), "--force") == 0
    assert path.read_text(encoding="utf-8") != "mine"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".agentic-rl", "a.yaml"]


def test_new_leaves_nothing_behind_when_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert run("new", "-o", str(tmp_path / "a.yaml")) == 2
    assert list(tmp_path.iterdir()) == []
    mine = tmp_path / "mine.yaml"
    mine.write_text("mine", encoding="utf-8")
    assert run("new", "-o", str(mine), "--force") == 2
    assert mine.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "lr=1e-6"], "1.0e-6"),
        (["--set", "lrr=1"], "did you mean lr?"),
        (["--set", "verl.lr=1.0"], "did you mean lr?"),
        (["--set", "lr"], "expected KEY=VALUE"),
        (["--set", "lr=["], "no YAML value"),
        (["--set", "lr="], "lr is empty"),
        (["--set", "top_p=0"], "vLLM refuses it"),
        (["--set", "verl=3"], "verl is a section; write --set verl.KEY=VALUE"),
        (["--set", "verl={lr: 1}"], "there is no parameter 'verl.lr'; did you mean lr?"),
        (["--set", "verl.total_epochs.x=2"], "there is no parameter 'verl.total_epochs.x'"),
        (["--set", "verl.total_epochs=[1, 2]"], "verl.total_epochs must be an integer; [1, 2] is a list"),
        (["--set", "verl.total_epochs=null"], "verl.total_epochs is empty"),
        (["--set", "verl.ckpt_content=[model, 3]"], "Item 2 of verl.ckpt_content must be a text"),
        (["--set", "verl.ckpt_content=model"], "[model]"),
        (["--set", "lr=1\n---\n2"], "lr=1\\n---\\n2: no YAML value: The file holds more than one YAML document."),
        (["--set", "lr=\x1b[31m"], "lr=\\x1b[31m: no YAML value"),
        (["--set", "lr=2026-13-45"], "month must be in 1..12"),
        (["--set", f"lr=[&a [{'1,' * 400}], &b [{'*a,' * 400}], {'*b,' * 9}]"], "aliases unfolded: 50127"),
        (["--set", "lr=!!python/name:os.system x"], "no YAML value"),
        (["agentsdk-verll"], "did you mean agentsdk-verl?"),
        (["-o", "."], "is a directory"),
        (["-o", "/nowhere/at/all.yaml"], "No such file"),
    ],
)
def test_new_refuses(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err


def test_new_accepts_documented_names_and_values_with_equals(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["verl.kl_loss_coeff=0.01", "verl.experiment_name=a=b", "verl.total_training_steps=null"]
    assert run("new", *(part for setting in settings for part in ("--set", setting))) == 0
    section = yaml.safe_load(capsys.readouterr().out)["verl"]
    assert section["kl_loss_coef"] == 0.01
    assert section["experiment_name"] == "a=b"
    assert section["total_training_steps"] is None


def test_new_takes_a_mapping_for_a_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", "--set", "verl={total_epochs: 7, ckpt_content: [model]}", "--set", "verl.nnodes=2") == 0
    section = yaml.safe_load(capsys.readouterr().out)["verl"]
    assert (section["total_epochs"], section["ckpt_content"], section["nnodes"]) == (7, ["model"], 2)


def test_new_says_what_a_number_with_a_leading_zero_is_read_as(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", "--set", "verl.total_epochs=010") == 0
    captured = capsys.readouterr()
    assert "010 is read as 8" in captured.err
    assert yaml.safe_load(captured.out)["verl"]["total_epochs"] == 8


def test_new_writes_behind_a_link_when_forced(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text("old", encoding="utf-8")
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    assert run("new", "-o", str(tmp_path / "link.yaml")) == 2
    assert (tmp_path / "real.yaml").read_text(encoding="utf-8") == "old"
    assert run("new", "-o", str(tmp_path / "link.yaml"), "--force") == 0
    assert (tmp_path / "link.yaml").is_symlink()
    assert "train_backend" in (tmp_path / "real.yaml").read_text(encoding="utf-8")
    assert stat.S_IMODE((tmp_path / "real.yaml").stat().st_mode) == 0o640


def test_warnings_are_told_and_do_not_stop(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", "--set", "min_p=0.0", "--set", "entropy_coeff=0.2") == 0
    captured = capsys.readouterr()
    assert "min_p" in captured.err
    assert "entropy_coeff" in captured.err
    assert yaml.safe_load(captured.out)["min_p"] == 0.0


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LC_ALL": "zh_CN.UTF-8"}, "zh"),
        ({"LC_ALL": "", "LANG": "zh_TW.UTF-8"}, "zh"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": ""}, "en"),
    ],
)
def test_default_language(environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert default_language() == language
