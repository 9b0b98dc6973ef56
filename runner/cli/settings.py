"""`--set KEY=VALUE`: values as YAML; for a new file they are checked against the catalogue before it is written."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

from .locale_language import pick
from .usage import UsageError

if TYPE_CHECKING:
    from ..catalogue import Catalogue, Language, Problem


def parse_settings(settings: list[str], lang: Language, family: str = "agentsdk") -> dict[str, Any]:
    """Read ``KEY=VALUE`` settings: values as YAML, checked against the catalogue.

    Raises:
        UsageError: an unknown key, a value that is no YAML, or one that the software would refuse.
    """
    from ..catalogue import load_catalogue, problem_text, validate_value

    catalogue = load_catalogue(family)
    values: dict[str, Any] = {}
    for setting in settings:
        for key, value in _given(setting, catalogue, lang):
            resolved = catalogue.resolve(key)
            if resolved is None:
                raise UsageError(_unknown_key(key, catalogue, lang))
            parameter = resolved[0]
            problems = validate_value(parameter, value)
            _report([problem for problem in problems if problem.level != "error"], lang)
            errors = [problem_text(problem, lang) for problem in problems if problem.level == "error"]
            if errors:
                raise UsageError("\n".join(f"{e.message} {e.because} {e.fix}".rstrip() for e in errors))
            values[parameter.key] = value
    return values


def _given(setting: str, catalogue: Catalogue, lang: Language) -> list[tuple[str, Any]]:
    """The keys and values of one setting; a mapping for a section (``verl={total_epochs: 2}``) gives several."""
    from ..catalogue.show import printable

    key, equals, text = setting.partition("=")
    if not equals:
        shown = printable(setting)
        raise UsageError(pick(lang, f"--set {shown}: expected KEY=VALUE", f"--set {shown}：应为 KEY=VALUE"))
    section = key in {parameter.section for parameter in catalogue.parameters.values()} and bool(key)
    if not section and catalogue.resolve(key) is None:
        raise UsageError(_unknown_key(printable(key), catalogue, lang))
    value = parse_value(key, text, lang)
    if not section:
        return [(key, value)]
    if not isinstance(value, dict) or not value:
        raise UsageError(
            pick(
                lang,
                f"--set {key}: {key} is a section; write --set {key}.KEY=VALUE, or --set '{key}={{KEY: VALUE}}'",
                f"--set {key}：{key} 是一个段，请设置其中的参数：--set {key}.KEY=VALUE 或 --set '{key}={{KEY: VALUE}}'",
            )
        )
    return [(f"{key}.{name}", item) for name, item in cast("dict[Any, Any]", value).items()]


def parse_value(key: str, text: str, lang: Language) -> Any:
    """A value as the loader reads it; what surprises there is told.

    Raises:
        UsageError: it is no YAML, or too much of it.
    """
    import yaml

    from ..catalogue import Problem, problem_text
    from ..catalogue.show import printable
    from ..document import parse_document
    from ..document.scalars import read_plain

    for problem in parse_document(text).problems:
        if problem.level == "error" and problem.code.startswith("yaml-"):
            words = problem_text(problem, lang)
            fix = "" if problem.code == "yaml-syntax" else words.fix  # which speaks of lines
            shown = printable(f"--set {key}={text}")
            no_value = pick(lang, ": no YAML value: ", "：不是合法的 YAML 值：")
            raise UsageError(f"{shown}{no_value}{words.message} {fix}".rstrip())
    value = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - safe loaders
    plain = text.partition(" #")[0].strip()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        _report([Problem("warning", code, key, params=params) for code, params in read_plain(plain).pitfalls], lang)
    return value


def _report(problems: list[Problem], lang: Language) -> None:
    from ..catalogue import problem_text

    for problem in problems:
        text = problem_text(problem, lang)
        print(f"--set: {text.message} {text.because}".rstrip(), file=sys.stderr)


def _unknown_key(key: str, catalogue: Catalogue, lang: Language) -> str:
    section, _, name = key.rpartition(".")
    near = catalogue.nearest(name, section if section in ("verl", "mindspeed_rl") else "", limit=1)
    hint = pick(lang, f"; did you mean {near[0].key}?", f"；是否想写 {near[0].key}？") if near else ""
    return pick(lang, f"--set: there is no parameter {key!r}{hint}", f"--set：没有参数 {key!r}{hint}")
