"""From what was typed on the command line to a run directory or a log file."""

from __future__ import annotations

from pathlib import Path

from ...runner.process.index import RunNotFound, find_run
from ...runner.process.record import LOG, RECORD
from .run_model import RunModel, model_of_directory


def find_directory(reference: str) -> Path | None:
    """The run directory of a path, an id, a unique prefix or ``last``; None where there is none."""
    try:
        return Path(find_run(reference).directory)
    except RunNotFound:
        return None


def model_of(reference: str) -> RunModel:
    """The model of a run or of a log file.

    Raises:
        FileNotFoundError: neither a run nor a file.
        OSError, ValueError: run.json can't be read.
    """
    path = Path(reference).expanduser()
    # The log of a run directory is that run; any other file is only a log.
    directory = None if path.is_file() and path.name not in {LOG, RECORD} else find_directory(reference)
    if directory is not None:
        return model_of_directory(directory)
    if path.is_dir() or not path.exists():
        raise FileNotFoundError(reference)
    return RunModel(path)
