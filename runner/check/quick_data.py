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
