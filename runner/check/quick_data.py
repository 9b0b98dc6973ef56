"""The quick start's own model and data: `agentic-rl run` makes them where they are missing, so that is no error."""

from __future__ import annotations

from ..document import Document

# What runner/inside/agentic_rl_inside/quickstart.py writes into the folder, by the key that names it.
_NAMES = {
    "tokenizer_name_or_path": "model",
    "verl.train_files": "train.parquet",
    "verl.val_files": "heldout.parquet",
}
QUICK_KEYS = frozenset(_NAMES)
WRAPPER = "agent_engine_wrapper_path"
EXAMPLE_FILE = "guess_the_number.py"
"""The worked example's wrapper: made beside the file when it is missing there, and the user's from then on."""


def quick_data_folder(document: Document) -> str | None:
    """The folder in which a file expects the quick start's model and data, as it is written; None for other files.

    Only for what is trained on this CPU (target ``local``): the caller knows the target.
    """
    folders: set[str] = set()
    for key, name in _NAMES.items():
        value = document.get(key)
        if not isinstance(value, str) or not value.endswith(f"/{name}"):
            return None
        folders.add(value.removesuffix(f"/{name}"))
    return folders.pop() if len(folders) == 1 else None


def quick_task(document: Document) -> str:
    """What the tiny model and data are made for: a file with an agent wrapper plays the game, others add numbers."""
    return "guess" if document.get(WRAPPER) else "addition"


def example_wrapper(document: Document) -> str | None:
    """Where a file expects the worked example's wrapper, as it is written; None where it names one of its own."""
    path = document.get(WRAPPER)
    known = isinstance(path, str) and path.rpartition("/")[2] == EXAMPLE_FILE
    return path if known and quick_data_folder(document) is not None else None
