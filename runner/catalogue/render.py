"""Template -> YAML text: the file that users live in, with comments made from the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .ascendfactory import OUTPUT, TREE
from .catalogue import Catalogue, Group
from .data import CatalogueError
from .load import load_catalogue
from .parameter import Parameter
from .problem import Language
from .template import Template, load_template
from .words import word
from .wrap import width, wrap
from .yaml_text import string_text, yaml_text

COLUMNS = 100

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "set": "[SET] ",
        "default": "default: {0}",
        "differs": "default: {0} (documented: {1})",
        "optional": "absent by default",
        "unit": "in {0}",
        "file": "an existing file",
        "directory": "an existing directory",
        "any": "an existing file or directory",
        "between": " | ",
        "when": "Takes effect only while {0}.",
        "is": "{0} is {1}",
        "or": " or ",
        "and": " and ",
        "dead": "No effect here: ",
    },
    "zh": {
        "set": "【必改】",
        "default": "默认 {0}",
        "differs": "默认 {0}（文档：{1}）",
        "optional": "默认不设置",
        "unit": "单位：{0}",
        "file": "已存在的文件",
        "directory": "已存在的目录",
        "any": "已存在的文件或目录",
        "between": " | ",
        "when": "仅当 {0} 时有效。",
        "is": "{0} 为 {1}",
        "or": " 或 ",
        "and": " 且 ",
        "dead": "此处不起作用：",
    },
}


def render_template(
    name: str, lang: Language = "en", values: Mapping[str, Any] | None = None, minimal: bool = False
) -> str:
    """Write a template as YAML.

    Args:
        name: name of the template.
        lang: language of the comments.
        values: values by dotted key that replace the template's or are added to it.
        minimal: only the keys of the short form (and those of ``values``), with shorter comments.

    Raises:
        KeyError: there is no such template, or no parameter of a given key.
    """
    template = load_template(name)
    catalogue = load_catalogue(template.family)
    given = dict(values or {})
    for key in given:
        if key not in catalogue.parameters:
            raise KeyError(key)
    kept = {key: value for key, value in template.values.items() if not minimal or key in template.minimal}
    writer = TreeWriter if template.family == "verl" else Writer
    return writer(template, catalogue, lang, minimal).write({**kept, **given}, frozenset(given))


def schema_file(target: str) -> str:
    """Where the modeline of a file expects the JSON Schema of its target, from the file's folder."""
    return f".agentic-rl/{'agentsdk' if target == 'local' else target}.schema.json"


def modeline(target: str) -> str:
    """The line that tells editors (YAML language server) which schema to complete and check with."""
    return f"# yaml-language-server: $schema={schema_file(target)}"


