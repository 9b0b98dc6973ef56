"""Asks the training interpreter; what it says in place of an answer is fit to be shown: no escape codes, no secrets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ParamSpec

from ...facts.training import TrainingFacts, probe_training

Asked = ParamSpec("Asked")


def _shown(ask: Callable[Asked, TrainingFacts]) -> Callable[Asked, TrainingFacts]:
    def asked(*args: Asked.args, **kwargs: Asked.kwargs) -> TrainingFacts:
        facts = ask(*args, **kwargs)
        return replace(facts, problem=clean_said(facts.problem)) if facts.problem else facts

    return asked


ask_python = _shown(probe_training)  # the same arguments and answer


def clean_said(words: str | bytes) -> str:
    """One line that another program said, as it may be shown."""
    from ...process.masking import mask_said  # milliseconds that a good answer need not pay
    from ...stream import clean_line

    return mask_said(clean_line(words))
