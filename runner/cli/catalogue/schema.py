"""`agentic-rl schema`: the JSON Schema of a target's files, with which editors complete and check."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..locale_language import default_language

USAGE = 2
TARGETS = ("agentsdk", "ascendfactory", "verl")


def add_parsers(subparsers: Any) -> None:
    """Add the subcommand; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    zh = default_language() == "zh"
    schema = subparsers.add_parser(
        "schema", help="输出目标的 JSON Schema" if zh else "print the JSON Schema of a target"
    )
    add = schema.add_argument
    add("--target", choices=TARGETS, default="agentsdk", help="目标" if zh else "whose files")
    add("--verl-version", default="", metavar="V", help="verl 版本" if zh else "version of verl")
    add("-o", "--output", default="-", metavar="FILE", help="输出文件；- 表示打印" if zh else "file to write; - prints")
    add("--force", action="store_true", help="覆盖已有文件" if zh else "overwrite the file")
    add("--lang", choices=("en", "zh"), default=default_language(), help="语言" if zh else "language")
    schema.set_defaults(run=run_schema)


def run_schema(arguments: argparse.Namespace) -> int:
    """Print or write the schema; exit code 2 when the file can't be written."""
    from ...catalogue.json_schema import json_schema
    from ...native import known_verl
    from ..usage import UsageError, write_new_file

    found = json_schema(arguments.target, arguments.lang, known_verl(arguments.verl_version))
    text = json.dumps(found, ensure_ascii=False, indent=2) + "\n"
    if arguments.output == "-":
        sys.stdout.write(text)
        return 0
    try:
        write_new_file(Path(arguments.output), text, arguments.force, arguments.lang)
    except UsageError as error:
        print(f"agentic-rl schema: {error}", file=sys.stderr)
        return USAGE
    print(f"已写入 {arguments.output}" if arguments.lang == "zh" else f"wrote {arguments.output}", file=sys.stderr)
    return 0
