"""From what was typed on the command line to a run directory or a log file."""

from __future__ import annotations

from pathlib import Path

from ...runner.process.record import RECORD
from .run_model import RunModel, model_of_directory


def find_directory(reference: str) -> Path | None:
    """The run directory of a path, an id, a unique prefix or ``last``; None where there is none."""
    path = Path(reference).expanduser()
    if (path / RECORD).is_file():
        return path
    if path.name == RECORD and path.is_file():
        return path.parent
    return None


def model_of(reference: str) -> RunModel:
    """The model of a run or of a log file.

    Raises:
        FileNotFoundError: neither a run nor a file.
        OSError, ValueError: run.json can't be read.
    """
    directory = find_directory(reference)
    if directory is not None:
        return model_of_directory(directory)
    path = Path(reference).expanduser()
    if path.is_dir() or not path.exists():
        raise FileNotFoundError(reference)
    return RunModel(path)
