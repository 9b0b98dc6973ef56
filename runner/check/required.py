"""What must be there: parameters without a default, and the section of the back end."""

from __future__ import annotations

from collections.abc import Iterator

from ..catalogue import Problem
from ..native.generation import GENERATION_A
from .case import SECTION_NAMES, Case


def check_required(case: Case) -> Iterator[Problem]:
    """Missing parameters and sections, and the section that nobody will use."""
    if case.generation == "A":
        for name in sorted(GENERATION_A - set(case.document.values)):
            yield case.problem("error", "required-missing", name, {"section": "", "name": name})
        return
    missing_section = False
    if not _present(case, case.backend) and "train_backend" in case.found and "train_backend" not in case.broken:
        # Keys that have only lost their indentation will make the section once they are moved.
        missing_section = not any(f.misplaced and f.parameter.section == case.backend for f in case.found.values())
        if missing_section:
            where = case.backend if case.backend in case.document.places else "train_backend"
            problem = case.problem("error", "section-missing", where, {"section": case.backend})
            yield problem
    for parameter in case.catalogue.parameters.values():
        if not parameter.required_for(case.target) or parameter.key in case.found:
            continue
        section = parameter.section
        if (
            section
            and (section != case.backend or missing_section)
            and not (case.target == "agentsdk" and _present(case, section))
        ):
            continue
        params = {"section": section, "name": parameter.name}
        yield case.problem("error", "required-missing", parameter.key, params, at="key")
    for name in SECTION_NAMES:
        if name != case.backend and _present(case, name):
            yield case.problem("hint", "unused-section", name, {"section": name, "backend": case.backend}, at="key")


def _present(case: Case, section: str) -> bool:
    return case.document.values.get(section) is not None
