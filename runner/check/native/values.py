"""Ranges and words of verl's own keys, from the catalogue (templates/parameters/verl-native).

What depends on the version or on other keys has a relation of its own, and is left to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

from ...catalogue import Parameter, Problem, load_catalogue
from ...catalogue.nearest import closest
from ...catalogue.ranges import format_range
from ..verl import VERL_RELATIONS
from ..verl.setup import BATCH, MINI, NODES, PER_NODE, N
from ..view import View
from .given import Given
from .types import meant

# Every run divides by these or makes things of that size; the others are read by parts that may be switched off.
_ALWAYS = frozenset((MINI, NODES, PER_NODE, N, "actor_rollout_ref.rollout.tensor_model_parallel_size", BATCH))
_JUDGED = frozenset(("word-unknown", "top-p-range", "memory-share"))  # relations that judge a single value


@lru_cache(maxsize=1)
def _judged() -> frozenset[str]:
    return frozenset(relation.keys[0] for relation in VERL_RELATIONS if relation.code in _JUDGED)


@lru_cache(maxsize=16)
def parameters_by_key(version: str) -> Mapping[str, Parameter]:
    """The catalogue's parameter of each verl key that it has in a version."""
    parameters = load_catalogue("verl").parameters.values()
    return {key: parameter for parameter in parameters for key in parameter.verl_keys(version)}


def check_values(view: View, given: Iterable[Given], wrong: frozenset[str]) -> Iterator[Problem]:
    """Values outside the ranges and words of the catalogue.

    Args:
        view: the file.
        given: its keys.
        wrong: verl's keys whose value has the wrong type, which is said already.
    """
    known = parameters_by_key(view.version)
    for one in given:
        parameter, entry = known.get(one.name), view.entries.get(one.name)
        if parameter is None or entry is None or entry.key != one.key or one.name in wrong or one.name in _judged():
            continue
        if entry.value is None or (isinstance(entry.value, str) and "${" in entry.value):
            continue
        found = _found(view, parameter, one.name, entry.value)
        if found is not None:
            yield found


def _found(view: View, parameter: Parameter, name: str, value: Any) -> Problem | None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if parameter.kind in ("int", "float"):
        if number:
            return _range(view, parameter, name, cast("float", value))
        if isinstance(value, str) and not view.default_known(name):
            params = {"value": value, "expected": parameter.kind, "got": "str", "reason": "no-default"}
            better = meant(parameter.kind, value)
            edits = () if better is None else ((name, better),)
            return view.problem("warning", "native-wrong-type", (name,), params, edits)
        return None
    if parameter.choices and isinstance(value, str):
        return _word(view, parameter, name, value)
    return _harmful(view, parameter, name, value)


def _range(view: View, parameter: Parameter, name: str, value: float) -> Problem | None:
    refused = parameter.software_range or parameter.range
    if refused is None:
        return None
    params: dict[str, Any] = {"value": value, "rule": parameter.constraint}
    if not refused.holds(value):
        params |= {"range": format_range(refused), "judge": parameter.judge or "verl"}
        if name in _ALWAYS:
            return view.problem("error", "native-out-of-range", (name,), params)
        return view.problem("warning", "native-out-of-range", (name,), {**params, "reason": "where-read"})
    documented = parameter.range
    if documented is None or documented.holds(value) or view.launcher != "ascendfactory":
        return _harmful(view, parameter, name, value)
    params |= {"range": format_range(documented), "software_range": format_range(refused)}
    return view.problem("warning", "out-of-documented-range", (name,), params)


def _word(view: View, parameter: Parameter, name: str, value: str) -> Problem | None:
    choices = parameter.software_choices or parameter.choices
    if value in choices:
        return _harmful(view, parameter, name, value)
    near = closest(value, [str(choice) for choice in choices], limit=1)
    params: dict[str, Any] = {"value": value, "choices": list(choices)} | ({"nearest": near[0]} if near else {})
    edits = ((name, near[0]),) if near else ()
    return view.problem("warning", "unknown-choice", (name,), params, edits)


def _harmful(view: View, parameter: Parameter, name: str, value: Any) -> Problem | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or value not in parameter.harmful:
        return None
    return view.problem("hint", "harmful-default", (name,), {"value": value, "why": parameter.harmful[value]})
