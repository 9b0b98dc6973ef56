"""What is known about a parameter, in words of the language in use; screens and plain twin show the same."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from ...runner.catalogue.parameter import Parameter, Text
from ..i18n import language, t
from .values import show_value


def in_language(text: Text) -> str:
    """A text in the language in use."""
    return text.get(language()) or text.get("en", "")


def unit_name(unit: str) -> str:
    """Name of a unit, or the unit itself where it has none."""
    name = t(f"wizard.unit_{unit}")
    return unit if name.startswith("wizard.") else name


def facts(parameter: Parameter) -> Iterator[tuple[str, str]]:
    """Label and value of everything known: kind, choices, rule, defaults, conditions, what it becomes."""
    kind = t(f"wizard.kind_{parameter.kind}")
    yield t("wizard.help_kind"), kind + (f" ({unit_name(parameter.unit)})" if parameter.unit else "")
    if parameter.choices:
        yield t("wizard.help_choices"), " | ".join(show_value(choice) for choice in parameter.choices)
    rule = in_language(parameter.constraint)
    if rule and not parameter.choices:
        yield t("wizard.help_rule"), rule
    default = parameter.default
    if default.differs:
        yield t("wizard.help_default_document"), show_value(default.document)
        yield t("wizard.help_default_software"), show_value(default.software)
    elif default.document_known or default.software_known:
        yield t("wizard.help_default"), show_value(default.value)
    else:
        yield t("wizard.help_default"), t("wizard.required") if parameter.required else t("wizard.none")
    for condition in parameter.effective_when:
        values = " | ".join(show_value(value) for value in condition.values)
        yield t("wizard.help_only_when"), f"{condition.key} = {values}"
    for launcher, reason in parameter.without_effect.items():
        yield t("wizard.help_no_effect", launcher=launcher), in_language(reason)
    for versions, key in parameter.verl:
        yield t("wizard.help_verl"), f"{key}  ({versions})" if versions else key
    if parameter.mindspeed_rl:
        yield t("wizard.help_mindspeed"), parameter.mindspeed_rl
    if parameter.aliases:
        yield t("wizard.help_aliases"), ", ".join(parameter.aliases)
    if parameter.source:
        yield t("wizard.help_document"), parameter.source


def placeholder(parameter: Parameter, value: Any) -> str:
    """What an empty input says: the default that then applies, or that a value is needed."""
    default = parameter.default
    if default.document_known or default.software_known:
        return t("wizard.default_is", value=show_value(value) or '""')
    return t("wizard.required") if parameter.required else t("wizard.not_set")


def when(seconds: float) -> str:
    """A time of day, with the date unless it is today's."""
    local = time.localtime(seconds)
    today = time.localtime()[:3] == local[:3]
    return time.strftime("%H:%M" if today else "%Y-%m-%d %H:%M", local)
