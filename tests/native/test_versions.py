"""verl's key table and the versions it knows."""

import pytest

from agentic_rl_wizard.runner.catalogue.versions import version_key
from agentic_rl_wizard.runner.native import default_of, is_declared, known_verl, verl_keys


def test_unknown_versions_take_the_nearest_older_one():
    assert known_verl("0.5.3") == "0.5.0"
    assert known_verl("0.3.0") == "0.4.0"
    assert known_verl("main") == "main"
    assert version_key("v0.9.1") < version_key("0.10.0") < version_key("main")


def test_keys_move_between_versions():
    assert is_declared("actor_rollout_ref.actor.optim.warmup_style", "0.5.0")
    assert not is_declared("actor_rollout_ref.actor.optim.lr_scheduler_type", "0.5.0")
    assert is_declared("actor_rollout_ref.actor.optim.lr_scheduler_type", "0.9.1")
    assert default_of("actor_rollout_ref.rollout.max_num_seqs", "0.8.0") == 1024
    assert default_of("actor_rollout_ref.rollout.max_num_seqs", "0.9.1") == 256


def test_table_is_what_the_installed_verl_declares():
    """Every key of the packaged config of verl 0.9.1 is in the table, and no other."""
    verl = pytest.importorskip("importlib.metadata").distribution("verl")
    if verl.version != "0.9.1":
        pytest.skip("the table's 0.9.1 column is compared with verl 0.9.1 only")
    import yaml

    path = next(f for f in verl.files if f.name == "_generated_ppo_trainer.yaml").locate()
    tree = yaml.safe_load(path.read_text(encoding="utf-8"))
    found = set()

    def walk(node, prefix):
        for key, value in node.items():
            dotted = f"{prefix}.{key}" if prefix else key
            if isinstance(value, dict) and value:
                walk(value, dotted)
            else:
                found.add(dotted)

    walk(tree, "")
    table = set(verl_keys("0.9.1"))
    assert found == table
