from __future__ import annotations

import re
import string

import pytest

from agentic_rl_wizard.wizard import i18n

FILES = sorted(path.stem for path in i18n.TEXTS.glob("*.yaml"))


@pytest.fixture(autouse=True)
def _language_restored():
    before = i18n.language()
    yield
    i18n.set_language(before)


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


@pytest.mark.parametrize("name", FILES)
def test_every_text_has_both_languages_with_the_same_placeholders(name: str) -> None:
    for key, entry in i18n.load_texts(name).items():
        assert set(entry) == set(i18n.LANGUAGES), f"{name}.{key}"
        assert all(text.strip() for text in entry.values()), f"{name}.{key} is empty"
        assert placeholders(entry["en"]) == placeholders(entry["zh"]), f"{name}.{key}"


def test_switch_at_run_time() -> None:
    i18n.set_language("en")
    english = i18n.t("run.title")
    i18n.set_language(i18n.next_language())
    assert i18n.language() == "zh"
    assert i18n.t("run.title") != english


def test_one_is_no_plural() -> None:
    i18n.set_language("en")
    assert [i18n.t("wizard.state_errors", count=count) for count in (1, 2)] == ["1 error", "2 errors"]
    assert i18n.t("run.saved", lines="1", path="x") == "1 line written to x"
    i18n.set_language("zh")
    assert i18n.t("wizard.state_warnings", count=1) == "1 个警告"


PLURAL = re.compile(r"\{(count|n|lines|rows)\} [a-z]+s\b")


@pytest.mark.parametrize("name", FILES)
def test_counted_words_know_their_singular(name: str) -> None:
    assert [key for key, entry in i18n.load_texts(name).items() if PLURAL.search(entry["en"])] == []


def test_a_missing_text_shows_its_key() -> None:
    assert i18n.t("run.no such text") == "run.no such text"
    assert i18n.t("nofile.x") == "nofile.x"


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="klingon"):
        i18n.set_language("klingon")


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "AGENTIC_RL_LANG": "zh"}, "zh"),
        ({}, "en"),
    ],
)
def test_first_language(environ: dict[str, str], expected: str) -> None:
    assert i18n.preferred_language(environ) == expected


USED = re.compile(r"""\bt\(\s*"([a-z_]+\.[a-z0-9_.-]+)\"""")


def test_every_text_that_is_asked_for_exists() -> None:
    sources = sorted(i18n.TEXTS.parent.rglob("*.py"))
    asked = {(key, path.name) for path in sources for key in USED.findall(path.read_text(encoding="utf-8"))}
    assert len(asked) > 50
    missing = [one for one in asked if one[0].partition(".")[2] not in i18n.load_texts(one[0].partition(".")[0])]
    assert not missing
