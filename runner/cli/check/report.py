"""The report of `agentic-rl check`: sentences for people, JSON for programs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from ...catalogue import Language, Level, Problem, ProblemText, problem_text
from ...catalogue.show import printable

if TYPE_CHECKING:
    from ...document import Document

_COLOURS: dict[Level, str] = {"error": "31", "warning": "33", "hint": "36"}
_WORDS: dict[Level, tuple[str, str, str]] = {
    "error": ("error", "errors", "错误"),
    "warning": ("warning", "warnings", "警告"),
    "hint": ("hint", "hints", "提示"),
}
_LEVELS: tuple[Level, ...] = ("error", "warning", "hint")


@dataclass(frozen=True, slots=True)
class FileReport:
    """What was found in one file."""

    file: str
    target: str
    document: Document
    problems: Sequence[Problem]

    @property
    def ok(self) -> bool:
        """Whether nothing is an error."""
        return not self.count("error")

    def count(self, level: Level) -> int:
        """How many problems have that level."""
        return sum(problem.level == level for problem in self.problems)


def as_json(reports: Sequence[FileReport], lang: Language) -> str:
    """The report as JSON (design 9)."""
    files = [
        {
            "file": report.file,
            "target": report.target,
            "ok": report.ok,
            "problems": [_entry(problem, lang) for problem in report.problems],
        }
        for report in reports
    ]
    text = json.dumps({"files": files}, ensure_ascii=False, indent=2)
    # What a terminal might obey, or an encoding refuse, can only be inside strings, where JSON has a way to write it.
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def write_report(reports: Sequence[FileReport], lang: Language, stream: TextIO) -> None:
    """The report as text; coloured only on a terminal that wants it."""
    for report in reports:
        write_problems(report.file, report.problems, lang, stream)
        stream.write(_summary(report, lang) + "\n")
    if len(reports) > 1:
        stream.write(_total(reports, lang) + "\n")


def write_problems(file: str, problems: Iterable[Problem], lang: Language, stream: TextIO) -> None:
    """The problems of one file, a paragraph each."""
    colour = wants_colour(stream)
    for problem in problems:
        stream.write(_lines(file, problem, lang, colour))


def wants_colour(stream: TextIO) -> bool:
    """Colour is for terminals, and for those who have not asked to be spared (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _entry(problem: Problem, lang: Language) -> dict[str, Any]:
    text = problem_text(problem, lang)
    return {
        "level": problem.level,
        "code": problem.code,
        "key": problem.key,
        "line": problem.line,
        "column": problem.column,
        "message": text.message,
        "because": text.because,
        "fix": text.fix or None,
    }


def _lines(file: str, problem: Problem, lang: Language, colour: bool) -> str:
    text: ProblemText = problem_text(problem, lang)
    where = printable(file, 0)
    if problem.line:
        where += f":{problem.line}:{problem.column}"
    level = _WORDS[problem.level][2 if lang == "zh" else 0]
    if colour:
        level = f"\x1b[{_COLOURS[problem.level]}m{level}\x1b[0m"
    because, fix = ("原因：", "处理：") if lang == "zh" else ("because: ", "fix: ")
    lines = [f"{where}: {level} {problem.code}: {text.message}"]
    lines += [f"    {label}{part}" for label, part in ((because, text.because), (fix, text.fix)) if part]
    return "\n".join(lines) + "\n"


def _summary(report: FileReport, lang: Language) -> str:
    file = printable(report.file, 0)
    counts = _counts({level: report.count(level) for level in _LEVELS}, lang)
    if lang == "zh":
        return f"{file}：{counts or '未发现问题'}（目标 {report.target}）"
    return f"{file}: {counts or 'no problems'} (target {report.target})"


def _total(reports: Sequence[FileReport], lang: Language) -> str:
    counts = _counts({level: sum(report.count(level) for report in reports) for level in _LEVELS}, lang)
    if lang == "zh":
        return f"共 {len(reports)} 个文件：{counts or '未发现问题'}"
    return f"{len(reports)} files: {counts or 'no problems'}"


def _counts(numbers: dict[Level, int], lang: Language) -> str:
    if lang == "zh":
        return "，".join(f"{number} 个{_WORDS[level][2]}" for level, number in numbers.items() if number)
    return ", ".join(f"{number} {_WORDS[level][number != 1]}" for level, number in numbers.items() if number)
