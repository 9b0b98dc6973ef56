"""What of the Ascend stack lies on this machine: driver, firmware, CANN, ATB, device files. Starts no process.

Places: the driver's installers write ``version.info`` (``Version=25.3.0``); CANN writes
``<toolkit>/<arch>-linux/ascend_toolkit_install.info`` (``version=8.3.RC1``, read also by vllm-ascend's collect_env) and
names its folders after the release (``ascend-toolkit/8.3.RC1``, ``cann-8.5.0``).
"""

from __future__ import annotations

import grp
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

HOME = "usr/local/Ascend"
GROUP = "HwHiAiUser"
MANAGERS = ("davinci_manager", "devmm_svm", "hisi_hdc")
_DEVICE = re.compile(r"davinci\d+\Z")
_VERSION = re.compile(r"^\s*(?:Version|version|package_version)\s*=\s*\[?\s*([\w.+-]+)", re.MULTILINE)
_RELEASE = re.compile(r"(?:^|[-/])(\d+\.\d+\.(?:RC\d+|\d+)(?:\.\w+)*)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Toolkit:
    """An installed CANN: its folder, its release ("" when unknown), its set_env.sh ("" when it has none)."""

    place: str
    version: str = ""
    set_env: str = ""


@dataclass(frozen=True, slots=True)
class DeviceFile:
    """A device file of the driver: whether it can be opened for reading and writing, and its group."""

    name: str
    usable: bool
    group: str = ""


@dataclass(frozen=True, slots=True)
class Ascend:
    """The Ascend stack of this machine; "" and () are: not there.

    Attributes:
        driver: version of the NPU driver; ``?`` when it is there and does not tell.
        firmware: version of the firmware.
        toolkits: CANN installations, the one that the environment names first.
        sourced: whether CANN's environment is set (``ASCEND_HOME_PATH`` or ``ASCEND_TOOLKIT_HOME`` names a folder).
        home: the folder that the environment names, as it stands there.
        atb_set_env: set_env.sh of nnal/atb, where it is installed.
        atb_sourced: whether ATB's environment is set and names a folder.
        devices: ``/dev/davinci0`` and the like.
        managers: ``/dev/davinci_manager`` and what else a process needs.
        in_group: whether this user is in the driver's group (or is root); None when there is no such group.
    """

    driver: str = ""
    firmware: str = ""
    toolkits: tuple[Toolkit, ...] = ()
    sourced: bool = False
    home: str = ""
    atb_set_env: str = ""
    atb_sourced: bool = False
    devices: tuple[DeviceFile, ...] = ()
    managers: tuple[DeviceFile, ...] = ()
    in_group: bool | None = None

    @property
    def cann(self) -> str:
        """Release of the CANN that is in use: the sourced one, else the only one; "" when that is not known."""
        if self.sourced or len(self.toolkits) == 1:
            return self.toolkits[0].version if self.toolkits else ""
        return ""

    @property
    def any(self) -> bool:
        """Whether this looks like a machine with NPUs, or one that is meant to have them."""
        return bool(self.driver or self.toolkits or self.devices or self.managers)


def look_at_ascend(root: str | os.PathLike[str] = "/", env: Mapping[str, str] | None = None) -> Ascend:
    """Look at driver, CANN and device files.

    Args:
        root: where ``usr``, ``dev`` and ``etc`` are (tests put a folder of their own).
        env: the environment to judge; this process's own when None.
    """
    top = Path(root)
    variables = os.environ if env is None else env
    base = top / HOME
    home = variables.get("ASCEND_HOME_PATH") or variables.get("ASCEND_TOOLKIT_HOME") or ""
    sourced = bool(home) and _is_folder(Path(home))
    toolkits = list(_toolkits(base, Path(home) if sourced else None))
    atb = base / "nnal" / "atb" / "set_env.sh"
    atb_home = variables.get("ATB_HOME_PATH", "")
    names = sorted(_names(top / "dev"), key=lambda name: (len(name), name))
    return Ascend(
        driver=_version(base / "driver" / "version.info"),
        firmware=_version(base / "firmware" / "version.info"),
        toolkits=tuple(toolkits),
        sourced=sourced,
        home=home,
        atb_set_env=str(atb) if atb.is_file() else "",
        atb_sourced=bool(atb_home) and _is_folder(Path(atb_home)),
        devices=tuple(_device(top / "dev" / name) for name in names if _DEVICE.match(name)),
        managers=tuple(_device(top / "dev" / name) for name in MANAGERS if name in names),
        in_group=_in_group(top),
    )


def _toolkits(base: Path, named: Path | None) -> Iterator[Toolkit]:
    """The CANN that is sourced, then the others; links that lead to one folder count once."""
    candidates = [named] if named else []
    candidates += [base / "cann", *sorted(base.glob("cann-*"), reverse=True)]
    candidates += [base / "ascend-toolkit" / "latest", *sorted((base / "ascend-toolkit").glob("*"), reverse=True)]
    seen: set[Path] = set()
    for folder in candidates:
        real = _real(folder)
        if real is None or real in seen or not real.is_dir() or not _looks_like_cann(real, folder == named):
            continue
        seen.add(real)
        scripts = (folder / "set_env.sh", folder.parent / "set_env.sh")
        script = next((str(path) for path in scripts if path.is_file()), "")
        yield Toolkit(str(folder), _toolkit_version(real), script)


def _looks_like_cann(folder: Path, named: bool) -> bool:
    # ascend-toolkit/ also holds set_env.sh itself and links into the release.
    return named or bool(_RELEASE.search(folder.name)) or bool(_toolkit_version(folder))


def _toolkit_version(folder: Path) -> str:
    for pattern in ("*-linux/ascend_toolkit_install.info", "ascend_toolkit_install.info"):
        for path in sorted(folder.glob(pattern)):
            if version := _version(path):
                return version
    match = _RELEASE.search(folder.name)
    return match[1] if match else ""


def _version(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")[:4096]
    except FileNotFoundError:
        return ""
    except OSError:
        return "?" if path.parent.is_dir() else ""
    match = _VERSION.search(text)
    return match[1] if match else "?"


def _device(path: Path) -> DeviceFile:
    try:
        group = grp.getgrgid(path.stat().st_gid).gr_name
    except (OSError, KeyError):
        group = ""
    return DeviceFile(path.name, os.access(path, os.R_OK | os.W_OK), group)


def _in_group(root: Path) -> bool | None:
    try:
        lines = (root / "etc" / "group").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        fields = line.split(":")
        if fields[0] == GROUP and len(fields) > 2 and fields[2].isdecimal():
            return os.geteuid() == 0 or int(fields[2]) in (*os.getgroups(), os.getegid())
    return None


def _names(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _real(path: Path) -> Path | None:
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None
