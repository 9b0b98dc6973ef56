"""Our check against the recorded verdicts of the real validations; `make oracle` renews them, nothing is fetched."""

from __future__ import annotations

from functools import cache

import pytest
from oracle.compare import Outcome, count, outcomes, reasons
from oracle.explained import allowed, explained
from oracle.records import RELEASES, read_configurations, read_verdicts
from oracle.table import pages

from agentic_rl_wizard.runner.catalogue import problem_codes

each_release = pytest.mark.parametrize("release", RELEASES)


@cache
def found(release: str) -> list[Outcome]:
    return list(outcomes(release))


def shown(release: str, kind: str, reason: str) -> str:
    lines = [f"verl {release}, {kind}, {reason}:"]
    for outcome in found(release):
        if (outcome.kind, outcome.reason) == (kind, reason):
            said, ours = outcome.verdict.message or "accepted", ", ".join(outcome.errors) or "none"
            lines.append(f"{outcome.configuration.name}: {outcome.verdict.stage}: {said}; our errors: {ours}")
    return "\n".join(lines[:6])


@each_release
def test_500_configurations_are_recorded(release: str) -> None:
    verdicts = read_verdicts(release)
    assert set(verdicts) <= {c.name for c in read_configurations()}
    assert len(verdicts) >= 500
    assert sum(v.stage == "accept" for v in verdicts.values()) >= 200
    assert sum(v.stage in ("validate", "launch", "dataclass") for v in verdicts.values()) >= 50


@each_release
def test_overrides_of_agentsdk_files_always_compose(release: str) -> None:
    stages = {name: verdict for name, verdict in read_verdicts(release).items() if name.startswith("a")}
    assert len(stages) >= 200
    assert [name for name, verdict in stages.items() if verdict.stage in ("compose", "plan")] == []


@each_release
@pytest.mark.parametrize("kind", ["false-alarm", "miss"])
def test_no_disagreement_that_is_not_explained(release: str, kind: str) -> None:
    most = allowed(kind, release)
    more = {reason: n for reason, n in count(found(release), kind).items() if n > most.get(reason, 0)}
    assert not more, "\n".join(shown(release, kind, reason) for reason in more)


@each_release
def test_what_is_explained_is_still_there(release: str) -> None:
    for kind in ("false-alarm", "miss"):
        counted = count(found(release), kind)
        assert allowed(kind, release) == {reason: counted[reason] for reason in allowed(kind, release)}


def test_reasons_name_codes_that_exist_and_words_that_occur() -> None:
    assert {code for reason in reasons() for code in reason.codes} <= set(problem_codes())
    met = {o.reason for release in RELEASES for o in found(release) if o.verdict.stage != "accept"}
    assert {reason.name for reason in reasons()} <= met


def test_explanations_are_in_both_languages() -> None:
    for entry in explained():
        assert entry.kind in ("miss", "false-alarm")
        assert entry.why["en"].strip()
        assert entry.why["zh"].strip()


def test_the_pages_show_what_is_measured() -> None:
    for file, page in pages().items():
        assert file.read_text(encoding="utf-8") == page
