"""Search finds by key, other names, title and help, in both languages."""

import pytest

from agentic_rl_wizard.runner.catalogue import load_catalogue
from agentic_rl_wizard.wizard.form.search import Index


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(load_catalogue().parameters.values())


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("lr", "lr"),
        ("学习率", "lr"),
        ("learning rate", "lr"),
        ("TEMPERATURE", "temperature"),
        ("温度", "temperature"),
        ("mxlen", "max_model_len"),
        ("ppo_mini_batch_size", "verl.ppo_mini_batch_size"),
        ("verl epochs", "verl.total_epochs"),
    ],
)
def test_first_hit(index: Index, typed: str, first: str) -> None:
    assert first in [hit.parameter.key for hit in index.find(typed)][:3]


def test_every_word_has_to_occur(index: Index) -> None:
    assert index.find("lr zzzz") == []


def test_nothing_typed_finds_all(index: Index) -> None:
    assert len(index.find("", limit=1000)) == len(load_catalogue().parameters)


@pytest.mark.parametrize("typed", ["(", "[a-", "\\", "\x1b[31m", "😀", " " * 500])
def test_strange_words_are_only_words(index: Index, typed: str) -> None:
    everything = {parameter.key for parameter in load_catalogue().parameters.values()}
    assert {hit.parameter.key for hit in index.find(typed, limit=1000)} <= everything
    assert typed.strip() == "" or len(index.find(typed, limit=1000)) < len(everything)
