"""The sentences of a problem, in either language: what is wrong, why, and what to do (templates/problems/)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from .data import LANGUAGES, CatalogueError, Entry, read_yaml, templates_root
from .parameter import Text
from .problem import Language, Problem
from .show import printable, show_value
from .versions import version_clauses
from .words import word

JUDGES = ("document", "schema", "loader", "validate_config", "worker", "vLLM", "experience", "tool")
RELATION_FIELDS = ("keys", "formula", "backend", "versions", "targets")

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_OPTIONAL = re.compile(r"\[\?(.*?)\?\]")  # [? ... ?] is left out unless every placeholder inside has a value
# Values of a file, shown as YAML writes them so that '1' and 1 differ; whatever else is shown as it is.
_VALUES = frozenset(
    ("value", "better", "meant", "nearest", "default", "registered", "condition_value", "lower", "upper", "first_value")
)
_WORDS = frozenset(("expected", "got", "kind"))


@dataclass(frozen=True, slots=True)
class ProblemText:
    """A problem in words: where and what; why and who says so; what to do (may be empty)."""

    message: str
    because: str
    fix: str


@dataclass(frozen=True, slots=True)
class ProblemEntry:
    """What templates/problems/ says about one code."""

    code: str
    params: tuple[str, ...]
    message: Text
    because: Text
    fix: Text
    judge: str
    source: str = ""
    reasons: Mapping[str, tuple[Text, Text]] = field(default_factory=dict[str, "tuple[Text, Text]"])
    keys: tuple[str, ...] = ()  # the parameters that a relation mentions, the one to change first
    formula: str = ""  # what must hold, in one line
    backend: str = ""
    versions: str = ""
    targets: tuple[str, ...] = ()

    def texts(self) -> list[Text]:
        """Every sentence of the entry."""
        return [self.message, self.because, self.fix, *(text for pair in self.reasons.values() for text in pair)]


def problem_text(problem: Problem, lang: Language = "en") -> ProblemText:
    """The sentences of a problem.

    Values are data: braces, markup and control characters in them appear as they are or escaped, and are never
    interpreted. An unknown code gives a plain sentence instead of an exception: a report must not fail on one problem.
    """
    entry = problem_catalogue().get(problem.code)
    if entry is None:
        listed = ", ".join(f"{name}={show_value(value)}" for name, value in problem.params.items())
        where = f"{problem.key}: " if problem.key else ""
        return ProblemText(f"{where}{problem.code}{f' ({listed})' if listed else ''}", "", "")
    because, fix = entry.reasons.get(str(problem.params.get("reason", "")), (entry.because, entry.fix))
    return ProblemText(*(_fill(text[lang], problem, lang) for text in (entry.message, because, fix)))


def problem_codes() -> list[str]:
    """Every code that has texts."""
    return list(problem_catalogue())


@lru_cache(maxsize=1)
def problem_catalogue() -> Mapping[str, ProblemEntry]:
    """All entries of templates/problems/, by code.

    Raises:
        CatalogueError: an entry breaks the format; names file and code.
    """
    entries: dict[str, ProblemEntry] = {}
    for path in sorted((templates_root() / "problems").glob("*.yaml")):
        content = read_yaml(path)
        if not isinstance(content, Mapping):
            raise CatalogueError(f"{path.name}: expected a mapping of problem codes")
        for code, value in cast("Mapping[Any, Any]", content).items():
            if code in entries:
                raise CatalogueError(f"{path.name}: {code}: declared twice")
            entries[str(code)] = _read_entry(path.name, str(code), value)
    return entries


def _read_entry(file: str, code: str, value: Any) -> ProblemEntry:
    known = ("params", "message", "because", "fix", "judge", "source", "reasons", *RELATION_FIELDS)
    entry = Entry(f"{file}: {code}", value, known)
    reasons: dict[str, tuple[Text, Text]] = {}
    for name, item in entry.mapping("reasons").items():
        part = Entry(f"{file}: {code}: reasons: {name}", item, ("because", "fix"))
        reasons[str(name)] = (part.text("because"), part.text("fix"))
    read = ProblemEntry(
        code=code,
        params=tuple(map(str, entry.sequence("params"))),
        message=entry.text("message"),
        because=entry.text("because"),
        fix=entry.text("fix"),
        judge=entry.one_of("judge", JUDGES),
        source=entry.string("source", ""),
        reasons=reasons,
        keys=tuple(map(str, entry.sequence("keys"))),
        formula=entry.string("formula", ""),
        backend=entry.one_of("backend", ("", "verl", "mindspeed_rl"), ""),
        versions=_versions(entry),
        targets=tuple(map(str, entry.sequence("targets"))),
    )
    for text in read.texts():
        for language in LANGUAGES:
            strange = set(_PLACEHOLDER.findall(text[language])) - {"key", *read.params}
            if strange:
                raise CatalogueError(f"{file}: {code}: {language}: placeholders not in params: {sorted(strange)}")
    return read


def _versions(entry: Entry) -> str:
    spec = entry.string("versions", "")
    try:
        version_clauses(spec)
    except ValueError as error:
        raise entry.fail("versions", str(error)) from error
    return spec


def _fill(template: str, problem: Problem, lang: Language) -> str:
    def value_of(name: str) -> str | None:
        if name in problem.params:
            return _show(name, problem.params[name], lang)
        return printable(problem.key) if name == "key" and problem.key else None

    def optional(match: re.Match[str]) -> str:
        names = _PLACEHOLDER.findall(match[1])
        return match[1] if all(value_of(name) for name in names) else ""

    # One pass over the template for each kind of mark, values are put in last: what they hold is not looked at again.
    kept = _OPTIONAL.sub(optional, template)
    filled = _PLACEHOLDER.sub(lambda match: value_of(match[1]) or "?", kept)
    return filled.strip()


def _show(name: str, value: Any, lang: Language) -> str:
    if isinstance(value, Mapping) and set(cast("Mapping[Any, Any]", value)) == set(LANGUAGES):
        return str(cast("Mapping[str, str]", value)[lang])
    if name in _WORDS and isinstance(value, str):
        return word(value, lang)
    if isinstance(value, (list, tuple)) and name not in _VALUES:
        items = cast("list[Any]", value)
        joined = ("、" if lang == "zh" else ", ").join(show_value(item) for item in items[:12])
        return f"{joined} …" if len(items) > 12 else joined
    if name in _VALUES or not isinstance(value, str):
        return show_value(value)
    return printable(value, 400)
