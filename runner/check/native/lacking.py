"""What a native file leaves out: values without a default, and defaults that are not what they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...catalogue import Problem
from ...native import AGENTSDK_VERL, changed_defaults, default_of, is_older_than_known
from ..verl.setup import whole_run
from ..view import View
from .types import default_value

_OLD = AGENTSDK_VERL  # what documents describe
_MANDATORY = ("actor_rollout_ref.rollout.name",)


def check_lacking(view: View) -> Iterator[Problem]:
    """Missing mandatory values; one hint for all defaults that changed; a version older than those known."""
    for key in _MANDATORY:
        if not view.given(key) and view.value(key) == "???":
            level = "error" if whole_run(view) else "hint"
            yield view.problem(level, "native-mandatory-missing", (key,), {"version": view.version})
    changed = _changed(view) if whole_run(view) else []
    if changed:
        yield Problem(
            "hint", "native-defaults-changed", params={"values": changed, "version": view.version, "old": _OLD}
        )
    if is_older_than_known(view.world.verl_version):
        params = {"version": view.world.verl_version, "judged": view.version}
        yield Problem("hint", "version-not-known", params=params)


def _changed(view: View) -> list[str]:
    found: list[str] = []
    for key in changed_defaults():
        if view.given(key):
            continue
        try:
            now, before = view.default_of(key), default_of(key, _OLD)
        except KeyError:
            continue
        if default_value(now) != before:
            found.append(f"{view.file_key(key)} = {_shown(now)}")
    return found


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
