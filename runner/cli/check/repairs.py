"""What `agentic-rl fix` may change: names, levels and types of a text, and the modes of what it names."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...catalogue import Problem
    from ...check import World
    from ...facts.paths import PathFacts

# Problems with one right answer. What is a choice (a batch size, which KL term) is left to whoever reads the report.
MECHANICAL = frozenset(
    (
        *("documented-name", "renamed-key", "misplaced-key", "unknown-key"),
        *("wrong-type", "wrong-item-type", "misprint-value", "not-unique"),
    )
)
# Of a back end's own keys: where it is an error, so that a person's own key in a file that may have such is left alone.
NATIVE = frozenset(
    (
        *("native-key-unknown", "native-key-moved", "native-plus-unneeded", "native-wrong-type"),
        *("mindspeed-unknown-key", "mindspeed-unknown-section", "mindspeed-wrong-type"),
    )
)
_WORDS = frozenset(("word-unknown", "word-unused", "unknown-choice"))
_LENIENT = frozenset(("native-wrong-type", "mindspeed-unknown-section"))  # nobody means these, even where they pass
_ROUNDS = 200  # each makes one change; a file has some hundred keys


@dataclass(frozen=True, slots=True)
class Repaired:
    """The text after the changes, and the problems that were behind them."""

    text: str
    problems: tuple[Problem, ...]


def mechanical(problem: Problem) -> bool:
    """Whether the problem has one right answer, which its edits make."""
    if not problem.edits:
        return False
    if problem.code in _WORDS:  # a hyphen for an underscore, a capital, or a misprint of the documents
        value, better = str(problem.params.get("value")), str(problem.edits[0].value)
        return _plain(value) == _plain(better) or better in _misprints(value)
    if problem.code in NATIVE:
        return problem.level == "error" or problem.code in _LENIENT
    return problem.code in MECHANICAL


def _plain(word: str) -> str:
    return word.lower().replace("-", "_")


@lru_cache(maxsize=64)
def _misprints(word: str) -> frozenset[str]:
    from ...catalogue import load_catalogue

    parameters = load_catalogue("verl").parameters.values()
    return frozenset(str(p.misprints[word]) for p in parameters if word in p.misprints)


def repaired(text: str, target: str, world: World | None = None) -> Repaired:
    """Make every mechanical change, one after the other: a key that moves has another name afterwards.

    Args:
        text: the file.
        target: what will start it.
        world: the versions that decide which names are right; None is the newest known.
    """
    from ...check import check_document
    from ...document import EditError, apply_edits, parse_document

    made: list[Problem] = []
    refused: set[tuple[str, str]] = set()
    for _ in range(_ROUNDS):
        document = parse_document(text)
        if not document.readable:
            break
        problem = next(
            (p for p in check_document(document, world, target) if mechanical(p) and (p.code, p.key) not in refused),
            None,
        )
        if problem is None:
            break
        try:
            text = apply_edits(text, problem.edits)
            made.append(problem)
        except EditError:
            refused.add((problem.code, problem.key))
    return Repaired(text, tuple(made))


@dataclass(frozen=True, slots=True)
class ModeRepair:
    """A path whose modes or owners agentic_rl refuses.

    Attributes:
        path: absolute path.
        directory: whether it is a tree.
        count: how many entries have a wrong mode, itself included.
        owners: how many have a wrong owner or group, itself included.
        owner: whose they must be, ``user:group``.
        closes: some entry is open to others now and will not be: colleagues may lose access.
        reason: why it can't be repaired in place (a link, another owner), else "".
    """

    path: str
    directory: bool
    count: int
    closes: bool
    reason: str = ""
    owners: int = 0
    owner: str = ""


def mode_repairs(world: World) -> list[ModeRepair]:
    """One for each path with a wrong mode or owner, the file itself included."""
    found: dict[str, ModeRepair] = {}
    facts = [*world.paths.values(), *([world.config] if world.config is not None else [])]
    for one in facts:
        repair = _repair(one)
        if repair is not None:
            found.setdefault(repair.path, repair)
    return list(found.values())


def _repair(facts: PathFacts) -> ModeRepair | None:
    if not facts.exists or facts.kind not in ("file", "directory"):
        return None
    wanted = "750" if facts.kind == "directory" else "640"
    tree = facts.tree
    count = (facts.mode != wanted) + (tree.wrong_modes if tree is not None else 0)
    owners = (facts.owner, facts.group) != (facts.wanted_owner, facts.wanted_group)
    owners += tree.wrong_owners if tree is not None else 0
    if not count and not owners:
        return None
    modes = [facts.mode, *(example.mode for example in (tree.mode_examples if tree is not None else []))]
    reason = ""
    if facts.link:
        reason = "link"  # changing what a link leads to would change a cache that others use
    elif owners:
        reason = "owner"
    closes = bool(count) and any(int(m, 8) & 0o007 for m in modes)
    owner = f"{facts.wanted_owner}:{facts.wanted_group}"
    return ModeRepair(facts.path, facts.kind == "directory", count, closes, reason, owners, owner)


def repair_modes(repair: ModeRepair) -> int:
    """Set the modes of a file or tree; links are neither followed nor changed. Returns how many entries changed.

    Raises:
        OSError: the system refuses.
    """
    return sum(_set_mode(path) for path in _entries(Path(repair.path)))


def _entries(top: Path) -> Iterator[Path]:
    yield top
    if top.is_dir() and not top.is_symlink():
        for folder, directories, files in os.walk(top):
            for name in (*directories, *files):
                yield Path(folder, name)


def _set_mode(path: Path) -> bool:
    status = path.lstat()
    if stat.S_ISDIR(status.st_mode):
        wanted = 0o750
    elif stat.S_ISREG(status.st_mode):
        wanted = 0o640
    else:
        return False
    if status.st_mode & 0o777 == wanted:
        return False
    # Opened without following links, so that nothing put in its place meanwhile is changed instead.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        os.fchmod(descriptor, wanted)
    finally:
        os.close(descriptor)
    return True
