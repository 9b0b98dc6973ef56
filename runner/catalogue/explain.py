"""Everything known about one parameter or one problem code, as sections of text for the CLI and the help pane."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .catalogue import SECTIONS, Catalogue
from .explain_words import GENERATIONS, JUDGE_WORDS, LABELS, LAUNCHERS
from .load import load_catalogue
from .nearest import closest
from .parameter import Parameter
from .problem import Language
from .texts import ProblemEntry, problem_catalogue
from .words import word
from .yaml_text import yaml_text

# Blocks of MindSpeed-RL's own files, and the short names that this project's notes use for them.
_MINDSPEED_BLOCKS = frozenset(("megatron_training", "rl_config", "generate_config", "training", "rl", "generate"))


@dataclass(frozen=True, slots=True)
class Section:
    """One labelled piece of an explanation; ``id`` does not depend on the language."""

    id: str
    label: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known about a key or a code.

    Attributes:
        subject: ``parameter``, ``problem`` or ``unknown``.
        key: dotted key or code that was found; what was asked for when nothing was.
        title: one line.
        sections: labelled pieces, in reading order.
        nearest: for an unknown key, what may have been meant.
        also: other parameters that the question may have meant (``adv_estimator`` stands in two sections).
    """

    subject: str
    key: str
    title: str
    sections: tuple[Section, ...] = ()
    nearest: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether anything is known."""
        return self.subject != "unknown"


def explain(key_or_code: str, lang: Language = "en", catalogue: Catalogue | None = None) -> Explanation:
    """Explain a parameter or a problem code.

    Takes a name, a dotted key, a name of the documents or of older releases, a name under the wrong section
    (``verl.lr``), a verl or MindSpeed-RL key that a parameter becomes (``actor_rollout_ref.actor.optim.lr``), or a
    problem code. An unknown one gives an explanation whose ``found`` is False and that names the nearest.
    """
    known = catalogue or load_catalogue()
    asked = key_or_code.strip().rstrip(":")
    parameters, asked_for = _parameters(asked, known)
    if parameters:
        return _explain_parameter(parameters, asked_for, lang)
    entry = problem_catalogue().get(asked)
    if entry is not None:
        return _explain_problem(entry, lang)
    return Explanation("unknown", asked, LABELS[lang]["unknown"].format(asked), nearest=tuple(_nearest(asked, known)))


def _parameters(asked: str, known: Catalogue) -> tuple[list[Parameter], str]:
    """What may be meant, the best first, and how it was asked for (an id of LABELS; "" by its own name)."""
    resolved = known.resolve(asked)
    if resolved is not None:
        parameter, alias = resolved
        others = [p for p in known.find_all(asked) if p is not parameter]
        return [parameter, *others], "by-alias" if alias else ""
    found = known.find_all(asked)
    if found:
        found.sort(key=lambda parameter: parameter.section == "mindspeed_rl")
        return found, "by-alias" if asked != found[0].name else ""
    by_verl = [parameter for parameter, _ in known.by_verl_key(asked)]
    if by_verl:
        return by_verl, "by-verl"
    block, _, name = asked.partition(".")
    by_mindspeed = known.by_mindspeed_rl_key(name if block in _MINDSPEED_BLOCKS else asked)
    if by_mindspeed:
        return by_mindspeed, "by-mindspeed"
    if name:
        elsewhere = known.find_all(name)
        if block in SECTIONS and elsewhere:
            return elsewhere, "by-section"
    return [], ""


def _nearest(asked: str, known: Catalogue) -> list[str]:
    section, _, name = asked.rpartition(".")
    keys = [c.key for c in known.nearest(name, section if section in ("verl", "mindspeed_rl") else "")]
    if "." in asked:
        dotted = [key for parameter in known.parameters.values() for _, key in parameter.verl]
        keys += closest(asked, dotted, limit=2)
    return list(dict.fromkeys([*keys, *closest(asked, problem_catalogue(), limit=3)]))[:5]


def _explain_parameter(parameters: list[Parameter], asked_for: str, lang: Language) -> Explanation:
    parameter, labels = parameters[0], LABELS[lang]
    sections: list[Section] = []

    def add(name: str, lines: Iterable[str]) -> None:
        kept = tuple(line for line in lines if line)
        if kept:
            sections.append(Section(name, labels[name], kept))

    if asked_for:
        sections.append(Section("asked", labels["asked"], (labels[asked_for].format(parameter.key),)))
    add("meaning", [parameter.help[lang]])
    add("type", [_type(parameter, lang)])
    add("default", _defaults(parameter, lang))
    if not parameter.choices or parameter.kind == "list":
        add("constraint", [parameter.constraint[lang]])
    add("choices", _choices(parameter, lang))
    add("condition", [_condition(parameter, lang)])
    add("dead", (f"{LAUNCHERS[lang][name]}: {text[lang]}" for name, text in parameter.without_effect.items()))
    add("harmful", (f"{yaml_text(value)}: {text[lang]}" for value, text in parameter.harmful.items()))
    add("names", _names(parameter, lang))
    add("verl", _verl(parameter, lang))
    add("mindspeed_rl", [parameter.mindspeed_rl])
    add("notes", (note[lang] for note in parameter.notes))
    add("source", [parameter.source or labels["software-only"]])
    also = tuple(other.key for other in parameters[1:])
    return Explanation("parameter", parameter.key, parameter.title[lang], tuple(sections), also=also)


def _type(parameter: Parameter, lang: Language) -> str:
    labels = LABELS[lang]
    parts = [word(parameter.kind, lang)]
    if parameter.kind == "list" and parameter.items:
        parts = [labels["list-of"].format(word(parameter.items, lang))]
    if parameter.nullable:
        parts.append(labels["nullable"])
    if parameter.required:
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
    return lines + [labels["alias"].format(alias) for alias in parameter.aliases]


def _verl(parameter: Parameter, lang: Language) -> list[str]:
    versions = LABELS[lang]["versions"]
    return [f"{key}{versions.format(spec) if spec else ''}" for spec, key in parameter.verl]


def _explain_problem(entry: ProblemEntry, lang: Language) -> Explanation:
    labels = LABELS[lang]
    sections = [
        Section("message", labels["message"], (_plain(entry.message[lang]),)),
        Section("because", labels["because"], (_plain(entry.because[lang]),)),
        Section("fix", labels["fix"], (_plain(entry.fix[lang]),)),
    ]
    if entry.reasons:
        cases = tuple(f"{_plain(because[lang])} {_plain(fix[lang])}" for because, fix in entry.reasons.values())
        sections.append(Section("cases", labels["cases"], cases))
    judge = JUDGE_WORDS[lang][entry.judge] + (f" ({entry.source})" if entry.source else "")
    sections.append(Section("judge", labels["judge"], (judge,)))
    return Explanation("problem", entry.code, labels["problem"].format(entry.code), tuple(sections))


def _plain(template: str) -> str:
    """A template for reading: placeholders as <name>, marks of optional parts gone."""
    return template.replace("[?", "").replace("?]", "").replace("{", "<").replace("}", ">").strip()


def render_plain(explanation: Explanation, lang: Language = "en", columns: int = 100) -> str:
    """The explanation as text for a terminal, labels in a column of their own."""
    from .wrap import width, wrap

    labels = LABELS[lang]
    if not explanation.found:
        hint = labels["did-you-mean"].format(", ".join(explanation.nearest)) if explanation.nearest else ""
        return f"{explanation.title}{hint}\n"
    lines = [
        f"{explanation.key} - {explanation.title}" if explanation.subject == "parameter" else explanation.title,
        "",
    ]
    column = max(width(section.label) for section in explanation.sections) + 2
    for section in explanation.sections:
        label = section.label + " " * (column - width(section.label))
        for text in section.lines:
            for line in wrap(text, max(20, columns - column)):
                lines.append(label + line)
                label = " " * column
    if explanation.also:
        lines += ["", labels["also"].format(", ".join(explanation.also))]
    return "\n".join(lines) + "\n"


def render_json(explanation: Explanation) -> dict[str, Any]:
    """The explanation as a JSON object; section ids do not depend on the language."""
    return {
        "subject": explanation.subject,
        "key": explanation.key,
        "title": explanation.title,
        "sections": [{"id": s.id, "label": s.label, "lines": list(s.lines)} for s in explanation.sections],
        "nearest": list(explanation.nearest),
        "also": list(explanation.also),
    }
