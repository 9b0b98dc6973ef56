"""YAML files: read with positions, edit byte by byte, make new ones."""

from .edit import EditError, add_key, apply_edits, insert_item, move_key, remove_key, rename_key, set_value
from .loaders import interpolates
from .model import Document
from .place import Place, Places
from .read import SIZE_LIMIT, parse_document, read_document
from .write import FileChanged, write_atomically

__all__ = [
    "SIZE_LIMIT",
    "Document",
    "EditError",
    "FileChanged",
    "Place",
    "Places",
    "add_key",
    "apply_edits",
    "insert_item",
    "interpolates",
    "move_key",
    "parse_document",
    "read_document",
    "remove_key",
    "rename_key",
    "set_value",
    "write_atomically",
]
