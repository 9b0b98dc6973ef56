"""Cerberus schemas made from the catalogue, as strict as AgentSDK's own validator (pydantic in strict mode).

The types are those that PyYAML hands over: a bool is no integer, an integer may stand for a float, ``1e-6`` is a text,
a date is no text. What the documents forbid and the software takes is a rule of its own (``documented_*``), so that the
caller can tell an error from a warning.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from cerberus import TypeDefinition, Validator

from .catalogue import SECTIONS, Catalogue
from .parameter import Parameter, Range

Schema = dict[str, Any]

# Kind of a parameter -> (types that satisfy it, types that do not although they are subclasses of those).
KIND_TYPES: Mapping[str, tuple[tuple[type, ...], tuple[type, ...]]] = {
    "int": ((int,), (bool,)),
    "float": ((int, float), (bool,)),
    "bool": ((bool,), ()),
    "str": ((str,), ()),
    "path": ((str,), ()),
    "list": ((list,), ()),
}
_TYPE_NAMES = {kind: f"strict_{kind}" for kind in KIND_TYPES}


class StrictValidator(Validator):
    """A Cerberus validator with strict types and the rules of the catalogue.

    Rules: ``interval`` and ``documented_interval`` (a Range), ``documented_allowed`` (a list), ``software_pattern`` and
    ``documented_pattern`` (whole-text regular expressions), ``finite`` and ``unique`` (true). They let None pass:
    Cerberus goes on with custom rules after ``nullable`` has failed.
    """

    types_mapping = {
        **cast("dict[str, Any]", cast("Any", Validator).types_mapping),
        **{_TYPE_NAMES[kind]: TypeDefinition(_TYPE_NAMES[kind], *types) for kind, types in KIND_TYPES.items()},
    }

    def _fail(self, field: str, reason: str) -> None:
        self._error(field, reason)  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]

    def _validate_interval(self, constraint: Range, field: str, value: Any) -> None:
        """Refuse a number outside the range.

        The rule's arguments are validated against this schema: {'nullable': False}
        """
        if value is not None and not constraint.holds(value):
            self._fail(field, "interval")

    def _validate_documented_interval(self, constraint: Range, field: str, value: Any) -> None:
        """Tell a number that the documents forbid.

        The rule's arguments are validated against this schema: {'nullable': False}
        """
        if value is not None and not constraint.holds(value):
            self._fail(field, "documented_interval")

    def _validate_documented_allowed(self, constraint: Sequence[Any], field: str, value: Any) -> None:
        """Tell a choice that the documents do not name.

        The rule's arguments are validated against this schema: {'type': 'list'}
        """
        if value is not None and value not in constraint:
            self._fail(field, "documented_allowed")

    def _validate_software_pattern(self, constraint: str, field: str, value: Any) -> None:
        """Refuse a text that does not match as a whole.

        The rule's arguments are validated against this schema: {'type': 'string'}
        """
        if value is not None and re.fullmatch(constraint, value) is None:
            self._fail(field, "software_pattern")

    def _validate_documented_pattern(self, constraint: str, field: str, value: Any) -> None:
        """Tell a text that does not match as the documents ask.

        The rule's arguments are validated against this schema: {'type': 'string'}
        """
        if value is not None and re.fullmatch(constraint, value) is None:
            self._fail(field, "documented_pattern")

    def _validate_finite(self, constraint: bool, field: str, value: Any) -> None:
        """Refuse NaN and the infinities, and integers too large for a float.

        The rule's arguments are validated against this schema: {'type': 'boolean'}
        """
        try:
            fine = not constraint or value is None or math.isfinite(value)
        except OverflowError:
            fine = False
        if not fine:
            self._fail(field, "finite")

    def _validate_unique(self, constraint: bool, field: str, value: Any) -> None:
        """Refuse a list that names an item twice.

        The rule's arguments are validated against this schema: {'type': 'boolean'}
        """
        if constraint and value is not None and any(item in value[:index] for index, item in enumerate(value)):
            self._fail(field, "unique")


def field_schema(parameter: Parameter) -> Schema:
    """The Cerberus rules of one parameter."""
    own = _TYPE_NAMES[parameter.kind]
    schema: Schema = {
        "type": [own, _TYPE_NAMES[parameter.items or "list"]] if parameter.one_or_many else own,
        "nullable": parameter.nullable,
    }
    if parameter.kind == "float":
        schema["finite"] = True
    if parameter.range is not None:
        schema["interval"] = parameter.software_range or parameter.range
        if parameter.software_range is not None:
            schema["documented_interval"] = parameter.range
    if parameter.kind == "list":
        items: Schema = {"type": _TYPE_NAMES[parameter.items or "str"], "nullable": False}
        if parameter.choices:
            items["allowed"] = list(parameter.software_choices or parameter.choices)
            schema["unique"] = parameter.family == "agentsdk"  # verl takes a repeated item
        schema["schema"] = items
    elif parameter.choices:
        schema["allowed"] = list(parameter.software_choices or parameter.choices)
        if parameter.software_choices:
            schema["documented_allowed"] = list(parameter.choices)
    if parameter.pattern:
        schema["documented_pattern"] = parameter.pattern
    if parameter.software_pattern:
        schema["software_pattern"] = parameter.software_pattern
    return schema


def document_schema(catalogue: Catalogue, section: str = "", backend: str = "verl") -> Schema:
    """The rules of a whole file (section ``""``) or of one section's mapping.

    Args:
        catalogue: the catalogue.
        section: ``""`` includes the sections as nested mappings; ``verl`` or ``mindspeed_rl`` is that section alone.
        backend: the back end whose section must be there when ``section`` is ``""``.
    """
    schema: Schema = {}
    for parameter in catalogue.section(section):
        rules = field_schema(parameter)
        if parameter.choices_backend not in ("", backend):
            rules.pop("allowed", None)
            rules.pop("documented_allowed", None)
        schema[parameter.name] = {**rules, "required": parameter.required}
    if not section:
        for name in filter(None, SECTIONS):
            nested = document_schema(catalogue, name, backend)
            schema[name] = {"type": "dict", "schema": nested, "required": name == backend}
    return schema


def make_validator(schema: Schema) -> StrictValidator:
    """A validator that changes nothing and knows no key but those of the schema."""
    return cast("StrictValidator", cast("Any", StrictValidator)(schema, allow_unknown=False, normalize=False))


def broken_rules(validator: StrictValidator, values: Mapping[str, Any]) -> list[str]:
    """Names of the rules that ``values`` breaks, in the order Cerberus finds them."""
    untyped = cast("Any", validator)
    if untyped.validate(values, normalize=False):
        return []
    # A custom rule's error carries its own name as the reason; a built-in one (type, allowed, schema) carries its rule.
    return [str(error.info[0]) if error.code == 0 else str(error.rule) for error in untyped._errors]
