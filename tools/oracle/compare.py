"""Our check on the recorded configurations, beside what the releases said of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import yaml

from agentic_rl_wizard.runner.catalogue.texts import problem_catalogue
from agentic_rl_wizard.runner.check import World, check_document
from agentic_rl_wizard.runner.document.model import Document

from .records import DATA, NATIVE_REQUIRED, Configuration, Verdict, read_configurations, read_verdicts
from .space_agentsdk import values_of

_UNREAD = "shape-not-checked"
Kind = Literal["agree", "miss", "false-alarm"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One configuration and one release.

    Attributes:
        configuration: what was judged.
        verdict: what the release said.
        kind: ``miss``: refused, and we report no error that says why; ``false-alarm``: accepted, and we report an error
            that this very validation is said to raise; else ``agree``.
        reason: why it was refused (tests/oracle/reasons.yaml), or the code of the false alarm.
        errors: codes of our errors.
        beyond: codes of our errors that this validation never raises (workers, vLLM, AgentSDK's schema); kept apart.
    """

    configuration: Configuration
    verdict: Verdict
    kind: Kind
    reason: str
    errors: tuple[str, ...]
    beyond: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why verl refuses: the words it uses, and the codes of ours that say the same (empty: none of ours does)."""

    name: str
    pattern: re.Pattern[str]
    codes: frozenset[str]


def outcomes(release: str) -> Iterator[Outcome]:
    """Every recorded configuration of a release."""
    verdicts = read_verdicts(release)
    for configuration in read_configurations():
        verdict = verdicts.get(configuration.name)
        if verdict is not None:
            yield _outcome(configuration, verdict, release)


def errors_of(configuration: Configuration, release: str) -> list[str]:
    """Codes of the errors that our check reports."""
    world = World(verl_version=release)
    problems = check_document(Document(None, "", document_values(configuration)), world, "verl")
    return [problem.code for problem in problems if problem.level == "error" or problem.code == _UNREAD]


def document_values(configuration: Configuration) -> dict[str, Any]:
    """The file as a person would have it: AgentSDK's, or verl's keys as a tree and, every other time, flat."""
    if not configuration.native:
        return values_of(configuration.stored)
    flat = {**NATIVE_REQUIRED, **configuration.stored["set"]}
    if int(configuration.name[1:]) % 2:
        return flat
    tree: dict[str, Any] = {}
    for key, value in flat.items():
        *parents, name = key.split(".")
        place = tree
        for parent in parents:
            place = place.setdefault(parent, {})
        place[name] = value
    return tree


@lru_cache(maxsize=1)
def reasons() -> list[Reason]:
    """The reasons of tests/oracle/reasons.yaml, in their order; the first that matches counts."""
    entries = yaml.safe_load((DATA / "reasons.yaml").read_text(encoding="utf-8"))
    return [Reason(name, re.compile(e["words"]), frozenset(e.get("codes", ()))) for name, e in entries.items()]


def reason_of(verdict: Verdict) -> Reason | None:
    """Why it was refused; None for words that no reason knows."""
    text = f"{verdict.stage}: {verdict.type}: {verdict.message}"
    return next((reason for reason in reasons() if reason.pattern.search(text)), None)


def _outcome(configuration: Configuration, verdict: Verdict, release: str) -> Outcome:
    errors = errors_of(configuration, release)
    if _UNREAD in errors:  # a shape that our check does not read at all
        kind: Kind = "agree" if verdict.stage == "accept" else "miss"
        return Outcome(configuration, verdict, kind, "" if kind == "agree" else _UNREAD, (), ())
    catalogue = problem_catalogue()
    judged = [code for code in errors if catalogue[code].judge == "validate_config"]
    beyond = tuple(code for code in errors if code not in judged)
    kind, reason = "agree", ""
    if verdict.stage == "accept":
        if judged:
            kind, reason = "false-alarm", judged[0]
    else:
        found = reason_of(verdict)
        reason = found.name if found is not None else "unknown-words"
        if found is None or not found.codes & set(errors):
            kind = "miss"
    return Outcome(configuration, verdict, kind, reason, tuple(errors), beyond)


def count(found: list[Outcome], kind: str) -> Counter[str]:
    """Reason -> how many outcomes of a kind."""
    return Counter(outcome.reason for outcome in found if outcome.kind == kind)
