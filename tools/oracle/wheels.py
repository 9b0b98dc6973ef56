"""Releases of verl from the package index, unpacked once into the user's cache folder; none enters the repository."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import platformdirs


def cache() -> Path:
    """The folder of unpacked releases."""
    return Path(platformdirs.user_cache_dir("agentic-rl")) / "oracle"


def tree(release: str) -> Path:
    """The unpacked release; fetched by pip when it is not there.

    Raises:
        RuntimeError: the package index has no such release, or can't be reached.
    """
    folder = cache() / f"verl-{release}"
    if (folder / "verl" / "__init__.py").is_file():
        return folder
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache()) as box:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", box, f"verl=={release}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        archives = [p for p in Path(box).iterdir() if p.name.endswith((".whl", ".tar.gz"))]
        if done.returncode or not archives:
            raise RuntimeError(f"pip can't fetch verl {release}:\n{done.stderr.strip()}")
        unpacked = Path(box) / "unpacked"
        _unpack(archives[0], unpacked)
        found = next(p.parent.parent for p in sorted(unpacked.rglob("verl/__init__.py")))
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(str(found), folder)
    return folder


def _unpack(archive: Path, folder: Path) -> None:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as file:
            file.extractall(folder)
    else:
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
