"""`agentic-rl diff`: two configurations compared by parameter, defaults resolved."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..locale_language import default_language, pick

if TYPE_CHECKING:
    from ...catalogue import Language
    from ...native.compare import Difference, Setting

USAGE = 2


def add_parsers(subparsers: Any) -> None:
    """Add the subcommand; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = default_language()
    diff = subparsers.add_parser(
        "diff",
        help=pick(lang, "compare two configurations by parameter", "按参数比较两份配置"),
        epilog=pick(lang, "Exit code: 0 they mean the same, 1 they differ, 2 one can't be read.",
                     "退出码：0 含义相同，1 有差异，2 无法读取。"),
    )  # fmt: skip
    diff.add_argument("left", metavar="A")
    diff.add_argument("right", metavar="B")
    diff.add_argument("--verl-version", default="", metavar="V", help=pick(lang, "version of verl", "verl 版本"))
    diff.add_argument(
        "--all", action="store_true", help=pick(lang, "also keys that mean the same", "也列出含义相同的参数")
    )
    diff.add_argument("--json", action="store_true", help=pick(lang, "print JSON", "输出 JSON"))
    diff.add_argument("--lang", choices=("en", "zh"), default=lang, help=pick(lang, "language", "语言"))
    diff.set_defaults(run=run_diff)


def run_diff(arguments: argparse.Namespace) -> int:
    """Compare; exit code 0 when both mean the same, 1 when they differ, 2 when one can't be read."""
    from ...native.compare import differences
    from .converting import ConvertError

    lang: Language = arguments.lang
    try:
        left, right = _sides(Path(arguments.left), Path(arguments.right), arguments.verl_version, lang)
    except ConvertError as error:
        print(f"agentic-rl diff: {error}", file=sys.stderr)
        return USAGE
    found = list(differences(left, right))
    effective = [difference for difference in found if not difference.same_in_effect]
    shown = found if arguments.all else effective
    if arguments.json:
        import json

        rows = [{"key": d.key, "a": _as_json(d.key, d.left), "b": _as_json(d.key, d.right)} for d in shown]
        print(json.dumps({"same": not effective, "differences": rows}, ensure_ascii=False, indent=2))
    else:
        _write(shown, arguments.left, arguments.right, lang)
        hidden = len(found) - len(shown)
        if hidden:
            print(
                pick(lang, f"{hidden} more mean the same (--all shows them)", f"另有 {hidden} 项含义相同（--all 显示）")
            )
    return 1 if effective else 0


def _sides(
    left: Path, right: Path, version: str, lang: Language
) -> tuple[Mapping[str, Setting], Mapping[str, Setting]]:
    """Both sides under the same names: AgentSDK's parameters when both are files of AgentSDK, else verl's keys."""
    from ...check import shape_of
    from ...document import read_document
    from ...native import AGENTSDK_VERL, NEWEST_VERL, known_verl
    from ...native.compare import keys_of, parameters_of
    from ...native.script import looks_like_script
    from .converting import read_settings

    documents = [read_document(path) for path in (left, right)]
    if all(d.readable and not looks_like_script(d.text) and shape_of(d.values) == "agentsdk" for d in documents):
        return parameters_of(documents[0]), parameters_of(documents[1])
    sides: list[Mapping[str, Setting]] = []
    for path in (left, right):
        settings, shape = read_settings(path, version, lang)
        known = known_verl(version, AGENTSDK_VERL if shape == "agentsdk" else NEWEST_VERL)
        sides.append(keys_of(settings, known))
    return sides[0], sides[1]


def _write(found: list[Difference], left: str, right: str, lang: Language) -> None:
    from ...catalogue.wrap import width

    if not found:
        print(pick(lang, "no difference", "没有差异"))
        return
    names = [Path(left).name, Path(right).name]
    if names[0] == names[1]:
        names = [left, right]
    rows = [(pick(lang, "parameter", "参数"), *names)]
    rows += [(d.key, _shown(d.key, d.left, lang), _shown(d.key, d.right, lang)) for d in found]
    widths = [max(width(row[column]) for row in rows) for column in range(3)]
    if sys.stdout.isatty() and sum(widths) + 4 > shutil.get_terminal_size().columns:
        for key, one, other in rows[1:]:
            print(f"{key}\n  - {one}\n  + {other}")
        return
    for row in rows:
        padded = [cell + " " * (size - width(cell)) for cell, size in zip(row, widths, strict=False)]
        print("  ".join([*padded, row[2]]).rstrip())


def _shown(key: str, setting: Setting, lang: Language) -> str:
    from ...catalogue.yaml_text import yaml_text
    from ...process.masking import mask_value

    if not setting.known and not setting.given:
        return "-"
    try:
        value = yaml_text(mask_value(setting.value, key))
    except TypeError:
        value = repr(setting.value)
    return value if setting.given else pick(lang, f"{value} (default)", f"{value}（默认）")


def _as_json(key: str, setting: Setting) -> dict[str, Any]:
    from ...process.masking import mask_value

    return {"value": mask_value(setting.value, key), "given": setting.given, "known": setting.known or setting.given}
