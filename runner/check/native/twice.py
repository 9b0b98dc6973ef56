"""A key that the file gives twice: once in its section, and once as a flat dotted name or with another sign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...catalogue import Problem
from ...native.flat import same_value
from ..view import View
from .given import Given


def check_twice(view: View, given: Iterable[Given]) -> Iterator[Problem]:
    """Each name that occurs again with another value; loaders differ in which one they take, here it is the last."""
    seen: dict[str, list[Given]] = {}
    for one in given:
        seen.setdefault(one.name, []).append(one)
    for name, all_of_it in seen.items():
        first, last = all_of_it[0], all_of_it[-1]
        if len(all_of_it) > 1 and "~" not in (first.sign, last.sign) and not same_value(first.value, last.value):
            params = {"name": name, "first": first.value, "last": last.value}
            yield view.problem("warning", "native-key-twice", (name,), params)
