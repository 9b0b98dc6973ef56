"""AgentSDK's file check, written down once more from its description, against what the checks say of real paths."""

from __future__ import annotations

import grp
import os
import pwd
import random
import re
import stat
from pathlib import Path

import pytest
from files import VERL, check

from agentic_rl_wizard.runner.check import World
from agentic_rl_wizard.runner.facts import look_at_path
from agentic_rl_wizard.runner.facts import paths as paths_module

KEY = "tokenizer_name_or_path"


def file_check(path: str) -> bool:
    """Whether AgentSDK takes a path (facts on its file check, rules 1 to 9)."""
    if not os.path.exists(path) or len(path) > 1024 or re.search(r"[^0-9A-Za-z_./-]", path) or ".." in path:
        return False
    if os.path.realpath(path) != os.path.normpath(path):
        return False
    if os.path.isfile(path):
        return _entry(path, 0o640)
    if not os.path.isdir(path):
        return False
    if not _entry(path, 0o750):
        return False
    for root, directories, files in os.walk(path):
        if not all(_entry(os.path.join(root, name), 0o750) for name in directories):
            return False
        if not all(_entry(os.path.join(root, name), 0o640) for name in files):
            return False
    return True


def _entry(path: str, mode: int) -> bool:
    try:
        status = os.stat(path)
        names = pwd.getpwuid(status.st_uid).pw_name, grp.getgrgid(status.st_gid).gr_name
        mine = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    except (OSError, KeyError):
        return False
    return stat.S_IMODE(status.st_mode) & 0o777 == mode and names == mine


def accepted(path: str) -> bool:
    facts = look_at_path(path)
    problems = [p for p in check(VERL, World(paths={KEY: facts})) if p.code != "path-wrong-kind"]
    assert all(p.level == "error" for p in problems)
    return not problems


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "place"
    folder.mkdir()
    folder.chmod(0o750)
    return folder


def grow(random_: random.Random, folder: Path, outside: list[Path], depth: int = 0) -> None:
    """A small tree, mostly right, with faults of every kind."""
    for number in range(random_.randint(0, 3)):
        path = folder / random_.choice(["a", "b_1", "c.x", "d-e", "f g", "h..i"])
        if os.path.lexists(path):
            continue
        kind = random_.random()
        if kind < 0.35 and depth < 3:
            path.mkdir()
            path.chmod(random_.choice([0o750] * 12 + [0o700, 0o755, 0o2750, 0o1750, 0o550]))
            grow(random_, path, outside, depth + 1)
        elif kind < 0.42 and not number:
            path.symlink_to(random_.choice(outside))
        elif kind < 0.45:
            os.mkfifo(path)
            path.chmod(random_.choice([0o640, 0o600]))
        else:
            path.write_text("x")
            path.chmod(random_.choice([0o640] * 12 + [0o600, 0o644, 0o750, 0o4640]))
            if os.getuid() == 0 and random_.random() < 0.04:
                os.chown(path, *random_.choice([(1, 0), (0, 1), (54_321, 0), (0, 54_321)]))


def test_random_trees(place: Path) -> None:
    right = place / "right"
    right.write_text("x")
    right.chmod(0o640)
    wrong = place / "wrong"
    wrong.write_text("x")
    closed = place / "closed"
    closed.mkdir(0o700)
    outside = [right, right, right, wrong, closed, place / "nowhere"]
    verdicts = []
    for seed in range(100):
        random_ = random.Random(seed)
        top = place / f"t{seed}"
        top.mkdir()
        top.chmod(random_.choice([0o750] * 9 + [0o755]))
        grow(random_, top, outside)
        for path in [top, *top.rglob("*")]:
            verdict = file_check(str(path))
            verdicts.append(verdict)
            assert accepted(str(path)) == verdict, path
    assert 0.2 < sum(verdicts) / len(verdicts) < 0.9  # both answers are common


@pytest.mark.parametrize(
    "form",
    [
        "{}", "{}/", "{}/.", "/{}", "//{}", "{}/../place", "{}//f", "{}/./f", "{}/f/", "{}/f/.", "{}/gone", "{}/l",
        "{}/l/f", "{}/f ", " {}/f", "{}/f\n", "{}/f\t", "", ".", "/dev/null", "~", "f", "./f", "/proc/self/cwd",
        "{}/\0", "{}/\ud800", "{}/é", "/" + "x" * 300, "{}" + "/." * 600,
    ],
)  # fmt: skip
def test_spellings(place: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "f").write_text("x")
    (place / "f").chmod(0o640)
    (place / "l").symlink_to(place)
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(place))
    path = form.replace("{}", str(place))
    try:
        expected = file_check(path)
    except ValueError:
        expected = False
    assert accepted(path) == expected


def test_a_user_without_a_name(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """AgentSDK compares by name and ends with a KeyError where there is none."""
    monkeypatch.setattr(paths_module, "_user", lambda uid: "")
    paths_module._names.cache_clear()
    try:
        facts = look_at_path(str(place))
        assert (facts.nameless, facts.owner) == (True, str(os.getuid()))
        codes = [p.code for p in check(VERL, World(config=facts, paths={KEY: facts}))]
        assert codes.count("user-without-name") == 1
        assert check(VERL, World(paths={KEY: facts}), "verl") == check(VERL, None, "verl")
    finally:
        paths_module._names.cache_clear()
