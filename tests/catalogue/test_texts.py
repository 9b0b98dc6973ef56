"""Every sentence exists in both languages, and values stay data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue import Problem, load_catalogue, problem_codes, problem_text
from agentic_rl_wizard.runner.catalogue.catalogue import Catalogue
from agentic_rl_wizard.runner.catalogue.show import printable, show_value
from agentic_rl_wizard.runner.catalogue.template import list_templates
from agentic_rl_wizard.runner.catalogue.texts import problem_catalogue
from agentic_rl_wizard.runner.catalogue.values import validate_value
from agentic_rl_wizard.runner.catalogue.words import words

ROOT = Path(__file__).parent.parent.parent
CHINESE = re.compile(r"[\u4e00-\u9fff]")
PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def catalogue_texts(catalogue: Catalogue) -> Iterator[tuple[str, dict[str, str]]]:
    for parameter in catalogue.parameters.values():
        named = [parameter.title, parameter.help, parameter.constraint, *parameter.notes]
        named += [*parameter.without_effect.values(), *parameter.harmful.values()]
        for text in named:
            yield parameter.key, dict(text)
    for group in catalogue.groups.values():
        yield group.id, dict(group.title)
        yield group.id, dict(group.help)
    for template in list_templates():
        for text in (template.title, template.description, template.header, *template.remarks.values()):
            yield template.name, dict(text)
    for name, text in words().items():
        yield name, dict(text)


def test_every_text_has_both_languages() -> None:
    same_in_both = {"TensorBoard", "top-k", "top-p", "min-p", "token", "Agent", "GAE λ"}
    for where, text in catalogue_texts(load_catalogue()):
        assert set(text) == {"en", "zh"}, where
        assert not CHINESE.search(text["en"]), f"{where}: Chinese in the English text: {text['en']}"
        assert CHINESE.search(text["zh"]) or text["zh"] in same_in_both, f"{where}: no Chinese: {text['zh']}"


@pytest.mark.parametrize("code", problem_codes())
def test_problem_entry(code: str) -> None:
    entry = problem_catalogue()[code]
    used: set[str] = set()
    for text in entry.texts():
        in_en, in_zh = (set(PLACEHOLDER.findall(text[language])) for language in ("en", "zh"))
        assert in_en == in_zh, f"{text['en']} / {text['zh']}"
        used |= in_en
        assert text["en"].count("[?") == text["en"].count("?]") == text["zh"].count("[?") == text["zh"].count("?]")
        assert not CHINESE.search(text["en"])
    assert CHINESE.search(entry.message["zh"])


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("code", problem_codes())
def test_texts_without_and_with_every_value(code: str, lang: str) -> None:
    entry = problem_catalogue()[code]
    bare = problem_text(Problem("error", code, "lr"), lang)  # type: ignore[arg-type]
    full = problem_text(Problem("error", code, "lr", params=dict.fromkeys(entry.params, "VALUE")), lang)  # type: ignore[arg-type]
    for text in (bare, full):
        assert text.message
        assert not set("{}") & set(text.message.replace("{} +", "") + text.because) or code == "path-tree-mode"
        assert "[?" not in text.message + text.because + text.fix
        assert "?]" not in text.message + text.because + text.fix
    assert "?" not in full.message.replace("??", ""), full.message


def codes_in_the_source() -> Iterator[tuple[str, str]]:
    """Every code that is handed to Problem(...) or PlanError(...) somewhere, as far as it stands there as a text."""
    position = {"Problem": 1, "PlanError": 0}
    for room in ("runner", "wizard"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                at = position.get(getattr(node.func, "id", getattr(node.func, "attr", "")))
                if at is None:
                    continue
                arguments = [*node.args[at : at + 1], *(k.value for k in node.keywords if k.arg == "code")]
                for part in (part for argument in arguments for part in ast.walk(argument)):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", part.value


def test_every_code_in_the_source_has_texts() -> None:
    found = list(codes_in_the_source())
    assert len(found) > 8, "the search finds nothing any more"
    missing = [(where, code) for where, code in found if code not in problem_codes()]
    assert missing == []


def test_values_are_never_interpreted() -> None:
    nasty = "{key}{value}[?x?][bold]\x1b[31m\u202e" + "\n"
    text = problem_text(Problem("error", "not-a-choice", "{value}", params={"value": nasty, "choices": [nasty]}))
    assert "{key}{value}[?x?][bold]\\x1b[31m\\u202e\\n" in text.message
    assert text.message.startswith("{value}: ")
    assert "\x1b" not in text.message + text.fix
    assert "\n" not in text.message + text.fix


def test_long_values_are_shortened() -> None:
    text = problem_text(Problem("error", "file-missing", params={"path": "x" * 100_000}))
    assert len(text.message) < 500
    assert "…" in text.message
    assert len(show_value(["y" * 50] * 1000)) < 200
    assert len(show_value({"a": list(range(100_000))})) < 200


def test_odd_values_can_be_shown() -> None:
    loop: list[object] = []
    loop.append(loop)
    for value in (loop, 1 << 100_000, b"\x00", {1, 2}, float("nan"), object(), "\ud800"):
        shown = show_value(value)
        assert shown
        assert printable(shown) == shown
        shown.encode("utf-8")


def test_a_text_and_a_number_look_different() -> None:
    assert show_value("1") == '"1"'
    assert show_value(1) == "1"
    assert show_value("yes") == '"yes"'
    assert show_value(True) == "true"


def test_an_unknown_code_is_no_exception() -> None:
    text = problem_text(Problem("error", "from-a-later-version", "lr", params={"value": 3}))
    assert text.message == "lr: from-a-later-version (value=3)"


def test_values_of_a_real_problem_appear() -> None:
    (problem,) = validate_value(load_catalogue().parameters["lr"], "1e-6")
    english, chinese = problem_text(problem, "en"), problem_text(problem, "zh")
    for text in (english, chinese):
        assert '"1e-6"' in text.message
        assert "1.0e-6" in text.fix
    assert "must be a number" in english.message
    assert "数值" in chinese.message
