"""One value of one parameter -> problems: what the software would refuse, and what only the documents forbid."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from .guess import Better, better_value, reason_for, type_name
from .nearest import closest
from .parameter import Parameter
from .problem import Edit, Level, Problem
from .ranges import format_range

if TYPE_CHECKING:
    from .schema import StrictValidator

_VALIDATORS: dict[int, tuple[Parameter, StrictValidator]] = {}
# Values found to be good: at a key press one value of a file differs from those of the press before.
_GOOD: dict[int, tuple[Parameter, set[tuple[type, Any, str]]]] = {}
_MOST_GOOD = 64  # values remembered for one parameter


def validate_value(parameter: Parameter, value: Any, backend: str = "") -> list[Problem]:
    """Check one value; fast enough for every keystroke (some 0.05 ms).

    Args:
        parameter: the parameter.
        value: the value as PyYAML gives it.
        backend: ``verl`` or ``mindspeed_rl`` when known; it decides about choices that only one of them reads.

    Returns:
        The problems, with the parameter's key and no line. What the software refuses or breaks on is an error, what
        only the documents forbid a warning, what is known to spoil training a hint.
    """
    good = _good(parameter)
    mark = (cast("type", type(value)), value, backend) if isinstance(value, str | int | float) else None
    if mark is not None and mark in good:
        return []
    problems = _judge(parameter, value, backend)
    if mark is not None and not problems and len(good) < _MOST_GOOD:
        good.add(mark)
    return problems


def _judge(parameter: Parameter, value: Any, backend: str) -> list[Problem]:
    """Check one value, whatever was found before."""
    if parameter.family == "verl" and isinstance(value, str) and "${" in value:
        return []  # OmegaConf puts in the value of another key
    from .schema import broken_rules

    broken = dict.fromkeys(broken_rules(_validator(parameter), {parameter.name: value}))
    if "finite" in broken:
        broken = {"finite": None}
    problems = [problem for rule in broken if (problem := _problem(rule, parameter, value, backend)) is not None]
    if any(problem.code in ("out-of-range", "not-finite", "bad-pattern") for problem in problems):
        problems = [p for p in problems if p.level == "error"]  # the documents add nothing to what can't work anyway
    if not problems and _known(parameter.harmful, value):
        params = {"value": value, "why": parameter.harmful[value]}
        problems.append(Problem("hint", "harmful-default", parameter.key, params=params))
    return problems


def _good(parameter: Parameter) -> set[tuple[type, Any, str]]:
    found = _GOOD.get(id(parameter))
    if found is None or found[0] is not parameter:  # see `_validator`
        found = _GOOD[id(parameter)] = (parameter, set())
    return found[1]


def _validator(parameter: Parameter) -> StrictValidator:
    # Making a validator costs a hundred times what using it does. The key is the object: two catalogues (tests, an
    # edited data file) may hold different parameters of one name.
    found = _VALIDATORS.get(id(parameter))
    if found is None or found[0] is not parameter:
        from .schema import field_schema, make_validator

        found = _VALIDATORS[id(parameter)] = (parameter, make_validator({parameter.name: field_schema(parameter)}))
    return found[1]


def _problem(rule: str, parameter: Parameter, value: Any, backend: str) -> Problem | None:
    key = parameter.key
    if rule == "nullable":
        params: dict[str, Any] = {"expected": parameter.kind, "default": parameter.default.value}
        edits = () if parameter.required else (Edit("remove", key),)
        return Problem("error", "null-value", key, params=params, edits=edits)
    if rule == "type":
        return _wrong_type(parameter, value)
    if parameter.one_or_many and parameter.kind != "list" and type(value) is list:
        return None  # the rules are those of a single value
    if rule in ("interval", "documented_interval", "finite"):
        return _out_of_range(rule, parameter, value)
    if rule in ("allowed", "documented_allowed"):
        return _not_a_choice(rule, parameter, value, backend)
    if rule == "schema":
        return _bad_item(parameter, value)
    if rule == "unique":
        edits = (Edit("set", key, list(dict.fromkeys(value))),) if all(isinstance(v, str) for v in value) else ()
        return Problem("error", "not-unique", key, params={"value": value}, edits=edits)
    if rule in ("software_pattern", "documented_pattern"):
        level: Level = "error" if rule == "software_pattern" else "warning"
        code = "bad-pattern" if rule == "software_pattern" else "undocumented-pattern"
        return Problem(level, code, key, params={"value": value, "rule": parameter.constraint})
    raise AssertionError(f"no problem for the rule {rule!r}")


def _wrong_type(parameter: Parameter, value: Any) -> Problem:
    kind = parameter.kind
    params: dict[str, Any] = {"value": value, "expected": kind, "got": type_name(value)}
    reason = reason_for(kind, value) or ("verl" if parameter.family == "verl" else "")
    if reason:
        params["reason"] = reason
    better = _offer(parameter, value)
    if better is None:
        return Problem("error", "wrong-type", parameter.key, params=params)
    params["better"] = better.value
    edits = (Edit("set", parameter.key, better.value),)
    return Problem("error", "wrong-type", parameter.key, params=params, edits=edits)


def _out_of_range(rule: str, parameter: Parameter, value: Any) -> Problem:
    if rule == "finite" or (isinstance(value, float) and not math.isfinite(value)):
        return Problem("error", "not-finite", parameter.key, params={"value": value, "rule": parameter.constraint})
    documented = cast("Any", parameter.range)
    params: dict[str, Any] = {"value": value, "range": format_range(documented), "rule": parameter.constraint}
    if rule == "documented_interval":
        params["software_range"] = format_range(cast("Any", parameter.software_range))
        return Problem("warning", "out-of-documented-range", parameter.key, params=params)
    params["judge"] = parameter.judge or "AgentSDK"
    return Problem("error", "out-of-range", parameter.key, params=params)


def _not_a_choice(rule: str, parameter: Parameter, value: Any, backend: str) -> Problem | None:
    if parameter.choices_backend and backend and backend != parameter.choices_backend:
        return None
    if _known(parameter.misprints, value):
        meant = parameter.misprints[value]
        edits = (Edit("set", parameter.key, meant),)
        # A word that nothing may read (kl_loss_type without use_kl_loss) does no harm until it is read.
        unread = parameter.open_choices and bool(parameter.effective_when)
        level: Level = "warning" if unread else "error"
        return Problem(level, "misprint-value", parameter.key, params={"value": value, "meant": meant}, edits=edits)
    choices = parameter.software_choices or parameter.choices
    params: dict[str, Any] = {"value": value, "choices": list(choices)}
    if rule == "documented_allowed":
        if value not in choices:
            return None  # the rule `allowed` has said more
        params["choices"] = list(parameter.choices)
        return Problem("warning", "undocumented-choice", parameter.key, params=params)
    near = closest(str(value), [str(choice) for choice in choices], limit=1)
    edits = (Edit("set", parameter.key, near[0]),) if near else ()
    if near:
        params["nearest"] = near[0]
    if parameter.open_choices:
        return Problem("warning", "unknown-choice", parameter.key, params=params, edits=edits)
    # Without the back end one can't say that the software refuses it.
    level = "warning" if parameter.choices_backend and not backend else "error"
    return Problem(level, "not-a-choice", parameter.key, params=params, edits=edits)


def _bad_item(parameter: Parameter, value: list[Any]) -> Problem:
    key = parameter.key
    for index, item in enumerate(value):
        if not isinstance(item, str):
            params = {"value": item, "expected": parameter.items or "str", "got": type_name(item), "index": index + 1}
            if parameter.family == "verl":
                params["reason"] = "verl"
            fixed = _offer(parameter, value)
            edits = () if fixed is None else (Edit("set", key, fixed.value),)
            return Problem("error", "wrong-item-type", key, params=params, edits=edits)
    choices = list(parameter.software_choices or parameter.choices)
    wrong = [item for item in value if item not in choices]
    near = closest(wrong[0], [str(choice) for choice in choices], limit=1)
    params = {"value": wrong[0], "choices": choices}
    if not near:
        return Problem("error", "not-a-choice", key, params=params)
    params["nearest"] = near[0]
    fixed_list = list(dict.fromkeys(near[0] if item == wrong[0] else item for item in value))
    edits = (Edit("set", key, fixed_list),) if len(wrong) == 1 else ()
    return Problem("error", "not-a-choice", key, params=params, edits=edits)


def _offer(parameter: Parameter, value: Any) -> Better | None:
    """What was meant, if writing that would leave no error."""
    better = better_value(parameter, value)
    if better is None or any(problem.level == "error" for problem in validate_value(parameter, better.value)):
        return None
    return better


def _known(mapping: Any, value: Any) -> bool:
    try:
        return not isinstance(value, bool) and value in mapping
    except TypeError:  # unhashable
        return False


@lru_cache(maxsize=1)
def warm_up() -> None:
    """Import Cerberus ahead of the first keystroke; the wizard calls it while it is idle."""
    from . import schema as _schema

    del _schema
