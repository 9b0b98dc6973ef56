"""`make oracle`: generate the configurations, have every release of verl judge them, record the verdicts."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from . import judge, records
from .space import collect, natives
from .space_agentsdk import agentsdk

_AGENTSDK = 250


def main() -> int:
    """Renew all recordings, or those of the releases named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="*", default=records.RELEASES, help="releases of verl (default: all)")
    parser.add_argument("--keep", action="store_true", help="judge the recorded configurations instead of new ones")
    wish = parser.parse_args()
    if not wish.keep:
        records.write_configurations([*collect(agentsdk(), _AGENTSDK), *natives()])
    configurations = records.read_configurations()
    for release in wish.releases:
        start = time.monotonic()
        about, verdicts = judge.judge(release, configurations)
        records.write_verdicts(release, about, verdicts)
        stages = Counter(verdict.stage for verdict in verdicts.values())
        told = ", ".join(f"{stage} {count}" for stage, count in sorted(stages.items()))
        print(f"verl {release}: {len(verdicts)} judged in {time.monotonic() - start:.0f} s: {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
