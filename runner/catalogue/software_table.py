"""Releases that belong together, and releases that clash (templates/software/)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from .data import CatalogueError, Entry, read_yaml, templates_root
from .findings import FindingEntry, read_entry
from .versions import version_clauses, version_holds, version_key

Wanted = str | tuple[str, ...]  # a range, or the versions that are known
LEVELS = ("hint", "warning", "error")


@dataclass(frozen=True, slots=True)
class Combination:
    """What belongs to one release of one software: name -> range, or versions compared by the parts they write down."""

    software: str
    release: str
    versions: Mapping[str, Wanted]
    source: str


@dataclass(frozen=True, slots=True)
class Clash:
    """Releases that do not work together: name -> range ("" is: any version), the level and the texts."""

    when: Mapping[str, str]
    level: str
    entry: FindingEntry


@lru_cache(maxsize=1)
def combinations() -> tuple[Combination, ...]:
    """The rows of templates/software/combinations.yaml.

    Raises:
        CatalogueError: a row breaks the format.
    """
    rows: list[Combination] = []
    for number, value in enumerate(
        cast("list[Any]", read_yaml(templates_root() / "software" / "combinations.yaml")), 1
    ):
        entry = Entry(f"combinations.yaml: row {number}", value, ("software", "release", "versions", "source"))
        versions: dict[str, Wanted] = {}
        for name, wanted in entry.mapping("versions").items():
            if isinstance(wanted, list):
                versions[str(name)] = tuple(map(str, cast("list[Any]", wanted)))
            else:
                versions[str(name)] = str(wanted)
                _check_range(entry, str(wanted))
        rows.append(Combination(entry.string("software"), entry.string("release"), versions, entry.string("source")))
    return tuple(rows)


@lru_cache(maxsize=1)
def clashes() -> Mapping[str, Clash]:
    """The entries of templates/software/clashes.yaml, by id.

    Raises:
        CatalogueError: an entry breaks the format.
    """
    found: dict[str, Clash] = {}
    content = cast("Mapping[Any, Any]", read_yaml(templates_root() / "software" / "clashes.yaml"))
    for name, value in content.items():
        entry = Entry(f"clashes.yaml: {name}", value, ("when", "level", "seen", "because", "cure", "source"))
        when = {str(software): str(wanted) for software, wanted in entry.mapping("when").items()}
        for wanted in when.values():
            if not wanted.startswith("+"):
                _check_range(entry, wanted)
        params = (*when, *(f"{software}_base" for software in when))
        texts = read_entry(entry, str(name), "software", params)
        found[str(name)] = Clash(when, entry.one_of("level", LEVELS), texts)
    return found


def combination_for(software: str, version: str) -> Combination | None:
    """The row of exactly this release (rc, post and dev of it count), or None."""
    wanted = version_key(version)
    return next(
        (row for row in combinations() if row.software == software and version_key(row.release) == wanted), None
    )


def nearest_release(software: str, version: str) -> str:
    """The known release that is nearest below, else the oldest one; "" when none is known."""
    releases = sorted((row.release for row in combinations() if row.software == software), key=version_key)
    below = [release for release in releases if version_key(release) <= version_key(version)]
    return below[-1] if below else releases[0] if releases else ""


def allows(wanted: Wanted, version: str) -> bool:
    """Whether a version is one that a row names.

    ``2.5.1`` allows ``2.5.1.post1`` and ``2.5.1+cpu``, not ``2.5.10``; ``""`` allows everything; ``+cu`` a local build
    whose name begins so.
    """
    if isinstance(wanted, str):
        if wanted.startswith("+"):
            return version.partition("+")[2].startswith(wanted[1:])
        return version_holds(wanted, version)
    public = version.partition("+")[0].lower()
    return any(re.match(re.escape(one.lower()) + r"(?!\d)", public) for one in wanted)


def show(wanted: Wanted) -> str:
    """What a row names, for people."""
    return wanted if isinstance(wanted, str) else " | ".join(wanted)


def base_version(version: str) -> str:
    """The numbers of a version without local build, post or rc: ``2.8.0.post2`` is ``2.8.0``."""
    match = re.match(r"\d+(?:\.\d+){0,2}", version)
    return match[0] if match else version


def _check_range(entry: Entry, wanted: str) -> None:
    try:
        version_clauses(wanted)
    except ValueError as error:
        raise CatalogueError(f"{entry.where}: {error}") from error


def unmet(requirements: Sequence[str], versions: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Requirements of a package's metadata that what is installed does not meet: (requirement, name, version).

    Only what can be told for certain: no markers, no package that is not in ``versions``, no ``~=``.
    """
    found: list[tuple[str, str, str]] = []
    for requirement in requirements:
        match = re.match(r"\s*([\w.-]+)(?:\[[^\]]*\])?\s*\(?\s*([^;()]*)\)?\s*\Z", requirement)
        if match is None:
            continue
        name = match[1].lower().replace("_", "-").replace(".", "-")
        version = versions.get(name, "")
        if version and any(not _holds(clause.strip(), version) for clause in match[2].split(",") if clause.strip()):
            found.append((f"{name}{match[2].strip()}", name, version))
    return found


def _holds(clause: str, version: str) -> bool:
    match = re.match(r"(===|==|!=|>=|<=|<|>)\s*([\w.*+!-]+)\Z", clause)
    if match is None:
        return True
    operator, bound = match[1], match[2]
    if operator in ("==", "==="):
        wanted = bound.removesuffix(".*")
        if bound.endswith(".*"):
            return allows((wanted,), version)
        # A local build fulfils a requirement without one; a post release is another version.
        have = version if "+" in wanted else version.partition("+")[0]
        return _same(have, wanted)
    if operator == "!=":
        return True
    return version_holds(f"{operator}{base_version(bound)}", version) or version_key(bound) == version_key(version)


def _same(have: str, wanted: str) -> bool:
    if have.lower() == wanted.lower():
        return True
    plain = re.compile(r"\d+(?:\.\d+)*\Z")
    return bool(plain.match(have) and plain.match(wanted)) and version_key(have) == version_key(wanted)
