"""`agentic-rl explain`, `templates` and `new`: what a configuration is, and a first one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..locale_language import default_language, pick

if TYPE_CHECKING:
    from ...catalogue import Catalogue, Language, Problem

USAGE = 2


class UsageError(Exception):
    """The command line asks for something that can't be done; the text is for the user."""


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


def parse_settings(settings: list[str], lang: Language, family: str = "agentsdk") -> dict[str, Any]:
    """Read ``KEY=VALUE`` settings: values as YAML, checked against the catalogue.

    Raises:
        UsageError: an unknown key, a value that is no YAML, or one that the software would refuse.
    """
    from ...catalogue import load_catalogue, problem_text, validate_value

    catalogue = load_catalogue(family)
    values: dict[str, Any] = {}
    for setting in settings:
        for key, value in _given(setting, catalogue, lang):
            resolved = catalogue.resolve(key)
            if resolved is None:
                raise UsageError(_unknown_key(key, catalogue, lang))
            parameter = resolved[0]
            problems = validate_value(parameter, value)
            _report([problem for problem in problems if problem.level != "error"], lang)
            errors = [problem_text(problem, lang) for problem in problems if problem.level == "error"]
            if errors:
                raise UsageError("\n".join(f"{e.message} {e.because} {e.fix}".rstrip() for e in errors))
            values[parameter.key] = value
    return values


def _given(setting: str, catalogue: Catalogue, lang: Language) -> list[tuple[str, Any]]:
    """The keys and values of one setting; a mapping for a section (``verl={total_epochs: 2}``) gives several."""
    from ...catalogue.show import printable

    key, equals, text = setting.partition("=")
    if not equals:
        shown = printable(setting)
        raise UsageError(pick(lang, f"--set {shown}: expected KEY=VALUE", f"--set {shown}：应为 KEY=VALUE"))
    section = key in {parameter.section for parameter in catalogue.parameters.values()} and bool(key)
    if not section and catalogue.resolve(key) is None:
        raise UsageError(_unknown_key(printable(key), catalogue, lang))
    value = parse_value(key, text, lang)
    if not section:
        return [(key, value)]
    if not isinstance(value, dict) or not value:
        raise UsageError(
            pick(
                lang,
                f"--set {key}: {key} is a section; write --set {key}.KEY=VALUE, or --set '{key}={{KEY: VALUE}}'",
                f"--set {key}：{key} 是一个段，请设置其中的参数：--set {key}.KEY=VALUE 或 --set '{key}={{KEY: VALUE}}'",
            )
        )
    return [(f"{key}.{name}", item) for name, item in cast("dict[Any, Any]", value).items()]


def write_new_file(path: Path, text: str, force: bool, lang: Language) -> None:
    """Write a file in one piece with mode 640 (``document.write_atomically``); with ``force`` one that is there too.

    Raises:
        UsageError: the file exists and ``force`` is false, or it can't be written.
    """
    from ...document import write_atomically

    if not path.name or path.is_dir():
        raise UsageError(pick(lang, f"{path} is a directory", f"{path} 是目录"))
    try:
        write_atomically(path, text, new=not force)
    except FileExistsError as error:
        raise UsageError(
            pick(lang, f"{path} exists; --force overwrites it", f"{path} 已存在；使用 --force 覆盖")
        ) from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error


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


def _unknown_key(key: str, catalogue: Catalogue, lang: Language) -> str:
    section, _, name = key.rpartition(".")
    near = catalogue.nearest(name, section if section in ("verl", "mindspeed_rl") else "", limit=1)
    hint = pick(lang, f"; did you mean {near[0].key}?", f"；是否想写 {near[0].key}？") if near else ""
    return pick(lang, f"--set: there is no parameter {key!r}{hint}", f"--set：没有参数 {key!r}{hint}")


def parse_value(key: str, text: str, lang: Language) -> Any:
    """A value as the loader reads it; what surprises there is told.

    Raises:
        UsageError: it is no YAML, or too much of it.
    """
    import yaml

    from ...catalogue import Problem, problem_text
    from ...catalogue.show import printable
    from ...document import parse_document
    from ...document.scalars import read_plain

    for problem in parse_document(text).problems:
        if problem.level == "error" and problem.code.startswith("yaml-"):
            words = problem_text(problem, lang)
            fix = "" if problem.code == "yaml-syntax" else words.fix  # which speaks of lines
            shown = printable(f"--set {key}={text}")
            no_value = pick(lang, ": no YAML value: ", "：不是合法的 YAML 值：")
            raise UsageError(f"{shown}{no_value}{words.message} {fix}".rstrip())
    value = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - safe loaders
    plain = text.partition(" #")[0].strip()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        _report([Problem("warning", code, key, params=params) for code, params in read_plain(plain).pitfalls], lang)
    return value


def _report(problems: list[Problem], lang: Language) -> None:
    from ...catalogue import problem_text

    for problem in problems:
        text = problem_text(problem, lang)
        print(f"agentic-rl new: {text.message} {text.because}".rstrip(), file=sys.stderr)


def _print_json(value: Any) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False, indent=2))


def _language_option(parser: argparse.ArgumentParser, lang: Language) -> None:
    parser.add_argument("--lang", choices=("en", "zh"), default=lang, help=pick(lang, "language", "语言"))


def _columns() -> int:
    import shutil

    return max(40, min(120, shutil.get_terminal_size((100, 24)).columns))
