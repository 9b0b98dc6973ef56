"""`agentic-rl diff` as it is used."""

import json

import pytest

from agentic_rl_wizard.runner.cli.main import main


def diff(capsys, *arguments) -> tuple[int, dict]:
    code = main(["diff", *map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.fixture
def write(tmp_path):
    def writer(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return writer


def test_agentsdk_files_are_compared_by_parameter(write, capsys):
    left = write("a.yaml", "train_backend: verl\nrollout_n: 4\nverl: {kl_loss_coeff: 0.1}\n")
    right = write("b.yaml", "# other comments\ntrain_backend: verl\nverl:\n  kl_loss_coef: 0.2\n")
    code, found = diff(capsys, left, right)
    assert code == 1
    assert {row["key"]: (row["a"]["value"], row["b"]["value"]) for row in found["differences"]} == {
        "rollout_n": (4, 2),
        "verl.kl_loss_coef": (0.1, 0.2),
    }
    assert [row["b"]["given"] for row in found["differences"]] == [False, True]


def test_a_default_that_is_written_out_is_no_difference(write, capsys):
    left, right = (
        write("a.yaml", "trainer: {save_freq: -1}\n"),
        write("b.yaml", "trainer.nnodes: 1\ndata.shuffle: true\n"),
    )
    code, found = diff(capsys, left, right)
    assert (code, found) == (0, {"same": True, "differences": []})
    assert len(diff(capsys, left, right, "--all")[1]["differences"]) == 3


def test_a_script_and_a_tree_are_compared_by_the_keys_of_verl(write, capsys):
    left = write("a.sh", "python -m verl.trainer.main_ppo actor_rollout_ref.rollout.n=4 trainer.nnodes=2\n")
    right = write("b.yaml", "af_output_dir: /o\nbackend_config: {actor_rollout_ref.rollout.n: 5, trainer.nnodes: 2}\n")
    _, found = diff(capsys, left, right)
    assert [row["key"] for row in found["differences"]] == ["actor_rollout_ref.rollout.n"]


def test_secrets_are_masked(write, capsys):
    left = write("a.yaml", "trainer: {wandb_api_key: s3cretvalue99}\n")
    right = write("b.yaml", "trainer: {nnodes: 1}\n")
    assert main(["diff", str(left), str(right)]) == 1
    assert "s3cretvalue99" not in capsys.readouterr().out


def test_a_missing_file_is_said(write, tmp_path, capsys):
    assert main(["diff", str(write("a.yaml", "lr: 1.0\n")), str(tmp_path / "none.yaml"), "--lang", "en"]) == 2
    assert "none.yaml" in capsys.readouterr().err
