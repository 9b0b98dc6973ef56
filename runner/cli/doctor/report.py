"""The doctor's findings in words: as JSON data, and as lines for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from ...catalogue.findings import fill
from ...catalogue.problem import Language
from ...catalogue.wrap import width, wrap
from ...doctor import Finding, Level, Scene
from ...doctor.judge import entry_of
from ...process.masking import mask_text
from .texts import say

_COLOURS: Mapping[Level, str] = {"error": "31;1", "warning": "33", "hint": "36", "ok": "32"}
_LEVEL_COLUMNS = 9
_LEAST, _MOST = 60, 100
_COMMAND = re.compile(r"(?:export|unset|source|pip|sudo|VLLM_\w+=)\b[^;,()，；（）]*\Z")


def as_json(scene: Scene, findings: Sequence[Finding], lang: Language) -> dict[str, Any]:
    """What ``doctor --json`` prints (docs/en/doctor.md); secrets are masked."""
    return {
        "ok": not any(finding.level == "error" for finding in findings),
        "findings": [_row(finding, lang) for finding in findings],
        "versions": versions_of(scene),
    }


def versions_of(scene: Scene) -> dict[str, str]:
    """Packages of the training interpreter, its Python, driver, firmware, CANN and kernel, where they are known."""
    system = {
        "python": scene.software.version,
        "driver": scene.ascend.driver,
        "firmware": scene.ascend.firmware,
        "cann": scene.ascend.cann,
        "kernel": scene.system.kernel,
    }
    return {name: version for name, version in {**scene.software.versions, **system}.items() if version}


def _row(finding: Finding, lang: Language) -> dict[str, Any]:
    entry = entry_of(finding)
    seen, because, cure = (
        mask_text(fill(text[lang], finding.params, lang)) for text in (entry.seen, entry.because, entry.cure)
    )
    return {
        "id": finding.id,
        "level": finding.level,
        "group": entry.group,
        "subject": mask_text(finding.subject),
        "seen": seen,
        "because": because,
        "cure": cure,
        "source": finding.source or entry.source,
    }


def report(
    findings: Sequence[Finding], lang: Language, columns: int = 80, *, colour: bool = False, quiet: bool = False
) -> list[str]:
    """Lines for people: groups, and under each what was seen, with why and cure where something is wrong.

    Args:
        findings: in the order of `judge`.
        lang: ``en`` or ``zh``.
        columns: of the terminal.
        colour: whether the levels may be coloured.
        quiet: leave out what is well.
    """
    columns = max(_LEAST, min(columns, _MOST))
    shown = [finding for finding in findings if not quiet or finding.level != "ok"]
    lines: list[str] = []
    for group, members in groupby(shown, key=lambda finding: entry_of(finding).group):
        lines += ["", say(f"group.{group}", lang)]
        for finding in members:
            lines += _lines(finding, lang, columns, colour)
    return [*lines[1:], *([""] if lines else []), summary(findings, lang)]


def _lines(finding: Finding, lang: Language, columns: int, colour: bool) -> Iterator[str]:
    row = cast("dict[str, str]", _row(finding, lang))
    level = say(f"level.{finding.level}", lang)
    padding = " " * (_LEVEL_COLUMNS - width(level))
    mark = f"\x1b[{_COLOURS[finding.level]}m{level}\x1b[0m" if colour else level
    margin = " " * (_LEVEL_COLUMNS + 2)
    first, *rest = wrap(row["seen"], columns - len(margin)) or [""]
    yield f"  {mark}{padding}{first}"
    yield from (margin + line for line in rest)
    if finding.level == "ok":
        return
    for name in ("because", "cure"):
        if not row[name]:
            continue
        label = say(name, lang)
        indent = " " * width(label)
        # A command alone stays in one piece: broken, it could not be copied.
        whole = name == "cure" and _COMMAND.match(row[name])
        words = [row[name]] if whole else wrap(row[name], columns - len(margin) - len(indent))
        for number, line in enumerate(words):
            yield f"{margin}{label if number == 0 else indent}{line}"


def summary(findings: Sequence[Finding], lang: Language) -> str:
    """One sentence: how many of each level."""
    counts = {level: sum(finding.level == level for finding in findings) for level in ("error", "warning", "hint")}
    listed = [
        say(f"count.{level}.one" if count == 1 else f"count.{level}", lang, count=count)
        for level, count in counts.items()
        if count
    ]
    if counts["error"] or counts["warning"]:
        return say("sum.found", lang, listed=("，" if lang == "zh" else ", ").join(listed))
    if any(finding.id == "training-missing" for finding in findings):
        return say("sum.untrained", lang, hints=listed[0])
    return say("sum.hints", lang, hints=listed[0]) if listed else say("sum.fine", lang)
