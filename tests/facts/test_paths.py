"""Paths as AgentSDK's file check sees them; the tests may run as root, so owners are simulated by other names."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.facts import look_at_path
from agentic_rl_wizard.runner.facts import paths as paths_module


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "place"
    folder.mkdir()
    folder.chmod(0o750)
    return folder


def write(path: Path, mode: int = 0o640) -> Path:
    path.write_text("x")
    path.chmod(mode)
    return path


def test_a_good_file(place: Path) -> None:
    facts = look_at_path(str(write(place / "a.py")))
    assert (facts.exists, facts.kind, facts.mode, facts.link, facts.absolute) == (True, "file", "640", False, True)
    assert (facts.owner, facts.group) == (facts.wanted_owner, facts.wanted_group)
    assert facts.tree is None


@pytest.mark.parametrize("mode", ["600", "644", "755"])
def test_modes_are_told_exactly_and_set_bits_are_not(place: Path, mode: str) -> None:
    assert look_at_path(str(write(place / "a", int(mode, 8)))).mode == mode
    place.chmod(0o2750)
    assert look_at_path(str(place)).mode == "750"


def test_missing_and_broken_links_are_the_same(place: Path) -> None:
    (place / "link").symlink_to(place / "nowhere")
    for name in ("nowhere", "link", "nowhere/below"):
        facts = look_at_path(str(place / name))
        assert not facts.exists
        assert not facts.error
    write(place / "file")
    assert not look_at_path(str(place / "file" / "below")).exists


def test_links_anywhere_in_the_path(place: Path) -> None:
    (place / "real").mkdir()
    write(place / "real" / "f")
    (place / "link").symlink_to(place / "real")
    assert look_at_path(str(place / "link")).link
    facts = look_at_path(str(place / "link" / "f"))
    assert facts.link
    assert facts.real == str(place / "real" / "f")
    assert not look_at_path(f"{place}//real/./f").link
    assert not look_at_path(f"{place}/real/").link


def test_relative_paths_count_from_the_file(place: Path) -> None:
    write(place / "f")
    facts = look_at_path("f", place)
    assert (facts.exists, facts.absolute, facts.path, facts.link) == (True, False, str(place / "f"), False)


@pytest.mark.parametrize(
    ("path", "characters", "dotdot"),
    [
        ("/a b+c d", " +", False),
        ("/数据", "数据", False),
        ("/a..b", "", True),
        ("/a/../b", "", True),
        ("/a_B-0.9/c", "", False),
    ],
)
def test_characters(path: str, characters: str, dotdot: bool) -> None:
    facts = look_at_path(path)
    assert (facts.bad_characters, facts.dotdot, facts.length) == (characters, dotdot, len(path))


def test_too_long_or_impossible_paths_are_no_exception() -> None:
    assert look_at_path("/" + "x" * 5000).error
    assert look_at_path("/a\0b").error


def test_other_kinds(place: Path) -> None:
    os.mkfifo(place / "pipe")
    assert look_at_path(str(place / "pipe")).kind == "fifo"
    assert look_at_path("/dev/null").kind == "special-device"
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(place)  # a socket's own path is limited to 107 characters
        server.bind("s")
        assert look_at_path(str(place / "s")).kind == "socket"


def test_the_whole_tree(place: Path, tmp_path: Path) -> None:
    good = place / "good"
    good.mkdir()
    good.chmod(0o750)
    bad = place / "bad"
    bad.mkdir()
    bad.chmod(0o755)
    write(good / "fine")
    write(good / "open", 0o644)
    outside = write(tmp_path / "outside", 0o600)
    (good / "link").symlink_to(outside)  # judged by its target
    (good / "broken").symlink_to(place / "nowhere")
    tree = look_at_path(str(place)).tree
    assert tree is not None
    assert tree.entries == 6
    assert tree.wrong_modes == 3
    assert sorted((o.path, o.kind, o.mode) for o in tree.mode_examples) == [
        ("bad", "directory", "755"),
        ("good/link", "file", "600"),
        ("good/open", "file", "644"),
    ]
    assert tree.broken == ["good/broken"]


def test_links_to_directories_are_not_descended(place: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    other.chmod(0o750)
    write(other / "open", 0o644)
    (place / "link").symlink_to(other)
    (place / "loop").symlink_to(place)
    tree = look_at_path(str(place)).tree
    assert tree is not None
    assert (tree.entries, tree.wrong_modes) == (2, 0)


def test_owner_and_group_are_compared_by_name(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "f")
    uid = os.getuid()
    monkeypatch.setattr(paths_module, "_names", lambda u, g: ("me", "ours") if u == uid + 1 else ("you", "ours"))
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    facts = look_at_path(str(place))
    assert (facts.owner, facts.wanted_owner, facts.group, facts.wanted_group) == ("you", "me", "ours", "ours")
    assert facts.tree is not None
    assert facts.tree.wrong_owners == 1
    assert facts.tree.owner_examples[0].owner == "you"


def test_progress_may_stop_the_walk(place: Path) -> None:
    for number in range(6000):
        (place / f"f{number}").touch()
    seen: list[int] = []

    def stop(count: int) -> bool:
        seen.append(count)
        return False

    tree = look_at_path(str(place), progress=stop).tree
    assert tree is not None
    assert (seen, tree.complete, tree.entries) == ([5000], False, 5000)


def test_a_relative_base_and_a_working_directory_that_is_gone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "f")
    monkeypatch.chdir(place)
    assert (look_at_path("f").path, look_at_path("f").link) == (str(place / "f"), False)
    assert not look_at_path("f/").exists  # a file is no folder, also where the rest of the path is right
    gone = place / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert not look_at_path("f").exists
