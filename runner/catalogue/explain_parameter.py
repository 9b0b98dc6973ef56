"""The explanation of one described parameter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .explain_relations import relations_of
from .explain_verl import twins_of, variant_lines, version_lines
from .explain_words import GENERATIONS, LABELS, LAUNCHERS
from .explanation import Explanation, Section
from .parameter import Parameter
from .problem import Language
from .words import word
from .yaml_text import yaml_text


def explain_parameter(parameters: Sequence[Parameter], asked_for: str, lang: Language) -> Explanation:
    """Explain the first of the parameters; the others are named as what may have been meant too.

    Args:
        parameters: at least one.
        asked_for: how it was asked for, an id of LABELS; "" by its own name.
        lang: language of the texts.
    """
    parameter, labels = parameters[0], LABELS[lang]
    native = parameter.family == "verl"
    sections: list[Section] = []

    def add(name: str, lines: Iterable[str]) -> None:
        kept = tuple(line for line in lines if line)
        if kept:
            sections.append(Section(name, labels[name], kept))

    if asked_for:
        sections.append(Section("asked", labels["asked"], (labels[asked_for].format(parameter.key),)))
    add("meaning", [parameter.help[lang]])
    add("type", [_type(parameter, lang)])
    if native:
        add("variants", variant_lines(parameter, lang))
    add("default", _defaults(parameter, lang))
    add("example", [yaml_text(parameter.example)] if parameter.example is not None else [])
    if not parameter.choices or parameter.kind == "list":
        add("constraint", [parameter.constraint[lang]])
    add("choices", _choices(parameter, lang))
    add("condition", [_condition(parameter, lang)])
    add("dead", (f"{LAUNCHERS[lang][name]}: {text[lang]}" for name, text in parameter.without_effect.items()))
    add("harmful", (f"{yaml_text(value)}: {text[lang]}" for value, text in parameter.harmful.items()))
    add("names", _names(parameter, lang))
    if native:
        add("in-verl", version_lines(parameter.verl, lang) if parameter.verl else [labels["no-verl"]])
        twins = {twin.key: twin for _, key in parameter.verl for twin in twins_of(key)}
        add("file", [labels["in-ascendfactory"].format(parameter.file_key("ascendfactory"))])
        add("agentsdk", twins)
        add("mindspeed_rl", dict.fromkeys(twin.mindspeed_rl for twin in twins.values()))
    else:
        add("verl", _verl(parameter, lang))
        add("mindspeed_rl", [parameter.mindspeed_rl or _no_mindspeed(parameter, lang)])
    add("relations", relations_of(parameter, lang))
    add("notes", (note[lang] for note in parameter.notes))
    add("source", [parameter.source or labels["verl-only" if native else "software-only"]])
    also = tuple(other.key for other in parameters[1:])
    return Explanation("parameter", parameter.key, parameter.title[lang], tuple(sections), also=also)


def _type(parameter: Parameter, lang: Language) -> str:
    labels = LABELS[lang]
    parts = [word(parameter.kind, lang)]
    if parameter.kind == "list" and parameter.items:
        parts = [labels["list-of"].format(word(parameter.items, lang))]
    if parameter.one_or_many:
        parts.append(labels["or-single" if parameter.kind == "list" else "or-list"])
    if parameter.nullable:
        parts.append(labels["nullable"])
    if parameter.required and parameter.family != "verl":
        parts.append(labels["required-agentsdk"] if parameter.optional_for else labels["required"])
    if parameter.unit:
        parts.append(labels["unit"].format(word(parameter.unit, lang)))
    return labels["comma"].join(parts)


def _defaults(parameter: Parameter, lang: Language) -> list[str]:
    default, labels = parameter.default, LABELS[lang]
    if default.document_known and default.software_known and not default.differs:
        return [yaml_text(default.value)]
    lines: list[str] = []
    if default.software_known:
        lines.append(labels["by-software"].format(yaml_text(default.software)))
    if default.document_known:
        lines.append(labels["by-document"].format(yaml_text(default.document)))
    return lines


def _choices(parameter: Parameter, lang: Language) -> list[str]:
    labels = LABELS[lang]
    if not parameter.choices:
        return []
    listed = ", ".join(map(yaml_text, parameter.choices))
    lines = [] if parameter.kind == "list" else [listed]  # a list's constraint names them
    if parameter.software_choices:
        lines = [
            labels["by-document"].format(listed),
            labels["by-software"].format(", ".join(map(yaml_text, parameter.software_choices))),
        ]
    lines += [
        labels["handed-on"].format(yaml_text(value), yaml_text(mapped)) for value, mapped in parameter.value_map.items()
    ]
    return lines


def _condition(parameter: Parameter, lang: Language) -> str:
    labels = LABELS[lang]
    parts: list[str] = []
    for condition in parameter.effective_when:
        text = labels["is"].format(condition.key, labels["or"].join(map(yaml_text, condition.values)))
        parts.append(labels["on"].format(condition.backend, text) if condition.backend else text)
    return labels["and"].join(parts)


def _names(parameter: Parameter, lang: Language) -> list[str]:
    labels = LABELS[lang]
    generations: dict[str, str] = {}
    for letter, name in parameter.names.items():
        if name:
            generations[name] = generations.get(name, "") + letter
    lines = [f"{name}  ({GENERATIONS[lang][letters]})" for name, letters in generations.items()]
    renamed = {key for _, key in parameter.verl}  # a rename of verl is shown with its versions
    also = [alias for alias in parameter.aliases if alias not in renamed]
    return lines + [labels["alias"].format(alias) for alias in also]


def _verl(parameter: Parameter, lang: Language) -> list[str]:
    versions = LABELS[lang]["versions"]
    lines = [f"{key}{versions.format(spec) if spec else ''}" for spec, key in parameter.verl]
    # Whoever reads "no effect" above knows why; a key that agentic_rl alone reads should say so.
    silent = parameter.section != "mindspeed_rl" and not lines and "agentsdk/verl" not in parameter.without_effect
    return [LABELS[lang]["no-verl"]] if silent else lines


def _no_mindspeed(parameter: Parameter, lang: Language) -> str:
    silent = parameter.section != "verl" and "agentsdk/mindspeed_rl" not in parameter.without_effect
    return LABELS[lang]["no-mindspeed"] if silent else ""
