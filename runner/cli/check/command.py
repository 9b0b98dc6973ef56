"""`agentic-rl check`: every mistake of a configuration, in one pass, before anything is started."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..locale_language import default_language, pick

if TYPE_CHECKING:
    from ...catalogue import Language, Problem
    from ...document import Document
    from ...facts.training import TrainingFacts
    from .machine_profile import MachineProfile
    from .report import FileReport

TARGETS = ("agentsdk", "ascendfactory", "verl", "local", "mindspeed-rl")
_UNREADABLE = frozenset(("file-missing", "file-is-directory", "file-special", "file-unreadable"))


def add_parsers(subparsers: Any) -> None:
    """Add the subcommand; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = default_language()
    check = subparsers.add_parser(
        "check",
        help=pick(lang, "find every mistake of a configuration", "找出配置中的所有错误"),
        epilog=pick(
            lang,
            "Exit code: 0 no error, 1 an error (with --strict also a warning), 2 a file can't be read.",
            "退出码：0 无错误，1 有错误（加 --strict 时含警告），2 文件无法读取。",
        ),
    )
    add = check.add_argument
    add("files", nargs="+", metavar="FILE", help=pick(lang, "configuration files", "配置文件"))
    add("--json", action="store_true", help=pick(lang, "print JSON", "输出 JSON"))
    machine_help = pick(lang, "the machine it will run on: a profile or its name", "运行机器：描述文件或内置名称")
    add("--machine", metavar="FILE|NAME", help=machine_help)
    add("--target", choices=TARGETS, help=pick(lang, "what will start the file", "由谁启动该文件"))
    add(
        "--backend-version",
        default="",
        metavar="V",
        help=pick(
            lang,
            "version of AgentSDK (or its generation, A to E) or of MindSpeed-RL",
            "AgentSDK 的版本（或 A 至 E 代）或 MindSpeed-RL 的版本",
        ),
    )
    add("--verl-version", default="", metavar="V", help=pick(lang, "version of verl", "verl 版本"))
    add("--python", metavar="P", help=pick(lang, "interpreter of the training environment", "训练环境的 Python"))
    add("--no-paths", action="store_true", help=pick(lang, "look at no path and no data", "不检查路径与数据"))
    add("--strict", action="store_true", help=pick(lang, "warnings count as errors", "警告视为错误"))
    add("--lang", choices=("en", "zh"), default=lang, help=pick(lang, "language", "语言"))
    check.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> int:
    """Check the files and print the report.

    Returns:
        0 no error, 1 an error (with ``--strict`` also a warning), 2 a file or the profile can't be read.
    """
    from .report import as_json, write_problems, write_report

    lang: Language = arguments.lang
    profile: MachineProfile | None = None
    if arguments.machine:
        from .machine_profile import read_profile

        profile = read_profile(arguments.machine)
        write_problems(profile.file, profile.problems, lang, sys.stderr)
        if not profile.ok:
            return 2
    reports = [check_file(file, arguments, profile) for file in arguments.files]
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


def check_file(file: str, arguments: argparse.Namespace, profile: MachineProfile | None = None) -> FileReport:
    """Read one file, look around as far as the arguments allow, and check it."""
    from ...check import World, check_document, target_of
    from ...document import read_document
    from ..gather.facts_for import facts_for, with_versions
    from ..gather.model_for import model_for
    from ..gather.patience import patient
    from .report import FileReport

    document = read_document(file)
    target: str = arguments.target or target_of(document)
    training: TrainingFacts | None = None
    world = World()
    if not arguments.no_paths and document.readable:
        base = Path(file).absolute().parent
        training = ask_training(document, base, target, arguments.python)
        world = facts_for(document, base, training, target, patient(arguments.lang == "zh"))
    elif document.readable:
        world = World(model=model_for(document, Path(), target, look=False))
    world = with_versions(world, training, arguments.backend_version, arguments.verl_version, target=target)
    if profile is not None:
        world = profile.applied_to(world)
    problems = check_document(document, world, target)
    return FileReport(file, target, document, [*_interpreter(arguments.python, training), *problems])


def ask_training(document: Document, base: Path, target: str, python: str | None) -> TrainingFacts | None:
    """Ask the training interpreter about the data files that are there; None when there is nothing to ask."""
    from ...check import shape_of
    from ...facts.training import default_python
    from ..gather.asking import ask_python
    from ..gather.facts_for import data_files, is_file, wrapper_of

    files = [file for file in data_files(document, base, target).values() if is_file(file)]
    native = shape_of(document.values) in ("verl", "ascendfactory")
    wrapper = wrapper_of(document, base, target)
    named = bool(python or os.environ.get("AGENTIC_RL_PYTHON"))
    if not files and not python and not (named and (native or wrapper)):
        return None
    return ask_python(
        default_python(python),
        files,
        verl_keys=native,
        modules=wrapper.modules() if wrapper else (),
        source=str(base / wrapper.path) if wrapper else "",
        named=named,
    )


def _interpreter(python: str | None, training: TrainingFacts | None) -> list[Problem]:
    # Only one that was named is worth a word: without an answer the data are simply not looked into.
    from ...catalogue import Problem

    if python and training is not None and training.problem:
        return [Problem("warning", "python-missing", params={"python": python, "error": training.problem})]
    return []
