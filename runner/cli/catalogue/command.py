"""`agentic-rl explain`, `templates` and `new`: what a configuration is, and a first one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..locale_language import default_language, pick
from ..settings import parse_settings
from ..usage import UsageError, write_new_file

if TYPE_CHECKING:
    from ...catalogue import Language

USAGE = 2


def add_parsers(subparsers: Any) -> None:
    """Add the subcommands; each sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = default_language()
    explain = subparsers.add_parser(
        "explain", help=pick(lang, "explain a parameter or a problem code", "解释参数或问题代码")
    )
    explain.add_argument(
        "subject",
        metavar="KEY|CODE",
        help=pick(lang, "a key, a verl key or a problem code", "参数名、verl 键或问题代码"),
    )
    _language_option(explain, lang)
    explain.add_argument("--json", action="store_true", help=pick(lang, "print JSON", "输出 JSON"))
    explain.set_defaults(run=run_explain)

    templates = subparsers.add_parser("templates", help=pick(lang, "list the templates", "列出模板"))
    _language_option(templates, lang)
    templates.add_argument("--json", action="store_true", help=pick(lang, "print JSON", "输出 JSON"))
    templates.set_defaults(run=run_templates)

    new = subparsers.add_parser("new", help=pick(lang, "write a configuration from a template", "由模板生成配置文件"))
    new.add_argument(
        "template", nargs="?", default="agentsdk-verl", help=pick(lang, "name of the template", "模板名称")
    )
    new.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help=pick(lang, "file to write; - prints", "输出文件；- 表示打印"),
    )
    new.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help=pick(lang, "set a value", "设置参数值")
    )
    new.add_argument("--minimal", action="store_true", help=pick(lang, "only the essential keys", "只含必要参数"))
    new.add_argument(
        "--no-schema",
        action="store_true",
        help=pick(lang, "write no JSON Schema for editors beside it", "不在旁边写出供编辑器使用的 JSON Schema"),
    )
    new.add_argument("--force", action="store_true", help=pick(lang, "overwrite the file", "覆盖已有文件"))
    _language_option(new, lang)
    new.set_defaults(run=run_new)


def run_explain(arguments: argparse.Namespace) -> int:
    """Print what is known about a key or a code; exit code 2 when it is unknown."""
    from ...catalogue.explain import explain, render_json, render_plain

    explanation = explain(arguments.subject, arguments.lang)
    if arguments.json:
        _print_json(render_json(explanation))
    else:
        text = render_plain(explanation, arguments.lang, columns=_columns())
        (sys.stdout if explanation.found else sys.stderr).write(text)
    return 0 if explanation.found else USAGE


def run_templates(arguments: argparse.Namespace) -> int:
    """List the templates."""
    from ...catalogue import list_templates
    from ...catalogue.wrap import wrap

    templates = list_templates()
    if arguments.json:
        _print_json([{"name": t.name, "target": t.target, "title": t.title[arguments.lang]} for t in templates])
        return 0
    for template in templates:
        print(f"{template.name}  ({template.target})")
        for line in wrap(template.description[arguments.lang], _columns() - 4):
            print(f"    {line}")
    return 0


def run_new(arguments: argparse.Namespace) -> int:
    """Write a configuration from a template."""
    from ...catalogue import load_template, render_template

    try:
        template = _template_name(arguments.template, arguments.lang)
        values = parse_settings(arguments.set, arguments.lang, load_template(template).family)
        text = render_template(template, arguments.lang, values, arguments.minimal)
        if arguments.output == "-":
            sys.stdout.write(text)
            return 0
        path = Path(arguments.output)
        write_new_file(path, text, arguments.force, arguments.lang)
        if not arguments.no_schema:
            write_schema(path.parent, load_template(template).target, arguments.lang)
    except UsageError as error:
        print(f"agentic-rl new: {error}", file=sys.stderr)
        return USAGE
    print(pick(arguments.lang, f"wrote {path}", f"已写入 {path}"), file=sys.stderr)
    return 0


def write_schema(folder: Path, target: str, lang: Language) -> None:
    """Write the JSON Schema that the modeline of a new file names, where it is not there already.

    A folder that can't be written to is no reason to fail: the file itself is complete without it.
    """
    import json

    from ...catalogue.json_schema import json_schema
    from ...catalogue.render import schema_file

    path = folder / schema_file(target)
    if path.exists():
        return
    found = json_schema("agentsdk" if target == "local" else target, lang)
    try:
        path.parent.mkdir(mode=0o750, exist_ok=True)
        write_new_file(path, json.dumps(found, ensure_ascii=False, indent=1) + "\n", False, lang)
    except (OSError, UsageError):
        return


def _template_name(name: str, lang: Language) -> str:
    from ...catalogue import list_templates
    from ...catalogue.nearest import closest

    names = [template.name for template in list_templates()]
    if name in names:
        return name
    near = closest(name, names, limit=1)
    hint = pick(lang, f"; did you mean {near[0]}?", f"；是否想用 {near[0]}？") if near else ""
    listed = ", ".join(names)
    raise UsageError(
        pick(lang, f"there is no template {name!r}{hint} Known: {listed}", f"没有模板 {name!r}{hint}可用：{listed}")
    )


def _print_json(value: Any) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False, indent=2))


def _language_option(parser: argparse.ArgumentParser, lang: Language) -> None:
    parser.add_argument("--lang", choices=("en", "zh"), default=lang, help=pick(lang, "language", "语言"))


def _columns() -> int:
    import shutil

    return max(40, min(120, shutil.get_terminal_size((100, 24)).columns))
