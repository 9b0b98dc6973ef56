"""Explanations of verl's own keys: those of document 004 and what completes them, and those only verl's files know."""

from __future__ import annotations

from collections.abc import Iterable

from .explain_words import LABELS, VARIANT_WORDS
from .explanation import Explanation, Section
from .load import load_catalogue
from .parameter import Parameter
from .problem import Language
from .verl_table import MANDATORY, NEWEST, Declared, verl_table
from .yaml_text import yaml_text


def version_lines(keys: Iterable[tuple[str, str]], lang: Language) -> list[str]:
    """One line a span of versions; the key is named where it has changed, the engine where that matters.

    Args:
        keys: (versions, key) pairs, as `Parameter.verl` holds them.
        lang: language of the words.
    """
    pairs = list(keys)
    lines: list[str] = []
    for spec, key in pairs:
        spans = [span for span in verl_table().get(key, ()) if not spec or _overlap(spec, span)]
        shown = f"{key}: " if len(pairs) > 1 else ""
        engines = {span.engine for span in spans}
        lines += [shown + _span(span, engines, lang) for span in spans]
        if not spans:
            lines.append(shown + LABELS[lang]["not-declared"])
    return lines


def _overlap(spec: str, span: Declared) -> bool:
    from .versions import version_holds

    return version_holds(spec, span.first) or version_holds(spec, span.last)


def _span(span: Declared, engines: set[str], lang: Language) -> str:
    labels = LABELS[lang]
    if span.first == "main":
        versions = labels["development"]
    elif span.last == "main":
        versions = labels["since"].format(span.first)
    elif span.first == span.last:
        versions = labels["only"].format(span.first)
    else:
        versions = labels["from-to"].format(span.first, span.last)
    if engines != {"both"} and span.engine != "both":
        versions = labels["engine"].format(versions, {"fsdp": "FSDP", "megatron": "Megatron"}[span.engine])
    default = labels["mandatory"] if span.text == repr(MANDATORY) else yaml_text(span.default)
    return labels["default-is"].format(versions, default)


def variant_lines(parameter: Parameter, lang: Language) -> list[str]:
    """For which variants of document 004 the key is meant, and which of them must set it."""
    labels, words = LABELS[lang], VARIANT_WORDS[lang]
    if parameter.required:
        return [labels["required-004"]]
    comma = labels["comma"]
    lines = [labels["required-in"].format(comma.join(words[name] for name in parameter.required_in))]
    others = [words[name] for name in parameter.variants if name not in parameter.required_in]
    found = lines if parameter.required_in else []
    return found + ([labels["meant-for"].format(comma.join(others))] if others else [])


def twins_of(key: str) -> list[Parameter]:
    """AgentSDK's parameters that become this verl key."""
    return list({twin.key: twin for twin, _ in load_catalogue().by_verl_key(key)}.values())


def explain_verl_key(key: str, asked_for: str, lang: Language) -> Explanation:
    """What the table of verl's packaged files says about a key that the catalogue does not describe."""
    from .explain_relations import relations_of_verl_key

    labels, spans = LABELS[lang], verl_table()[key]
    sections = [Section("asked", labels["asked"], (asked_for,))] if asked_for else []
    gone = [] if any(span.covers(NEWEST) for span in spans) else [labels["gone"].format(NEWEST)]
    sections.append(Section("in-verl", labels["in-verl"], (*version_lines([("", key)], lang), *gone)))
    twins = tuple(twin.key for twin in twins_of(key))
    if twins:
        sections.append(Section("agentsdk", labels["agentsdk"], twins))
    relations = tuple(relations_of_verl_key(key, lang))
    if relations:
        sections.append(Section("relations", labels["relations"], relations))
    sections.append(Section("source", labels["source"], (labels["table-only"],)))
    return Explanation("verl-key", key, labels["verl-only-title"], tuple(sections))
