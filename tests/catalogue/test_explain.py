"""`explain` finds a parameter however it is asked for, and says all that is known about it."""

from __future__ import annotations

import json
import re

import pytest

from agentic_rl_wizard.runner.catalogue import explain, load_catalogue, problem_codes
from agentic_rl_wizard.runner.catalogue.explain import render_json, render_plain


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("lr", "lr"),
        (" lr: ", "lr"),
        ("verl.lr", "lr"),
        ("train_files", "verl.train_files"),
        ("verl.policy_loss_model", "verl.policy_loss_mode"),
        ("policy_loss_model", "verl.policy_loss_mode"),
        ("kl_loss_coeff", "verl.kl_loss_coef"),
        ("seq_len", "mindspeed_rl.seq_length"),
        ("adv_estimator", "verl.adv_estimator"),
        ("mindspeed_rl.adv_estimator", "mindspeed_rl.adv_estimator"),
        ("verl.seq_length", "mindspeed_rl.seq_length"),
        ("megatron_training.load", "mindspeed_rl.load_params_path"),
        ("rl_config.init_kl_coef", "kl_coef"),
        ("no-effect", "no-effect"),
        ("wrong-type", "wrong-type"),
    ],
)
def test_found(asked: str, key: str) -> None:
    explanation = explain(asked)
    assert explanation.found
    assert explanation.key == key


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("lrr", "lr"),
        ("verl.trian_files", "verl.train_files"),
        ("no-efect", "no-effect"),
        ("tmeperature", "temperature"),
    ],
)
def test_unknown_names_the_nearest(asked: str, nearest: str) -> None:
    explanation = explain(asked)
    assert not explanation.found
    assert explanation.nearest[0] == nearest
    assert nearest in render_plain(explanation)


def test_nothing_is_like_nonsense() -> None:
    assert explain("qqqqqqqqqqqq").nearest == ()
    assert explain("").found is False


def sections(asked: str, lang: str = "en") -> dict[str, tuple[str, ...]]:
    return {section.id: section.lines for section in explain(asked, lang).sections}  # type: ignore[arg-type]


def test_a_parameter_says_everything() -> None:
    found = sections("clip_ratio")
    assert found["default"] == ("0.2",)
    assert found["constraint"] == ("a number from 0 to 1",)
    assert len(found["verl"]) == 3
    assert found["dead"][0].startswith("agentic_rl with verl: ")
    assert found["mindspeed_rl"] == ("clip_ratio",)
    assert found["source"] == ("000 first level, row 22",)
    assert sections("entropy_coeff")["default"] == ("software: 0.001", "documents: 0.2")
    assert sections("verl.min_lr_ratio")["condition"] == ("verl.warmup_style is cosine",)
    assert "(verl <0.6)" in sections("verl.warmup_style")["verl"][0]
    assert "clip-cov is handed to verl as clip_cov" in sections("verl.policy_loss_mode")["choices"][1]
    assert sections("num_node")["source"] == ("software only; the documents do not mention it",)
    assert "asked" in sections("verl.lr")
    assert "asked" not in sections("lr")


def test_two_sections_with_the_same_name() -> None:
    assert explain("adv_estimator").also == ("mindspeed_rl.adv_estimator",)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_everything_can_be_explained(lang: str) -> None:
    for name in [*load_catalogue().parameters, *problem_codes()]:
        explanation = explain(name, lang)  # type: ignore[arg-type]
        assert explanation.found
        assert explanation.key == name
        text = render_plain(explanation, lang)  # type: ignore[arg-type]
        assert re.search(r"\{[a-z_]+\}", text) is None
        assert "[?" not in text
        assert json.loads(json.dumps(render_json(explanation)))["key"] == name


def test_section_ids_do_not_depend_on_the_language() -> None:
    for name in ("lr", "verl.policy_loss_mode", "model_name"):
        assert list(sections(name, "en")) == list(sections(name, "zh"))
