"""What a rehearsal found, as problems of the person's own file, with line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...backends.file_keys import FileKeys
from ...catalogue import Level, Problem, load_catalogue
from ...native import value_in
from ...process.masking import mask_text
from ...process.record import LOG
from ...stream import clean_line

if TYPE_CHECKING:
    from ...document import Document
    from ...process.record import RunRecord
    from ..launch.prepare import Prepared
    from .traces import Traces

_NO_SCORER = re.compile(r"Reward function is not implemented for data_source=(.{1,200})")
_OURS = re.compile(r"\bCPU rollout\b")
_REWARD_FILES = ("reward.custom_reward_function.path", "custom_reward_function.path")
_TRAIN, _PROMPT, _RESPONSE = "data.train_files", "data.max_prompt_length", "data.max_response_length"
# Causes of the failure catalogue of which another parameter than the first is to blame: not one that was scaled.
_POINTS_AT = {"dataset-empty": _PROMPT, "column-missing": _TRAIN, "dataset-not-found": _TRAIN}
_THIS_FILE = {"en": "This file", "zh": "本文件"}
_EXCERPT = 160  # characters: a random model's answers may be part of it
_SURE = 0.99  # share of the responses


def findings(record: RunRecord, prepared: Prepared, traces: Traces) -> list[Problem]:
    """Why it failed, and what is doubtful where it did not; sorted by line."""
    place = _Places(prepared.document)
    found = list(_failure(record, prepared, place)) if record.state == "failed" else []
    found += _doubts(prepared, traces, place)
    return sorted(found, key=Problem.sort_key)


class _Places:
    """Makes problems at the place of verl's keys in the file."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.keys = FileKeys(document)

    def problem(self, level: Level, code: str, key: str, params: Mapping[str, Any]) -> Problem:
        """At a key of verl."""
        return self.at(level, code, self.keys.place(key), params)

    def at(self, level: Level, code: str, file_key: str, params: Mapping[str, Any]) -> Problem:
        """At a key of the file, "" for the whole of it."""
        if not file_key:
            return Problem(level, code, "", 0, 0, {**params, "key": _THIS_FILE})
        spot = self.document.place(file_key)
        line, column = (
            (spot.value_line or spot.line, spot.value_column) if spot.value_line else (spot.line, spot.column)
        )
        return Problem(level, code, file_key, line, column, dict(params))

    def named(self, parameters: list[str]) -> str:
        """The first of the catalogue's names that the file gives, as its key; "" when it gives none."""
        return next((key for name in parameters for key in self._spellings(name)), "")

    def _spellings(self, name: str) -> Iterator[str]:
        last = name.rpartition(".")[2]
        if self.keys.native:
            yield from (key for own, key in self.keys.written.items() if f".{own}".endswith(f".{name}"))
            return
        for parameter in load_catalogue().parameters.values():
            if parameter.name == last and value_in(self.document.values, parameter)[0]:
                yield parameter.key


def _failure(record: RunRecord, prepared: Prepared, places: _Places) -> Iterator[Problem]:
    """The first cause only: what comes after it are echoes."""
    if not record.causes:
        return
    cause = record.causes[0]
    excerpt, line = clean_line(mask_text(str(cause.get("excerpt") or "")))[:_EXCERPT], cause.get("line") or "?"
    if (match := _NO_SCORER.search(excerpt)) is not None:
        yield places.problem("error", "rehearsal-no-scorer", _TRAIN, {"source": match[1].strip(), "line": line})
    elif _OURS.search(excerpt):
        key = places.named(list(cause.get("parameters") or []))
        yield places.at("hint", "rehearsal-not-here", key, {"excerpt": excerpt, "line": line})
    elif (reward := _reward_frame(record, prepared)) is not None:
        key, place = reward
        yield places.problem("error", "rehearsal-reward-error", key, {"error": excerpt, "place": place, "line": line})
    else:
        params = {"cause": cause.get("cause"), "remedy": cause.get("remedy"), "excerpt": excerpt, "line": line}
        pointed = _POINTS_AT.get(str(cause.get("id")))
        if pointed is not None:
            yield places.problem("error", "rehearsal-failed", pointed, params)
        else:
            yield places.at("error", "rehearsal-failed", places.named(list(cause.get("parameters") or [])), params)


def _reward_frame(record: RunRecord, prepared: Prepared) -> tuple[str, str] | None:
    """The key that names the reward function's file and the last place in it that a traceback shows."""
    overrides: Mapping[str, Any] = prepared.plan.overrides if prepared.plan is not None else dict[str, Any]()
    for key in _REWARD_FILES:
        path = overrides.get(key)
        if isinstance(path, str) and path:
            frame = re.compile(rf'File "{re.escape(path)}", line (\d+)'.encode())
            try:
                lines = frame.findall((Path(record.directory) / LOG).read_bytes())
            except OSError:
                return None
            if lines:
                return key, f"{path}:{int(lines[-1])}"
    return None


def _doubts(prepared: Prepared, traces: Traces, places: _Places) -> Iterator[Problem]:
    plan, request = prepared.plan, prepared.request
    if plan is None or request is None or request.rehearsal is None:
        return
    changed = {note.key for note in plan.notes if note.kind == "scaled"}
    # Counts of tokens mean something only with the model's own tokenizer, and under the file's own limit.
    if request.rehearsal.own_tokenizer and places.keys.of(_PROMPT) not in changed:
        limit = plan.overrides.get(_PROMPT, 512)
        if traces.cut:
            params = {"count": traces.cut, "longest": traces.longest, "limit": limit}
            yield places.problem("warning", "rehearsal-prompts-cut", _PROMPT, params)
        if traces.left_out:
            level: Level = "warning" if 2 * traces.left_out > traces.read else "hint"
            params = {"left_out": traces.left_out, "total": traces.read}
            yield places.problem(level, "rehearsal-prompts-left-out", _PROMPT, params)
    if len(traces.rewards) > 1 and len(set(traces.rewards)) == 1:
        source = next((key for key in _REWARD_FILES if plan.overrides.get(key)), _TRAIN)
        params = {"count": len(traces.rewards), "value": f"{traces.rewards[0]:g}"}
        yield places.problem("hint", "rehearsal-rewards-equal", source, params)
    if traces.clipped is not None and traces.clipped >= _SURE:
        params = {"share": round(100 * traces.clipped), "limit": plan.overrides.get(_RESPONSE, "?")}
        yield places.problem("hint", "rehearsal-responses-cut", _RESPONSE, params)
