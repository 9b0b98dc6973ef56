"""What `run` and `plan` refuse, before anything is started: exit code, place, reason."""

import subprocess
import sys
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue import render_template
from agentic_rl_wizard.runner.cli.main import main

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A quick-start configuration whose model and data exist."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("AGENTIC_RL_PYTHON", raising=False)
    (tmp_path / "tiny" / "model").mkdir(parents=True)
    row = {
        "data_source": "x/y",
        "prompt": [{"role": "user", "content": "1+2"}],
        "reward_model": {"style": "rule", "ground_truth": "3"},
    }
    for name in ("train", "heldout"):
        pq.write_table(pa.Table.from_pylist([row] * 64), tmp_path / "tiny" / f"{name}.parquet")
    return tmp_path


def write(folder: Path, change=lambda text: text, name="c.yaml"):
    path = folder / name
    path.write_text(change(render_template("local-quickstart", "en")), encoding="utf-8")
    return str(path)


def said(capsys):
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return out + err


def nothing_was_started(folder):
    return not (folder / "runs").exists() and not (folder / "checkpoints").exists()


def test_a_good_file_gives_a_plan_and_starts_nothing(files, capsys):
    assert main(["plan", write(files)]) == 0
    words = said(capsys)
    assert "verl.trainer.main_ppo" in words
    assert "trainer.device=cpu" in words
    assert str(files / "tiny" / "model") in words
    assert nothing_was_started(files)


def test_the_plan_as_json(files, capsys):
    import json

    assert main(["plan", write(files), "--json", "--workdir", str(files / "w")]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["checkpoint_dir"] == str(files / "w" / "checkpoints" / "quickstart" / "addition")
    assert plan["total_steps"] == 36
    assert plan["resume"]["mode"] == "fresh"


@pytest.mark.parametrize(
    ("change", "code", "word"),
    [
        (lambda t: t.replace("lr: 0.0005", "lr: fast"), 2, "wrong-type"),
        (lambda t: t.replace("lr: 0.0005", "lrr: 0.1"), 2, "Did you mean lr"),
        (lambda t: t.replace("tiny/train", "tiny/gone"), 2, "path-missing"),
        (
            lambda t: t.replace("train_backend: verl", "train_backend: verl\nagent_engine_wrapper_path: w.py"),
            2,
            "no class derives from BaseEngineWrapper",
        ),
        (lambda t: t.replace("# agentic-rl: target=local\n", ""), 3, "no-accelerator"),
        (lambda t: "verl:\n\tx: 1\n", 2, "yaml-tab"),
        (lambda t: "", 2, "file-empty"),
    ],
    ids=["type", "name", "path", "wrapper", "device", "tab", "empty"],
)
def test_refusals(files, capsys, change, code, word):
    (files / "w.py").write_text("")
    assert main(["run", write(files, change)]) == code
    assert word in said(capsys)
    assert nothing_was_started(files)


def test_data_without_the_needed_column(files, capsys):
    pq.write_table(pa.table({"question": ["1+1"], "answer": ["2"]}), files / "tiny" / "train.parquet")
    assert main(["run", write(files)]) == 2
    words = said(capsys)
    assert "has no column prompt" in words
    assert "question, answer" in words


def test_an_interpreter_without_verl_or_none_at_all(files, capsys):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(files / "bare")], check=True)
    assert main(["run", write(files), "--python", str(files / "bare" / "bin" / "python")]) == 3
    assert "verl is not installed" in said(capsys)
    assert main(["run", write(files), "--python", str(files / "no" / "python")]) == 3
    assert "can't be run" in said(capsys)
    assert nothing_was_started(files)


def test_a_checkpoint_of_another_world_size_is_not_started(files, capsys):
    actor = files / "checkpoints" / "quickstart" / "addition" / "global_step_5" / "actor"
    actor.mkdir(parents=True)
    (actor / "model_world_size_8_rank_0.pt").write_bytes(b"")
    (actor.parent.parent / "latest_checkpointed_iteration.txt").write_text("5")
    assert main(["run", write(files)]) == 2
    assert "written by 8 ranks" in said(capsys)
    assert main(["plan", write(files), "--fresh"]) == 0
    assert "addition-2" in said(capsys)


def test_texts_of_run_have_both_languages():
    from string import Formatter

    from agentic_rl_wizard.runner.cli.launch.texts import TEXTS

    for key, text in TEXTS.items():
        assert set(text) == {"en", "zh"}, key
        names = [{n for _, n, _, _ in Formatter().parse(words) if n} for words in text.values()]
        assert names[0] == names[1], key


def test_chinese(files, capsys):
    assert main(["run", write(files, lambda t: t.replace("lr: 0.0005", "lr: fast")), "--lang", "zh"]) == 2
    assert "lr 应为数值" in said(capsys)
