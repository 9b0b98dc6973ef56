"""Finding parameters: by name, key and alias, and what a wrong key may have meant."""

from __future__ import annotations

import pytest

from agentic_rl_wizard.runner.catalogue import load_catalogue
from agentic_rl_wizard.runner.catalogue.nearest import closest, edit_distance
from agentic_rl_wizard.runner.catalogue.versions import version_holds


@pytest.mark.parametrize(
    ("key", "found", "alias"),
    [
        ("lr", "lr", None),
        ("verl.train_files", "verl.train_files", None),
        ("verl.policy_loss_model", "verl.policy_loss_mode", "policy_loss_model"),
        ("verl.kl_loss_coeff", "verl.kl_loss_coef", "kl_loss_coeff"),
        ("verl.total_training", "verl.total_training_steps", "total_training"),
        ("mindspeed_rl.seq_len", "mindspeed_rl.seq_length", "seq_len"),
    ],
)
def test_resolve(key: str, found: str, alias: str | None) -> None:
    resolved = load_catalogue().resolve(key)
    assert resolved is not None
    assert (resolved[0].key, resolved[1]) == (found, alias)


@pytest.mark.parametrize("key", ["verl.lr", "policy_loss_model", "train_files", "nothing", "", "verl.", "verl.verl.lr"])
def test_resolve_is_exact_about_the_place(key: str) -> None:
    assert load_catalogue().resolve(key) is None


def test_find_prefers_verl_and_find_all_gives_both() -> None:
    catalogue = load_catalogue()
    assert [p.key for p in catalogue.find_all("adv_estimator")] == ["mindspeed_rl.adv_estimator", "verl.adv_estimator"]
    found = catalogue.find("adv_estimator")
    assert found is not None
    assert found.key == "verl.adv_estimator"
    assert catalogue.find("nothing") is None


@pytest.mark.parametrize(
    ("name", "section", "key", "misplaced"),
    [
        ("train_files", "", "verl.train_files", True),  # document 000's samples lost their indentation
        ("lr", "verl", "lr", True),
        ("policy_loss_model", "", "verl.policy_loss_mode", True),
        ("kl_ceof", "", "kl_coef", False),
        ("learning_rate", "", None, False),
        ("gpu_utilization", "", "gpu_memory_utilization", False),
        ("Rollout_N", "", "rollout_n", False),
        ("total_epoch", "verl", "verl.total_epochs", False),
        ("policy_loss_modle", "verl", "verl.policy_loss_mode", False),
        ("trian_files", "", "verl.train_files", True),
        ("max_prompt_len", "", "max_prompt_length", False),
    ],
)
def test_nearest(name: str, section: str, key: str | None, misplaced: bool) -> None:
    candidates = load_catalogue().nearest(name, section)
    if key is None:
        assert candidates == []
        return
    assert candidates[0].key == key
    assert candidates[0].misplaced is misplaced


def test_distance_counts_a_swap_once_and_stops_at_the_limit() -> None:
    assert edit_distance("coef", "ceof", 3) == 1
    assert edit_distance("coef", "coef", 3) == 0
    assert edit_distance("kitten", "sitting", 3) == 3
    assert edit_distance("kitten", "sitting", 2) == 3
    assert edit_distance("a", "abcdef", 2) == 3
    assert closest("zzzz", ["lr", "gamma"]) == []


@pytest.mark.parametrize(
    ("key", "version", "keys"),
    [
        ("verl.warmup_style", "0.5.0", ["warmup_style"]),
        ("verl.warmup_style", "0.6.0", ["lr_scheduler_type"]),
        ("verl.warmup_style", "main", ["lr_scheduler_type"]),
        ("verl.ckpt_content", "0.4.0", ["contents"]),
        ("verl.ckpt_content", "0.4.1", ["save_contents"]),
        ("clip_ratio", "0.5.0", ["clip_ratio", "clip_ratio_low", "clip_ratio_high"]),
        ("verl.fsdp_optimizer_offload", "0.9.1", ["optimizer_offload"]),
        ("kl_target", "0.9.1", ["target_kl"]),
        ("min_p", "0.9.1", []),
        ("verl.grad_clip", "0.5.0", ["grad_clip"]),
        ("verl.grad_clip", "0.9.1", ["grad_clip", "clip_grad"]),
        ("verl.dataloader_num_workers", "0.4.1", []),
    ],
)
def test_verl_keys(key: str, version: str, keys: list[str]) -> None:
    found = load_catalogue().parameters[key].verl_keys(version)
    assert [name.rpartition(".")[2] for name in found] == keys


@pytest.mark.parametrize(
    ("spec", "version", "holds"),
    [
        ("", "0.1", True),
        (">=0.6", "0.6.0", True),
        (">=0.6", "0.5.9", False),
        ("<0.6", "0.5.0", True),
        ("<0.6", "0.6.0", False),
        (">=0.6,<0.8", "0.7.1", True),
        (">=0.6,<0.8", "0.8.0", False),
        ("==0.9.1", "0.9.1+cpu", True),
        (">=0.10", "0.9.1", False),
        (">=0.10", "main", True),
    ],
)
def test_versions(spec: str, version: str, holds: bool) -> None:
    assert version_holds(spec, version) is holds


def test_what_each_launcher_ignores() -> None:
    parameters = load_catalogue().parameters
    ignored = {key for key, p in parameters.items() if p.section == "verl" and p.ignored_by("agentsdk", "verl")}
    assert ignored == {
        f"verl.{name}"
        for name in (
            *("val_before_train", "val_only", "test_freq", "val_batch_size"),
            *("balance_batch", "fsdp_optimizer_offload"),
        )
    }
    # Dead under agentic_rl, alive when verl is started directly.
    alive = ("clip_ratio", "kl_target", "use_kl_in_reward", "kl_coef", "kl_penalty", "verl.val_only", "verl.test_freq")
    for key in alive:
        assert parameters[key].ignored_by("agentsdk", "verl"), key
        assert parameters[key].ignored_by("verl") is None, key
        assert parameters[key].ignored_by("local") is None, key


def test_what_a_target_needs() -> None:
    parameters = load_catalogue().parameters.values()
    needed = {
        target: [p.key for p in parameters if p.section in ("", "verl") and p.required_for(target)]
        for target in ("agentsdk", "verl", "local")
    }
    assert needed["verl"] == needed["local"] == ["tokenizer_name_or_path", "verl.train_files", "verl.val_files"]
    assert set(needed["agentsdk"]) - set(needed["verl"]) == {
        *("model_name", "agent_name", "agent_engine_wrapper_path", "train_backend"),
    }
