"""CANN's environment scripts before a start on NPUs: which are read, and what is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...backends.plan import Note
from ...backends.request import Request
from ...facts.env_scripts import read_scripts, usual_scripts


def with_scripts(request: Request, named: tuple[str, ...], environ: Mapping[str, str]) -> Request:
    """The request with what the scripts change; ``named`` goes before those at the usual places."""
    if request.device != "npu" and not named:
        return request
    notes: list[Note] = []
    changed: dict[str, tuple[str, str]] = {}
    for change in read_scripts(named or usual_scripts(environ), environ):
        changed |= {name: (value, change.path) for name, value in change.changed.items()}
        if change.problem:
            text = {language: words.format(problem=change.problem) for language, words in _UNREAD.items()}
            notes.append(Note("info", change.path, text))
    environment = {**request.environment, **{name: value for name, (value, _) in changed.items()}}
    return replace(request, environment=environment, script_environment=changed, notes=(*request.notes, *notes))


_UNREAD = {"en": "not sourced: {problem}", "zh": "未能 source：{problem}"}
