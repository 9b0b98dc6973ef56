"""A tree of many files: looked through for the first time, and again in the same and in another process.

    python bench/paths.py [--files N] [--directories N] [--place DIR]

CPU and wall-clock seconds, and the least that could be done: os.walk with one stat a file, as AgentSDK does it. The
tree is made in a temporary directory and removed again; nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

AGAIN = """
import sys, time
started, cpu = time.perf_counter(), time.process_time()
from agentic_rl_wizard.runner.facts import look_at_path
tree = look_at_path(sys.argv[1]).tree
print(f"{time.process_time() - cpu:.2f} {time.perf_counter() - started:.2f} {tree.entries}")
"""


def make(top: Path, files: int, directories: int) -> None:
    """A faultless tree."""
    os.umask(0o027)
    top.mkdir(mode=0o750)
    for number in range(directories):
        folder = top / f"d{number}"
        folder.mkdir(0o750)
        for file in range(number, files, directories):
            os.close(os.open(folder / f"f{file}", os.O_CREAT | os.O_WRONLY, 0o640))


def measured(name: str, run: Callable[[], object]) -> None:
    """Print what a call takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    answer = run()
    print(f"{name:44} {time.process_time() - cpu:6.2f} s CPU {time.perf_counter() - wall:6.2f} s  {answer}")


def walk(top: Path) -> int:
    """One stat an entry, as os.walk gives them."""
    count = 0
    for folder, directories, files in os.walk(top):
        for entry in (*directories, *files):
            os.stat(f"{folder}/{entry}")  # noqa: PTH116 - what AgentSDK does
            count += 1
    return count


def main() -> None:
    """Make the tree, look, remove it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--directories", type=int, default=1000)
    parser.add_argument("--place", default=None)
    arguments = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(dir=arguments.place)).resolve()
    os.environ["XDG_CACHE_HOME"] = str(scratch / "cache")
    top = scratch / "tree"
    try:
        make(top, arguments.files, arguments.directories)
        time.sleep(2.5)  # a tree that has just been written is not remembered
        from agentic_rl_wizard.runner.facts import look_at_path

        print(f"{arguments.files} files in {arguments.directories} directories; load {os.getloadavg()[0]:.1f}")
        measured("os.walk with one stat each", lambda: walk(top))
        calls: list[int] = []

        def progress(count: int) -> bool:
            calls.append(count)
            return True

        def look() -> str:
            tree = look_at_path(str(top), progress=progress).tree
            return f"{tree.entries if tree else 0} entries, {len(calls)} calls of the progress callback"

        measured("first look", look)
        calls.clear()
        measured("again, same process", look)
        done = subprocess.run([sys.executable, "-c", AGAIN, str(top)], capture_output=True, text=True, check=True)
        cpu, wall, entries = done.stdout.split()
        name = "again, new process, imports included"
        print(f"{name:44} {float(cpu):6.2f} s CPU {float(wall):6.2f} s  {entries} entries")
        stored = sum(file.stat().st_size for file in (scratch / "cache").rglob("*") if file.is_file())
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"cache {stored / 1024:.0f} KiB, peak memory {peak:.0f} MiB")
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
