"""`agentic-rl fix`: names, levels, types and modes put right; shown first, done with --yes."""

from __future__ import annotations

import argparse
import difflib
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..locale_language import default_language, pick
from .command import TARGETS, ask_training

if TYPE_CHECKING:
    from ...catalogue import Language
    from ...document import Document
    from .repairs import ModeRepair, Repaired


def add_parsers(subparsers: Any) -> None:
    """Add the subcommand; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = default_language()
    fix = subparsers.add_parser(
        "fix",
        help=pick(lang, "put names, levels, types and modes right", "修正名称、层级、类型与权限"),
        epilog=pick(
            lang,
            "Without --yes nothing is changed. Exit code: 0 nothing (left) to fix, 1 something is, 2 it can't be done.",
            "不加 --yes 时不做任何修改。退出码：0 无需（再）修正，1 有待修正，2 无法修正。",
        ),
    )
    fix.add_argument("file", metavar="FILE", help=pick(lang, "configuration file", "配置文件"))
    fix.add_argument("--yes", action="store_true", help=pick(lang, "make the changes", "执行修改"))
    fix.add_argument("--no-paths", action="store_true", help=pick(lang, "leave modes alone", "不处理权限"))
    fix.add_argument("--target", choices=TARGETS)
    for flag, english, chinese in (
        ("--backend-version", "version of AgentSDK or MindSpeed-RL", "AgentSDK 或 MindSpeed-RL 的版本"),
        ("--verl-version", "version of verl, which decides about names", "verl 版本，决定参数名称"),
    ):
        fix.add_argument(flag, default="", metavar="V", help=pick(lang, english, chinese))
    fix.add_argument("--lang", choices=("en", "zh"), default=lang, help=pick(lang, "language", "语言"))
    fix.set_defaults(run=run_fix)


def run_fix(arguments: argparse.Namespace) -> int:
    """Show what would change, and with ``--yes`` change it.

    Returns:
        0 nothing (left) to fix, 1 something is, 2 the file can't be read or written.
    """
    from ...catalogue import problem_text
    from ...check import World, target_of
    from ...document import read_document
    from ..gather.facts_for import facts_for, with_versions
    from .repairs import mode_repairs, repaired

    lang: Language = arguments.lang
    document = read_document(arguments.file)
    if not document.readable:
        for problem in document.problems:
            text = problem_text(problem, lang)
            print(f"agentic-rl fix: {text.message} {text.fix}".rstrip(), file=sys.stderr)
        return 2
    target: str = arguments.target or target_of(document)
    base = Path(arguments.file).absolute().parent
    training = None if target == "agentsdk" else ask_training(document, base, target, None)
    versions = with_versions(World(), training, arguments.backend_version, arguments.verl_version, target=target)
    result = repaired(document.text, target, versions)
    world = World()
    if not arguments.no_paths and target == "agentsdk":  # verl itself does not ask for modes
        world = facts_for(document, base, target=target, cache=False)
    repairs = mode_repairs(world)
    _show(arguments.file, document, result, repairs, lang)
    if not result.problems and not repairs:
        return 0
    if not arguments.yes:
        print(pick(lang, "Nothing was changed; --yes makes these changes.", "未做任何修改；加 --yes 执行以上修改。"))
        return 1
    try:
        return _apply(arguments.file, document, result, repairs, lang)
    except (OSError, UnicodeError) as error:
        print(f"agentic-rl fix: {error}", file=sys.stderr)
        return 2


def backup_of(path: Path) -> Path:
    """The first free name of the form ``F.~1~``, as cp and mv number their backups."""
    number = 1
    while (candidate := path.with_name(f"{path.name}.~{number}~")).exists():
        number += 1
    return candidate


def _show(file: str, document: Document, result: Repaired, repairs: list[ModeRepair], lang: Language) -> None:
    from ...catalogue import problem_text
    from ...catalogue.show import printable

    for problem in result.problems:
        text = problem_text(problem, lang)
        print(f"{printable(file, 0)}:{problem.line}: {problem.code}: {text.message} {text.fix}")
    before, after = document.text.splitlines(), result.text.splitlines()
    for line in difflib.unified_diff(before, after, file, f"{file} (fixed)", lineterm="", n=1):
        print(printable(line, 0))
    for repair in repairs:
        for line in _mode_lines(repair, lang):
            print(line)
    if not result.problems and not repairs:
        print(pick(lang, f"{printable(file, 0)}: nothing to fix", f"{printable(file, 0)}：无需修正"))


def _mode_lines(repair: ModeRepair, lang: Language) -> list[str]:
    from ...catalogue.show import printable

    path = printable(shlex.quote(repair.path), 0)
    if repair.reason == "link":
        english = f"# {path} is a link, or lies behind one; copy it instead:"
        chinese = f"# {path} 是软链接或位于其下，请改为复制："
        return [pick(lang, english, chinese), f"cp -rL {path} NEW_PLACE"]
    lines: list[str] = []
    if repair.count:
        modes = "mode" if repair.count == 1 else "modes"
        lines.append(pick(lang, f"# {repair.count} {modes} to change", f"# 需修改 {repair.count} 项权限"))
    if repair.closes:
        lines.append(
            pick(lang, "# note: other users of this machine will lose access to it", "# 注意：本机其他用户将无法再访问")
        )
    if repair.reason == "owner":
        entries = "entry belongs" if repair.owners == 1 else "entries belong"
        english = f"# {repair.owners} {entries} to another user or group; usually root must do this:"
        chinese = f"# {repair.owners} 项的属主或属组不符，通常需要 root 执行："
        lines += [pick(lang, english, chinese), f"chown -R -h {shlex.quote(repair.owner)} {path}"]
    if repair.count and repair.directory:
        lines += [f"find {path} -type {kind} -exec chmod {mode} {{}} +" for kind, mode in (("d", "750"), ("f", "640"))]
    elif repair.count:
        lines.append(f"chmod 640 {path}")
    return lines


def _apply(file: str, document: Document, result: Repaired, repairs: list[ModeRepair], lang: Language) -> int:
    from ...document import FileChanged, write_atomically
    from .repairs import repair_modes

    path = Path(file)
    if result.text != document.text:
        backup = backup_of(path)
        try:
            write_atomically(backup, document.text)
            write_atomically(path, result.text, expected=document.text)
        except FileChanged as error:
            backup.unlink(missing_ok=True)
            print(f"agentic-rl fix: {error}", file=sys.stderr)
            return 2
        print(pick(lang, f"wrote {file}; the old text is in {backup}", f"已写入 {file}，原内容保存在 {backup}"))
    left = 0
    for repair in repairs:
        if repair.reason:
            left += 1
            continue
        count = repair_modes(repair)
        print(pick(lang, f"{repair.path}: {count} modes changed", f"{repair.path}：已修改 {count} 项权限"))
    return 1 if left else 0
