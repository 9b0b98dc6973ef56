"""`agentic-rl convert`: a launch script, a native tree, an AscendFactory or an AgentSDK file in another form."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..locale_language import default_language, pick
from .converting import ConvertError, convert_file, report

if TYPE_CHECKING:
    from ...catalogue import Language
    from ...native.forms import Converted
    from ...native.settings import Settings

USAGE = 2
_FORMS = ("agentsdk", "ascendfactory", "verl", "verl-overrides")


def add_parsers(subparsers: Any) -> None:
    """Add the subcommand; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = default_language()
    text = partial(pick, lang)
    convert = subparsers.add_parser("convert", help=text("convert a configuration into another form", "转换配置的形式"))
    add = convert.add_argument
    add("file", metavar="FILE", help=text("configuration or launch script", "配置文件或启动脚本"))
    add("--to", required=True, choices=_FORMS, help=text("form wanted", "目标形式"))
    add("-o", "--output", default="-", metavar="FILE", help=text("file to write; - prints", "输出文件；- 表示打印"))
    add("--force", action="store_true", help=text("overwrite the file", "覆盖已有文件"))
    add("--verl-version", default="", metavar="V", help=text("version of verl", "verl 版本"))
    add("--json", action="store_true", help=text("print the report as JSON", "以 JSON 输出报告"))
    add("--lang", choices=("en", "zh"), default=lang, help=text("language", "语言"))
    convert.set_defaults(run=run_convert)


def run_convert(arguments: argparse.Namespace) -> int:
    """Convert and report; exit code 2 when the source can't be read or the target can't be written."""
    lang: Language = arguments.lang
    try:
        converted, settings = convert_file(Path(arguments.file), arguments.to, arguments.verl_version, lang)
        if arguments.output != "-":
            from ..usage import UsageError, write_new_file

            try:
                write_new_file(Path(arguments.output), converted.text, arguments.force, lang)
            except UsageError as error:
                raise ConvertError(str(error)) from error
    except ConvertError as error:
        print(f"agentic-rl convert: {error}", file=sys.stderr)
        return USAGE
    if arguments.json:
        _print_json(arguments, converted, settings)
        return 0
    if arguments.output == "-":
        sys.stdout.write(converted.text)
        sys.stdout.flush()
    for line in report(converted, settings, lang):
        print(line, file=sys.stderr)
    if arguments.output != "-":
        print(pick(lang, f"wrote {arguments.output}", f"已写入 {arguments.output}"), file=sys.stderr)
    return 0


def _print_json(arguments: argparse.Namespace, converted: Converted, settings: Settings) -> None:
    import json

    answer = {
        "to": arguments.to,
        "text": converted.text,
        "kept": converted.kept,
        "noted": converted.noted,
        "missing": converted.missing,
        "remarks": [{"kind": kind, "subject": subject} for kind, subject in settings.remarks],
    }
    print(json.dumps(answer, ensure_ascii=False, indent=2))
