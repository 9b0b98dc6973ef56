"""A verl key as the person's own file writes it, so that what is told of the plan can be found in the file."""

from __future__ import annotations

from ..catalogue import load_catalogue
from ..document.model import Document
from ..native import value_in
from ..native.shape import native_backend, shape_of
from ..native.tree import prefix_of, tree_entries


class FileKeys:
    """Names of verl's keys in one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.native = bool(native_backend(document.values)) or shape_of(document.values) == "ascendfactory"
        self.prefix = prefix_of(document) if self.native else ""
        self.written = {entry.key: entry.file_key for entry in tree_entries(document)} if self.native else {}

    def of(self, key: str) -> str:
        """The key as the file's family calls it, given or not; verl's own where the family has none for it."""
        if self.native:
            return key
        parameters = [parameter for parameter, _ in load_catalogue().by_verl_key(key)]
        given = (one.key for one in parameters if value_in(self.document.values, one)[0])
        return next(given, parameters[0].key if parameters else key)

    def given(self, key: str) -> bool:
        """Whether the file itself gives a value for a key of verl."""
        if self.native:
            return key in self.written
        return any(value_in(self.document.values, one)[0] for one, _ in load_catalogue().by_verl_key(key))

    def place(self, key: str) -> str:
        """The key as `Document.place` takes it."""
        return self.written.get(key, self.prefix + key) if self.native else self.of(key)
