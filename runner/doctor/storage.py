"""Disks, inodes, and how long the paths of Ray's sockets become."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .finding import Finding, Scene

if TYPE_CHECKING:
    from ..facts.limits import Place

_FULL, _SCARCE, _LOW = 0.1, 1.0, 20.0  # GiB
_FEW_INODES, _NO_INODES = 20_000, 200
_RAY_STOPS = 95.0  # percent of the disk (RAY_local_fs_capacity_threshold)
_SUN_PATH = 107
# /ray/session_2026-01-31_23-59-59_123456_1234567/sockets/plasma_store
_BELOW = len("/ray/session_2026-01-31_23-59-59_123456_1234567/sockets/plasma_store")
_ROLES: dict[str, dict[str, str]] = {
    "work": {"en": "The working directory", "zh": "工作目录"},
    "home": {"en": "The home directory", "zh": "主目录"},
    "ray": {"en": "Ray's temporary directory", "zh": "Ray 临时目录"},
}
_SHORT: dict[str, dict[str, str]] = {
    "work": {"en": "here", "zh": "当前目录"},
    "home": {"en": "home", "zh": "主目录"},
    "ray": {"en": "Ray", "zh": "Ray"},
}


def judge_storage(scene: Scene) -> Iterator[Finding]:
    """Findings about the places in which a run writes."""
    places = [one for one in scene.limits.places if one.role in _ROLES]
    known = [one for one in places if one.free_gib is not None]
    listed = {
        lang: ("、" if lang == "zh" else ", ").join(f"{_SHORT[one.role][lang]} {one.free_gib:.0f} GiB" for one in known)
        for lang in ("en", "zh")
    }
    yield Finding("storage-ok", "ok", "disk", {"listed": listed})
    seen: set[tuple[Any, ...]] = set()
    for place in places:
        for finding in _place(place):
            # Two directories of one disk are one finding.
            mark = (finding.id, place.free_gib, place.total_gib)
            if mark not in seen or finding.id == "not-writable":
                seen.add(mark)
                yield finding
    yield from _sockets(scene)


def _place(place: Place) -> Iterator[Finding]:
    params: dict[str, Any] = {"role": _ROLES[place.role], "path": place.path}
    if not place.writable:
        yield Finding("not-writable", "warning", place.path, params)
    if place.free_gib is not None:
        free = {**params, "free": f"{place.free_gib:.2g}"}
        if place.free_gib < _FULL:
            yield Finding("disk-full", "error", place.path, free)
        elif place.free_gib < (_LOW if place.role == "work" else _SCARCE):
            yield Finding("disk-low", "warning" if place.free_gib < _SCARCE else "hint", place.path, free)
    if place.free_inodes is not None and place.free_inodes < _FEW_INODES:
        level = "error" if place.free_inodes < _NO_INODES else "warning"
        yield Finding("inodes-low", level, place.path, {**params, "free": place.free_inodes})
    if place.role == "ray" and (place.used_percent or 0.0) >= _RAY_STOPS:
        used = {"path": place.path, "used": f"{place.used_percent:.0f}"}
        yield Finding("ray-disk-nearly-full", "warning", place.path, used)


def _sockets(scene: Scene) -> Iterator[Finding]:
    limits = scene.limits
    most = _SUN_PATH - _BELOW
    length = len(limits.temporary.rstrip("/").encode())
    if length > most:
        params = {"variable": limits.temporary_from or "TMPDIR", "path": limits.temporary}
        yield Finding("socket-path-long", "warning", params["variable"], {**params, "length": length, "most": most})
