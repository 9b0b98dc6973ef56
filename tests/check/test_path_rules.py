"""The nine rules of AgentSDK's file check, one row each: what is refused, what just passes, and at which level."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from files import VERL, check

from agentic_rl_wizard.runner.check import World
from agentic_rl_wizard.runner.cli.check.repairs import mode_repairs
from agentic_rl_wizard.runner.facts import look_at_path
from agentic_rl_wizard.runner.facts import paths as paths_module

KEY = "tokenizer_name_or_path"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "place"
    folder.mkdir()
    folder.chmod(0o750)
    return folder


def made(path: Path, mode: int = 0o640) -> str:
    path.write_text("x")
    path.chmod(mode)
    return str(path)


def folder(path: Path, mode: int = 0o750) -> Path:
    path.mkdir()
    path.chmod(mode)
    return path


def linked(path: Path, target: Path) -> str:
    path.symlink_to(target)
    return str(path)


def long(place: Path, length: int) -> str:
    """A path of exactly that many characters to a file that exists (as /./ it is no other place)."""
    made(place / "f")
    base = f"{place}/"
    padding = length - len(base) - 1
    return base + ("./" * (padding // 2)) + ("/" if padding % 2 else "") + "f"


def bound(place: Path) -> str:
    here = os.getcwd()
    os.chdir(place)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
    os.chdir(here)
    return str(place / "s")


def piped(place: Path) -> str:
    os.mkfifo(place / "p")
    return str(place / "p")


def below(place: Path, mode: int, directory: bool = False) -> str:
    top = folder(place / "t")
    if directory:
        folder(top / "d", mode)
    else:
        made(folder(top / "d") / "f", mode)
    return str(top)


def below_link(place: Path, mode: int) -> str:
    made(place / "target", mode)
    linked(folder(place / "t") / "l", place / "target")
    return str(place / "t")


ROWS: dict[str, tuple[Callable[[Path], str], str]] = {
    "1-exists": (lambda p: made(p / "f"), ""),
    "1-missing": (lambda p: str(p / "f"), "path-missing"),
    "1-dangling-link": (lambda p: linked(p / "l", p / "nowhere"), "path-missing"),
    "2-1024": (lambda p: long(p, 1024), ""),
    "2-1025": (lambda p: long(p, 1025), "path-too-long"),
    "3-alphabet": (lambda p: made(p / "Az_0.9-x"), ""),
    **{
        f"3-{name}": ((lambda p, c=character: made(p / f"a{c}b")), "path-bad-characters")
        for name, character in zip(("space", "tilde", "plus", "at", "colon", "equal", "cjk"), " ~+@:=数", strict=True)
    },
    "4-dots": (lambda p: made(p / "a..b"), "path-dotdot"),
    "4-one-dot": (lambda p: made(p / "a.b"), ""),
    "5-link": (lambda p: linked(p / "l", Path(made(p / "f"))), "path-is-link"),
    "5-parent-is-link": (lambda p: linked(p / "l", Path(made(folder(p / "d") / "f")).parent) + "/f", "path-is-link"),
    "5-relative": (lambda p: Path(made(p / "f")).name, "path-not-absolute"),  # for AgentSDK it is a link
    "5-double-slash": (lambda p: "/" + made(p / "f"), "path-is-link"),
    "5-trailing-slash": (lambda p: f"{folder(p / 'd')}/", ""),
    "5-inner-dot": (lambda p: made(p / "f").replace("/f", "/./f"), ""),
    "5-inner-double": (lambda p: made(p / "f").replace("/f", "//f"), ""),
    **{f"6-{mode:o}": ((lambda p, m=mode: made(p / "f", m)), "path-mode") for mode in (0o600, 0o644, 0o750, 0o440)},
    "6-setuid": (lambda p: made(p / "f", 0o4640), ""),
    **{f"7-{mode:o}": ((lambda p, m=mode: str(folder(p / "d", m))), "path-mode") for mode in (0o700, 0o755, 0o770)},
    "7-setgid": (lambda p: str(folder(p / "d", 0o2750)), ""),
    "7-file-below": (lambda p: below(p, 0o644), "path-tree-mode"),
    "7-stricter-below": (lambda p: below(p, 0o600), "path-tree-mode"),
    "7-directory-below": (lambda p: below(p, 0o755, True), "path-tree-mode"),
    "7-good-below": (lambda p: below(p, 0o640), ""),
    "7-link-below-good": (lambda p: below_link(p, 0o640), ""),
    "7-link-below-bad": (lambda p: below_link(p, 0o644), "path-tree-mode"),
    "9-fifo": (piped, "path-special"),
    "9-socket": (bound, "path-special"),
    "9-device": (lambda p: "/dev/null", "path-special"),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_a_row_of_the_file_check(place: Path, row: str) -> None:
    make, code = ROWS[row]
    facts = look_at_path(make(place), place)
    world = World(paths={KEY: facts})
    problems = [p for p in check(VERL, world) if p.code != "path-wrong-kind"]
    assert [p.code for p in problems][:1] == ([code] if code else [])
    assert all(p.level == "error" for p in problems)
    for target, levels in (("verl", {"warning", "error"}), ("local", {"hint", "error"})):
        softened = [p for p in check(VERL, world, target) if p.code in ("path-mode", "path-tree-mode", "path-is-link")]
        assert {p.level for p in softened} <= levels - {"error"}


def test_row_8_owner_and_group(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(place / "f")
    uid, gid = os.getuid(), os.getgid()
    names = {(uid, gid): ("me", "ours")}
    for owner, group in (("other", "ours"), ("me", "others")):
        names[(uid + 1, gid + 1)] = (owner, group)
        with monkeypatch.context() as patch:
            patch.setattr(paths_module, "_names", lambda u, g, seen=dict(names): seen[(u, g)])
            patch.setattr(os, "getuid", lambda: uid + 1)
            patch.setattr(os, "getgid", lambda: gid + 1)
            facts = look_at_path(path)
        assert [p.code for p in check(VERL, World(paths={KEY: facts}))][:1] == ["path-owner"]
        (repair,) = mode_repairs(World(paths={KEY: facts}))
        assert (repair.count, repair.owners, repair.reason) == (0, 1, "owner")
        assert repair.owner == f"{owner}:{group}"


def test_a_tree_that_was_not_looked_through_says_so(place: Path) -> None:
    for number in range(5001):
        made(place / f"f{number}")
    facts = look_at_path(str(place), progress=lambda seen: False)
    (problem,) = check(VERL, World(paths={KEY: facts}))
    assert (problem.level, problem.code, problem.params["count"]) == ("warning", "path-tree-unfinished", 5000)
