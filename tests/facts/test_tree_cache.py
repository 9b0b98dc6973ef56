"""When a large tree is looked through again, and when not."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.facts import look_at_path, tree_cache
from agentic_rl_wizard.runner.facts import paths as paths_module


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A faultless tree of four directories and twelve files, two hours old, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tree_cache, "LEAST_ENTRIES", 1)
    monkeypatch.setattr(tree_cache, "_memory", {})
    top = Path(os.path.realpath(tmp_path)) / "tree"
    for name in ("", "a", "b", "c"):
        folder = top / name
        folder.mkdir()
        folder.chmod(0o750)
        for number in range(3):
            (folder / f"f{number}").touch(0o640)
            (folder / f"f{number}").chmod(0o640)
    # ctime can't be set back: the clock is put forward instead.
    now, now_ns = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: now() + 7200)
    monkeypatch.setattr(time, "time_ns", lambda: now_ns() + 7200 * 10**9)
    return top


class Walks:
    """Counts how often a tree is really looked through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        walk = paths_module.walk_tree

        def counted(*arguments: object) -> object:
            self.count += 1
            return walk(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(paths_module, "walk_tree", counted)


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> Walks:
    return Walks(monkeypatch)


def new_process() -> None:
    tree_cache._memory.clear()


def wrong_modes(place: Path) -> int:
    tree = look_at_path(str(place)).tree
    assert tree is not None
    return tree.wrong_modes


def test_a_faultless_tree_is_looked_through_once(place: Path, walks: Walks) -> None:
    for _ in range(3):
        tree = look_at_path(str(place)).tree
        assert tree is not None
        assert (tree.entries, tree.clean) == (15, True)
    new_process()  # the next `agentic-rl check`
    assert wrong_modes(place) == 0
    assert walks.count == 1


@pytest.mark.parametrize("change", ["new-file", "removed", "renamed", "directory-mode", "new-directory"])
def test_a_change_that_a_directory_tells_is_seen(place: Path, walks: Walks, change: str) -> None:
    wrong_modes(place)
    if change == "new-file":
        (place / "b" / "new").touch(0o644)
    elif change == "removed":
        (place / "b" / "f0").unlink()
    elif change == "renamed":
        (place / "b" / "f0").rename(place / "b" / "g0")
    elif change == "directory-mode":
        (place / "b").chmod(0o755)
    else:
        (place / "b" / "d").mkdir(0o755)
    new_process()
    wrong_modes(place)
    assert walks.count == 2


def test_a_recursive_chmod_is_seen_at_once(place: Path) -> None:
    assert wrong_modes(place) == 0
    for file in place.rglob("f*"):
        file.chmod(0o644)
    assert wrong_modes(place) == 12


def test_the_mode_of_a_single_file_is_seen_when_the_time_is_over(
    place: Path, monkeypatch: pytest.MonkeyPatch, walks: Walks
) -> None:
    monkeypatch.setattr(tree_cache, "SAMPLE", 0)  # as in a tree so large that the sample misses it
    assert wrong_modes(place) == 0
    (place / "a" / "f1").chmod(0o600)
    assert wrong_modes(place) == 0
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + tree_cache.LIFETIME + 1)
    assert wrong_modes(place) == 1
    assert walks.count == 2


def test_faults_are_never_remembered(place: Path, walks: Walks) -> None:
    (place / "a" / "f1").chmod(0o600)
    assert wrong_modes(place) == 1
    (place / "a" / "f1").chmod(0o640)
    assert wrong_modes(place) == 0
    assert walks.count == 2


def test_whoever_is_about_to_change_it_looks_anew(place: Path, walks: Walks) -> None:
    wrong_modes(place)
    look_at_path(str(place), cache=False)
    new_process()
    wrong_modes(place)
    assert walks.count == 3


def test_a_tree_that_was_just_written_is_not_trusted(
    place: Path, walks: Walks, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = (place / "a").stat().st_ctime_ns
    monkeypatch.setattr(time, "time_ns", lambda: written + 10**9)
    wrong_modes(place)
    wrong_modes(place)
    assert walks.count == 2


def test_small_trees_leave_no_trace(place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tree_cache, "LEAST_ENTRIES", 16)
    wrong_modes(place)
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("content", ["", "[]", "{", '{"version": 1}', "null", "9" * 5000, "[" * 100_000], ids=range(7))
def test_a_broken_cache_is_no_cache(place: Path, walks: Walks, tmp_path: Path, content: str) -> None:
    wrong_modes(place)
    (file,) = (tmp_path / "cache").rglob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text(content)
    new_process()
    assert wrong_modes(place) == 0
    assert walks.count == 2


def test_the_cache_of_another_tree_is_not_taken(place: Path, walks: Walks, tmp_path: Path) -> None:
    wrong_modes(place)
    (file,) = (tmp_path / "cache").rglob("*.json")
    file.write_text(json.dumps({**json.loads(file.read_text()), "top": "/elsewhere"}))
    new_process()
    wrong_modes(place)
    assert walks.count == 2


def test_a_place_that_can_not_be_written_is_no_error(
    place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert wrong_modes(place) == 0