class Writer:
    """Writes AgentSDK's form: groups of parameters under their titles, sections in the catalogue's order."""

    def __init__(self, template: Template, catalogue: Catalogue, lang: Language, minimal: bool) -> None:
        self.template = template
        self.catalogue = catalogue
        self.lang: Language = lang
        self.minimal = minimal
        self.words = _WORDS[lang]
        self.lines: list[str] = []

    def write(self, values: Mapping[str, Any], given: frozenset[str]) -> str:
        self.header()
        section = ""
        for group in self.catalogue.groups.values():
            parameters = self.ordered(group, values)
            if not parameters:
                continue
            if group.section != section:
                section = group.section
                self.lines += ["", f"{section}:"]
            self._group_title(group)
            for position, parameter in enumerate(parameters):
                if position and not self.minimal:
                    self.lines.append("")
                self._parameter(parameter, values[parameter.key], parameter.key in given)
        return "\n".join(self.lines) + "\n"

    def ordered(self, group: Group, values: Mapping[str, Any]) -> list[Parameter]:
        """The parameters of a group that the file holds."""
        # Within a group the template's own order counts; what was added comes after it, in the documents' order.
        order = {key: position for position, key in enumerate(self.template.values)}
        members = [parameter for parameter in self.catalogue.group(group.id) if parameter.key in values]
        return sorted(members, key=lambda parameter: order.get(parameter.key, len(order)))

    def header(self) -> None:
        """Directive, title, description and what to do with the file."""
        template, lang = self.template, self.lang
        if template.directive:
            self.lines.append(f"# agentic-rl: target={template.target}")
        self.lines.append(modeline(template.target))
        rule = "# " + "=" * (COLUMNS - 2)
        self.lines += [rule, f"# {template.title[lang]}"]
        self.comment(template.description[lang], "")
        self.lines.append("#")
        for line in template.header[lang].splitlines():
            self.comment(line, "") if width(line) > COLUMNS - 2 else self.lines.append(f"# {line}".rstrip())
        self.lines.append(rule)

    def _group_title(self, group: Group) -> None:
        indent = "  " if group.section else ""
        title = f"{indent}# ---- {group.title[self.lang]} "
        self.lines += ["", title + "-" * max(4, COLUMNS - width(title))]
        if not self.minimal:
            self.comment(group.help[self.lang], indent)
            self.lines.append("")

    def _parameter(self, parameter: Parameter, value: Any, given: bool) -> None:
        indent = "  " if parameter.section else ""
        self.explained(parameter, given, indent)
        self.lines.append(f"{indent}{parameter.name}: {yaml_text(value)}")

    def explained(self, parameter: Parameter, given: bool, indent: str) -> None:
        """The comment above a parameter."""
        lang, words, key = self.lang, self.words, parameter.key
        mark = words["set"] if key in self.template.must_set and not given else ""
        if self.minimal:
            self.comment(mark + parameter.help[lang], indent)
        else:
            self.comment(mark + parameter.title[lang], indent)
            self.comment(parameter.help[lang], indent, "  ")
            self.comment(self.facts(parameter), indent, "  ")
            for sentence in self.remarks(parameter):
                self.comment(sentence, indent, "  ")

    def facts(self, parameter: Parameter) -> str:
        """The rule, the unit, and the default where there is one."""
        words, default = self.words, parameter.default
        facts = [parameter.constraint[self.lang]]
        if parameter.kind == "path" and self.template.target in ("verl", "local"):
            facts = [words[parameter.path]]  # only agentic_rl asks for modes, owners and the absence of links
        if parameter.unit:
            facts.append(words["unit"].format(word(parameter.unit, self.lang)))
        if parameter.required or not (default.document_known or default.software_known):
            pass
        elif default.differs:
            facts.append(words["differs"].format(yaml_text(default.software), yaml_text(default.document)))
        elif default.value is None:
            facts.append(words["optional"])
        else:
            facts.append(words["default"].format(yaml_text(default.value)))
        return words["between"].join(facts)

    def remarks(self, parameter: Parameter) -> list[str]:
        """When the value counts, why it may not count here, and what the template says about it."""
        words, lang, template = self.words, self.lang, self.template
        sentences: list[str] = []
        conditions = [c for c in parameter.effective_when if c.backend in ("", template.backend)]
        if conditions:
            parts = [
                words["is"].format(c.key, words["or"].join(yaml_text(value) for value in c.values)) for c in conditions
            ]
            sentences.append(words["when"].format(words["and"].join(parts)))
        dead = parameter.ignored_by(template.target, template.backend)
        if dead is not None:
            sentences.append(words["dead"] + dead[lang])
        if parameter.key in template.remarks:
            sentences.append(template.remarks[parameter.key][lang])
        return sentences

    def comment(self, text: str, indent: str, inner: str = "") -> None:
        """A comment, wrapped."""
        prefix = f"{indent}# {inner}"
        self.lines += [prefix + line for line in wrap(text, COLUMNS - len(prefix))]


class TreeWriter(Writer):
    """Writes AscendFactory's form: ``af_output_dir``, and verl's keys as a tree below ``backend_config``."""

    def write(self, values: Mapping[str, Any], given: frozenset[str]) -> str:
        self.header()
        found = {key: values[key] for group in self.catalogue.groups.values() for key in self._keys(group, values)}
        beside = [key for key in found if key == OUTPUT]
        for key in beside:
            self.lines.append("")
            self._leaf(key, found[key], key in given, "", key)
        self.lines += ["", f"{TREE}:"]
        self._tree(_nested({key: key for key in found if key not in beside}), found, given, "  ")
        return "\n".join(self.lines) + "\n"

    def _keys(self, group: Group, values: Mapping[str, Any]) -> list[str]:
        return [parameter.key for parameter in self.ordered(group, values)]

    def _tree(self, tree: Mapping[str, Any], values: Mapping[str, Any], given: frozenset[str], indent: str) -> None:
        leaves = [name for name, inner in tree.items() if isinstance(inner, str)]
        for position, name in enumerate([*leaves, *[name for name in tree if name not in leaves]]):
            inner = tree[name]
            if position and not (self.minimal and isinstance(inner, str)):
                self.lines.append("")
            if isinstance(inner, str):
                self._leaf(inner, values[inner], inner in given, indent, name)
            else:
                self.lines.append(f"{indent}{string_text(name)}:")
                self._tree(inner, values, given, f"{indent}  ")

    def _leaf(self, key: str, value: Any, given: bool, indent: str, name: str) -> None:
        self.explained(self.catalogue.parameters[key], given, indent)
        self.lines.append(f"{indent}{string_text(name)}: {yaml_text(value)}")


def _nested(keys: Mapping[str, str]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for key in keys:
        node = root
        *parents, name = key.split(".")
        for parent in parents:
            node = node.setdefault(parent, {})
        node[name] = key
    return root


__all__ = ["COLUMNS", "CatalogueError", "render_template"]
