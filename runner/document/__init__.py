"""YAML files: read with positions, edited byte by byte, written in one piece."""

from .edit import apply_edits, move_key, remove_key, rename_key, set_value
from .emit import format_scalar
from .errors import EditError, FileChanged
from .insert import add_key, add_section
from .model import Document, Place
from .read import SIZE_LIMIT, parse_bytes, parse_document, read_document
from .write import write_atomically

__all__ = [
    "SIZE_LIMIT",
    "Document",
    "EditError",
    "FileChanged",
    "Place",
    "add_key",
    "add_section",
    "apply_edits",
    "format_scalar",
    "move_key",
    "parse_bytes",
    "parse_document",
    "read_document",
    "remove_key",
    "rename_key",
    "set_value",
    "write_atomically",
]
