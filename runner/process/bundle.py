"""Packs what a colleague needs to understand a run into one archive, with secrets masked."""

from __future__ import annotations

import io
import json
import os
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .masking import mask_said, mask_value
from .record import CONFIG, DEVICES, EVENTS, LOG, METRICS, PLAN, RECORD, RESOLVED, ROLLOUTS, RunRecord

HEAD, TAIL = 2 << 20, 14 << 20  # bytes of a longer log that are kept of its two ends
_TEXT_LIMIT = 16 << 20


@dataclass(frozen=True, slots=True)
class Packed:
    """One file of the archive: its name in it, its size there, and how many bytes were left out."""

    name: str
    size: int
    left_out: int = 0


def bundle_run(
    record: RunRecord, target: Path, *, rollouts: bool = False, extra: dict[str, str] | None = None
) -> list[Packed]:
    """Write a ``.tar.gz`` (mode 640, whole or not at all) of a run's text files; checkpoints are never in it.

    Args:
        record: which run.
        target: the archive; an existing file is replaced.
        rollouts: the trajectories too, which are a model's and users' texts.
        extra: further files, name -> text (a diagnosis, the report of the machine).

    Raises:
        OSError: the archive can't be written.
    """
    directory = Path(record.directory)
    packed: list[Packed] = []
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as raw:
            with tarfile.open(fileobj=raw, mode="w:gz") as archive:
                for path in _files(directory, rollouts):
                    with path.open("rb") as stream:
                        data, left_out = _masked(path, stream)
                    packed.append(_add(archive, record.id, str(path.relative_to(directory)), data, left_out))
                for name, text in (extra or {}).items():
                    packed.append(_add(archive, record.id, name, mask_said(text).encode("utf-8", "replace")))
            raw.flush()
            os.fsync(raw.fileno())
        os.chmod(temporary, 0o640)  # noqa: PTH101
        os.replace(temporary, target)  # noqa: PTH105
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return packed


def _files(directory: Path, rollouts: bool) -> Iterator[Path]:
    """The regular files that belong to a bundle; links and what else lies there are left alone."""
    for name in (RECORD, CONFIG, PLAN, EVENTS, METRICS, DEVICES, LOG):
        path = directory / name
        if path.is_file() and not path.is_symlink():
            yield path
    for folder in (RESOLVED, *([ROLLOUTS] if rollouts else [])):
        for path in sorted((directory / folder).rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path


def _masked(path: Path, stream: IO[bytes]) -> tuple[bytes, int]:
    """The text with secrets masked, cut in the middle where it is long; and the bytes that were left out."""
    size = os.fstat(stream.fileno()).st_size
    if size <= _TEXT_LIMIT:
        data, left_out = stream.read(_TEXT_LIMIT), 0
    else:
        head = stream.read(HEAD)
        head = head[: head.rfind(b"\n") + 1] or head
        stream.seek(size - TAIL)
        tail = stream.read(TAIL)
        tail = tail[tail.find(b"\n") + 1 :]
        left_out = size - len(head) - len(tail)
        data = head + f"--- agentic-rl bundle: {left_out} bytes left out ---\n".encode() + tail
    text = data.decode("utf-8", "replace")
    if path.name in (RECORD, PLAN):
        try:
            value: Any = json.loads(text)
        except ValueError:
            return mask_said(text).encode(), left_out
        return mask_said(json.dumps(mask_value(value), ensure_ascii=False, indent=1)).encode(), left_out
    return mask_said(text).encode("utf-8", "replace"), left_out


def _add(archive: tarfile.TarFile, folder: str, name: str, data: bytes, left_out: int = 0) -> Packed:
    member = tarfile.TarInfo(f"{folder}/{name}")
    member.size, member.mode, member.mtime = len(data), 0o640, int(time.time())
    archive.addfile(member, io.BytesIO(data))
    return Packed(name, len(data), left_out)
