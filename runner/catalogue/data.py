"""Reading the data files: where they lie, and a strict reader that names file and key of every slip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from ... import templates as _templates_package  # a relative import keeps the package's name out of the code

LANGUAGES = ("en", "zh")


class CatalogueError(Exception):
    """A data file under templates/ is not what docs/en/add-a-parameter.md says; the text names file and key."""


def templates_root() -> Path:
    """Folder that holds parameters/, problems/, configs/ ... of the installed package."""
    return Path(next(iter(_templates_package.__path__)))


def read_yaml(path: Path) -> Any:
    """Read one data file with the fastest safe loader at hand.

    Raises:
        CatalogueError: the file is missing or no YAML.
    """
    import yaml  # late: a command that needs no catalogue must not pay for it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(path.read_bytes(), Loader=loader)  # noqa: S506 - both loaders are the safe ones
    except (OSError, yaml.YAMLError) as error:
        raise CatalogueError(f"{path.name}: {error}") from error


class Entry:
    """One mapping of a data file, read field by field; `done` refuses what nobody asked for."""

    def __init__(self, where: str, value: Any, known: Iterable[str]) -> None:
        if not isinstance(value, Mapping):
            raise CatalogueError(f"{where}: expected a mapping, found {value!r}")
        self.where = where
        self.fields: Mapping[Any, Any] = cast("Mapping[Any, Any]", value)
        names = set(known)
        for name in self.fields:
            if name not in names:
                raise CatalogueError(f"{where}: unknown field {name!r}{_suggest(str(name), names)}")

    def fail(self, name: str, reason: str) -> CatalogueError:
        """The error for a field; the caller raises it."""
        return CatalogueError(f"{self.where}: {name}: {reason}")

    def has(self, name: str) -> bool:
        """Whether the field stands in the entry."""
        return name in self.fields

    def string(self, name: str, default: str | None = None) -> str:
        """A text field; required when there is no default."""
        value: Any = self.fields.get(name, default)
        if not isinstance(value, str):
            raise self.fail(name, "missing" if value is None else f"expected a text, found {value!r}")
        return value

    def flag(self, name: str) -> bool:
        """A boolean field, false when absent."""
        value: Any = self.fields.get(name, False)
        if not isinstance(value, bool):
            raise self.fail(name, f"expected true or false, found {value!r}")
        return value

    def text(self, name: str) -> Mapping[str, str]:
        """A text in both languages."""
        return self.both(name, self.fields.get(name))

    def both(self, name: str, value: Any) -> Mapping[str, str]:
        """Check that a value is a mapping with a non-empty text in each language and nothing else."""
        if not isinstance(value, Mapping):
            raise self.fail(name, "missing" if value is None else "expected {en: ..., zh: ...}")
        texts = cast("Mapping[Any, Any]", value)
        for language in LANGUAGES:
            text = texts.get(language)
            if not isinstance(text, str) or not text.strip():
                raise self.fail(name, f"the text in {language!r} is missing")
        if len(texts) != len(LANGUAGES):
            raise self.fail(name, f"only {', '.join(LANGUAGES)} are languages here, found {sorted(map(str, texts))}")
        return {language: " ".join(texts[language].split()) for language in LANGUAGES}

    def mapping(self, name: str) -> Mapping[Any, Any]:
        """A mapping field, empty when absent."""
        value: Any = self.fields.get(name, {})
        if not isinstance(value, Mapping):
            raise self.fail(name, f"expected a mapping, found {value!r}")
        return cast("Mapping[Any, Any]", value)

    def sequence(self, name: str) -> tuple[Any, ...]:
        """A list field, empty when absent."""
        value: Any = self.fields.get(name, [])
        if not isinstance(value, list):
            raise self.fail(name, f"expected a list, found {value!r}")
        return tuple(cast("list[Any]", value))

    def one_of(self, name: str, allowed: Iterable[str], default: str | None = None) -> str:
        """A text field with a fixed set of values."""
        value, choices = self.string(name, default), tuple(allowed)
        if value not in choices:
            raise self.fail(name, f"{value!r} is none of {', '.join(map(repr, choices))}")
        return value


def _suggest(name: str, known: set[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]!r}?)" if close else f"; known: {', '.join(sorted(known))}"
