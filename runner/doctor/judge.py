"""All findings about a scene, the gravest of each group first."""

from __future__ import annotations

from ..catalogue.findings import GROUPS, FindingEntry, finding_entries
from ..catalogue.software_table import clashes
from .ascend import judge_ascend
from .configuration import judge_configuration
from .devices import judge_devices
from .finding import LEVELS, Finding, Scene
from .limits import judge_limits
from .network import judge_network
from .python import judge_python
from .software import judge_software
from .storage import judge_storage

_JUDGES = (
    *(judge_configuration, judge_python, judge_software, judge_ascend, judge_devices),
    *(judge_network, judge_limits, judge_storage),
)


def judge(scene: Scene) -> list[Finding]:
    """Judge everything; findings in the order of the groups, in each of them by level."""
    found = [finding for one in _JUDGES for finding in one(scene)]
    return sorted(found, key=lambda finding: (GROUPS.index(entry_of(finding).group), LEVELS.index(finding.level)))


def entry_of(finding: Finding) -> FindingEntry:
    """The sentences of a finding."""
    clash = clashes().get(finding.id)
    return clash.entry if clash is not None else finding_entries()[finding.id]
