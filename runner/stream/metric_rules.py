"""Failures that no sentence tells, only the numbers: gradients that are nan, tools that are never called."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .signatures import MetricRule, Signature


@dataclass(slots=True)
class _State:
    rule: MetricRule
    said: bool
    row: int = 0
    values: int = 0
    last: str = ""


class MetricWatch:
    """Watches over the metric rules of the catalogue; nothing but a few counters is kept."""

    def __init__(self, entries: Iterable[Signature]) -> None:
        self._states = [(one, _State(one.metric, not one.metric.phrase)) for one in entries if one.metric is not None]
        self._silent = [state for _, state in self._states if not state.said]

    def take(self, step: int, data: Mapping[str, float]) -> None:
        """Take the metrics of a step."""
        for _, state in self._states:
            key = next((key for key in state.rule.keys if key in data), None)
            if key is None:
                continue
            value = data[key]
            bad = not math.isfinite(value) if state.rule.rule == "not_finite" else value == 0
            state.values += 1
            state.row = state.row + 1 if bad else 0
            state.last = f"step {step}: {key} = {value:g}"

    def take_text(self, text: str) -> None:
        """Take a line in which the phrase of a rule may stand."""
        for state in self._silent:
            if state.rule.phrase in text:
                state.said = True

    def found(self) -> list[tuple[Signature, None, str]]:
        """(entry, no line, the last value) of the rules that hold: for their number of steps, or for all there were."""
        return [
            (one, None, state.last)
            for one, state in self._states
            if state.said and state.row >= min(state.rule.steps, max(state.values, 1)) and state.row > 0
            and (state.rule.rule == "not_finite" or state.values >= state.rule.steps)
        ]  # fmt: skip
