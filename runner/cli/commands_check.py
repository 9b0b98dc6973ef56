"""`agentic-rl check`: every mistake of a configuration, in one pass, before anything is started."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .locale_language import default_language

if TYPE_CHECKING:
    from ..catalogue import Language, Problem
    from ..document import Document
    from ..facts.machine import Machine
    from ..facts.training import TrainingFacts
    from .check_report import FileReport

TARGETS = ("agentsdk", "verl", "local", "mindspeed-rl")
_UNREADABLE = frozenset(("file-missing", "file-is-directory", "file-unreadable"))


def add_parsers(subparsers: Any) -> None:
    """Add the subcommand; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = default_language()
    check = subparsers.add_parser(
        "check",
        help=_text(lang, "find every mistake of a configuration", "找出配置中的所有错误"),
        epilog=_text(
            lang,
            "Exit code: 0 no error, 1 an error (with --strict also a warning), 2 a file can't be read.",
            "退出码：0 无错误，1 有错误（加 --strict 时含警告），2 文件无法读取。",
        ),
    )
    add = check.add_argument
    add("files", nargs="+", metavar="FILE", help=_text(lang, "configuration files", "配置文件"))
    add("--json", action="store_true", help=_text(lang, "print JSON", "输出 JSON"))
    add("--machine", metavar="FILE", help=_text(lang, "profile of the machine it will run on", "运行机器的描述文件"))
    add("--target", choices=TARGETS, help=_text(lang, "what will start the file", "由谁启动该文件"))
    add(
        "--backend-version",
        default="",
        metavar="V",
        help=_text(lang, "version of AgentSDK or MindSpeed-RL", "AgentSDK 或 MindSpeed-RL 版本"),
    )
    add("--verl-version", default="", metavar="V", help=_text(lang, "version of verl", "verl 版本"))
    add("--python", metavar="P", help=_text(lang, "interpreter of the training environment", "训练环境的 Python"))
    add("--no-paths", action="store_true", help=_text(lang, "look at no path and no data", "不检查路径与数据"))
    add("--strict", action="store_true", help=_text(lang, "warnings count as errors", "警告视为错误"))
    add("--lang", choices=("en", "zh"), default=lang, help=_text(lang, "language", "语言"))
    check.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> int:
    """Check the files and print the report.

    Returns:
        0 no error, 1 an error (with ``--strict`` also a warning), 2 a file or the profile can't be read.
    """
    from .check_report import as_json, write_report

    lang: Language = arguments.lang
    try:
        machine = read_machine(Path(arguments.machine)) if arguments.machine else None
    except ValueError as error:
        print(f"agentic-rl check: {error}", file=sys.stderr)
        return 2
    reports = [check_file(file, arguments, machine) for file in arguments.files]
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if arguments.json:
        print(as_json(reports, lang))
    else:
        write_report(reports, lang, sys.stdout)
    if any(problem.code in _UNREADABLE for report in reports for problem in report.problems):
        return 2
    failed = any(not report.ok or (arguments.strict and report.count("warning")) for report in reports)
    return 1 if failed else 0


def check_file(file: str, arguments: argparse.Namespace, machine: Machine | None = None) -> FileReport:
    """Read one file, look around as far as the arguments allow, and check it."""
    from ..check import World, check_document, target_of
    from ..document import read_document
    from .check_report import FileReport
    from .facts_for import facts_for, with_versions

    document = read_document(file)
    target: str = arguments.target or target_of(document)
    training: TrainingFacts | None = None
    world = World()
    if not arguments.no_paths and document.readable:
        base = Path(file).absolute().parent
        training = _training(document, base, target, arguments.python)
        world = facts_for(document, base, training, target)
    world = with_versions(world, training, arguments.backend_version, arguments.verl_version, target=target)
    problems = check_document(document, replace(world, machine=machine), target)
    return FileReport(file, target, document, [*_interpreter(arguments.python, training), *problems])


def read_machine(path: Path) -> Machine:
    """A machine profile (design 9).

    Raises:
        ValueError: it can't be read, or its values have other types.
    """
    from ..document import read_document
    from ..facts.machine import Machine

    document = read_document(path)
    if not document.readable:
        from ..catalogue import problem_text

        raise ValueError(f"{path}: {problem_text(document.problems[0]).message}")
    accelerator = document.get("accelerator", "npu")
    if accelerator not in ("npu", "gpu", "cpu"):
        raise ValueError(f"{path}: accelerator: npu, gpu or cpu is expected")
    numbers: dict[str, float] = {}
    for name, default in (("devices_per_node", 8), ("cpus_per_node", 0), ("memory_gib", 0)):
        value = document.get(name, default)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or value < 0:
            raise ValueError(f"{path}: {name}: a number is expected")
        numbers[name] = value
    devices, memory = int(numbers["devices_per_node"]), float(numbers["memory_gib"])
    return Machine(accelerator, devices, devices, int(numbers["cpus_per_node"]), memory, memory, 0.0)


def _training(document: Document, base: Path, target: str, python: str | None) -> TrainingFacts | None:
    """Ask the training interpreter about the data files that are there; None when there is nothing to ask."""
    from ..facts.training import default_python, probe_training
    from .facts_for import data_files

    files = [file for file in data_files(document, base, target).values() if _is_file(file)]
    if not files and not python:
        return None
    return probe_training(default_python(python), files)


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def _interpreter(python: str | None, training: TrainingFacts | None) -> list[Problem]:
    # Only one that was named is worth a word: without an answer the data are simply not looked into.
    from ..catalogue import Problem

    if python and training is not None and training.problem:
        return [Problem("warning", "python-missing", params={"python": python, "error": training.problem})]
    return []


def _text(lang: Language, english: str, chinese: str) -> str:
    return chinese if lang == "zh" else english
