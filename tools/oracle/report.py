"""Every disagreement of the releases named, with an example each: `python -m oracle.report [RELEASE ...]`."""

from __future__ import annotations

import sys
from collections import Counter

from .compare import Outcome, outcomes
from .records import RELEASES


def lines_of(release: str, found: list[Outcome]) -> list[str]:
    """The report on one release."""
    kinds = Counter(outcome.kind for outcome in found)
    lines = [f"verl {release}: {len(found)} judged, " + ", ".join(f"{k} {n}" for k, n in sorted(kinds.items()))]
    seen: Counter[tuple[str, str]] = Counter()
    for outcome in found:
        key = (outcome.kind, outcome.reason)
        if outcome.kind == "agree":
            continue
        seen[key] += 1
        if seen[key] == 1:
            said = outcome.verdict.message or "accepted"
            lines.append(
                f"  {outcome.kind} {outcome.reason}: {outcome.configuration.name}: {said}; ours: {outcome.errors}"
            )
    lines += [f"  {count} x {kind} {reason}" for (kind, reason), count in sorted(seen.items())]
    beyond = Counter(code for o in found if o.verdict.stage == "accept" for code in set(o.beyond))
    lines += [f"  {count} x accepted here, {code} by another judge" for code, count in sorted(beyond.items())]
    return lines


if __name__ == "__main__":
    for release in sys.argv[1:] or RELEASES:
        print("\n".join(lines_of(release, list(outcomes(release)))))
