"""Paths: document 000's rules and the stricter ones of AgentSDK's file check, from facts (facts/agentsdk.md 1.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..catalogue import Level, Problem
from .case import Case
from .model_source import family_of, stands_in
from .quick_data import QUICK_KEYS, WRAPPER, example_wrapper, quick_data_folder

if TYPE_CHECKING:
    from ..facts.paths import PathFacts

_LIMIT = 1024
_WANTED = {"file": "640", "directory": "750"}
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+\Z")
_THIS_FILE = {"en": "This file", "zh": "本文件"}


def check_paths(case: Case) -> Iterator[Problem]:
    """Every path of the file, and the file itself where agentic_rl reads it."""
    made = _made_at_start(case)
    for key, found in case.found.items():
        facts = case.world.paths.get(found.key)
        if facts is None or key in case.broken or not isinstance(found.value, str) or not case.read(key):
            continue
        if key in made:
            yield _problem(case, "hint", "path-made-at-start", found.key, {"path": facts.given})
        else:
            yield from _path(case, found.key, facts, found.parameter.path)
    if case.target != "agentsdk":
        return
    config = case.world.config
    if config is not None and config.exists:
        yield from _rules(case, "", config, "error")
    nameless = next((f for f in (config, *case.world.paths.values()) if f is not None and f.nameless), None)
    if nameless is not None:
        params = {"owner": nameless.wanted_owner, "group": nameless.wanted_group}
        yield Problem("error", "user-without-name", params=params)


def _made_at_start(case: Case) -> frozenset[str]:
    """The quick start's own model and data, where none of them is there (a start makes them, all or nothing), and
    its example's wrapper.
    """
    if case.target != "local" or quick_data_folder(case.document) is None:
        return frozenset()
    known = [facts for key in QUICK_KEYS if (facts := case.world.paths.get(case.file_key(key))) is not None]
    missing = len(known) == len(QUICK_KEYS) and not any(facts.exists or facts.error for facts in known)
    made = QUICK_KEYS if missing else frozenset[str]()
    wrapper = case.world.paths.get(case.file_key(WRAPPER))
    if wrapper is not None and not (wrapper.exists or wrapper.error) and example_wrapper(case.document) is not None:
        made |= {WRAPPER}
    return made


def _path(case: Case, key: str, facts: PathFacts, expected: str) -> Iterator[Problem]:
    if facts.error:
        yield _problem(case, "error", "path-unreadable", key, {"path": facts.given, "error": facts.error})
    elif not facts.exists and key == "tokenizer_name_or_path" and stands_in(case.document, case.target):
        yield _problem(case, "hint", "model-stand-in", key, {"path": facts.given, "family": family_of(facts.given)})
    elif not facts.exists:
        # A model may be named by its repository; verl then downloads it, agentic_rl never does.
        hub = key == "tokenizer_name_or_path" and case.target != "agentsdk" and _HUB_NAME.match(facts.given)
        yield _problem(case, "warning" if hub else "error", "path-missing", key, {"path": facts.given})
    elif facts.kind not in _WANTED:
        yield _problem(case, "error", "path-special", key, {"path": facts.given, "got": facts.kind})
    elif expected in _WANTED and facts.kind != expected:
        params = {"path": facts.given, "expected": expected, "got": facts.kind}
        yield _problem(case, "error", "path-wrong-kind", key, params)
    if facts.exists and facts.kind in _WANTED:
        levels: dict[str, Level] = {"agentsdk": "error", "verl": "warning"}
        yield from _rules(case, key, facts, levels.get(case.target, "hint"))
    elif case.target == "agentsdk":
        yield from _spelling(case, key, facts)


def _rules(case: Case, key: str, facts: PathFacts, level: Level) -> Iterator[Problem]:
    given = facts.given
    if case.target == "agentsdk":
        yield from _spelling(case, key, facts)
    if facts.link:
        yield _problem(case, level, "path-is-link", key, {"path": given, "target": facts.real})
    wanted = _WANTED.get(facts.kind, "")
    if wanted and facts.mode != wanted:
        yield _problem(case, level, "path-mode", key, {"path": given, "mode": facts.mode, "wanted": wanted})
    if (facts.owner, facts.group) != (facts.wanted_owner, facts.wanted_group):
        yield _owner(case, key, facts, facts.owner, facts.group, 1, level)
    yield from _tree(case, key, facts, level)


def _spelling(case: Case, key: str, facts: PathFacts) -> Iterator[Problem]:
    """What AgentSDK refuses in the text of a path, whatever is there."""
    given = facts.given
    if facts.length > _LIMIT:
        params: dict[str, Any] = {"path": given, "length": facts.length, "limit": _LIMIT}
        yield _problem(case, "error", "path-too-long", key, params)
    if facts.bad_characters:
        shown = " ".join(repr(c) if c.isspace() else c for c in facts.bad_characters)
        yield _problem(case, "error", "path-bad-characters", key, {"path": given, "characters": shown})
    if facts.dotdot:
        yield _problem(case, "error", "path-dotdot", key, {"path": given})
    if not facts.absolute and key:  # the configuration file itself is handed over with its absolute path
        yield _problem(case, "error", "path-not-absolute", key, {"path": given, "absolute": facts.path})


def _tree(case: Case, key: str, facts: PathFacts, level: Level) -> Iterator[Problem]:
    tree = facts.tree
    if tree is None:
        return
    if not tree.complete and not tree.wrong_modes:
        yield _problem(case, "warning", "path-tree-unfinished", key, {"path": facts.given, "count": tree.entries})
    if tree.wrong_modes:
        first = tree.mode_examples[0]
        params: dict[str, Any] = {"path": facts.given, "count": tree.wrong_modes, "example": first.path}
        params |= {"mode": first.mode, "wanted": _WANTED[first.kind], "truncated": not tree.complete}
        yield _problem(case, level, "path-tree-mode", key, params)
    if tree.wrong_owners and facts.owner == facts.wanted_owner:
        first = tree.owner_examples[0]
        yield _owner(case, key, facts, first.owner, first.group, tree.wrong_owners, level, first.path)
    for broken in tree.broken[:1]:
        yield _problem(case, level, "path-missing", key, {"path": f"{facts.given.rstrip('/')}/{broken}"})
    for closed in tree.unreadable[:1]:
        yield _problem(case, "error", "path-unreadable", key, {"path": f"{facts.given.rstrip('/')}/{closed}"})


def _owner(
    case: Case, key: str, facts: PathFacts, owner: str, group: str, count: int, level: Level, below: str = ""
) -> Problem:
    path = f"{facts.given.rstrip('/')}/{below}" if below else facts.given
    params: dict[str, Any] = {"path": path, "owner": owner, "group": group, "count": count}
    params |= {"wanted_owner": facts.wanted_owner, "wanted_group": facts.wanted_group}
    return _problem(case, level, "path-owner", key, params)


def _problem(case: Case, level: Level, code: str, key: str, params: dict[str, Any]) -> Problem:
    if key:
        return case.problem(level, code, key, params)
    return Problem(level, code, "", 0, 0, {**params, "key": _THIS_FILE})
