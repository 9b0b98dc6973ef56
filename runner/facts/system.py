"""This machine as such: kernel, architecture, container, clock; and the Ray processes this user has left on it."""

from __future__ import annotations

import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path

_RAY = ("raylet", "gcs_server")
_CONTAINERS = {".dockerenv": "docker", "run/.containerenv": "podman"}


@dataclass(frozen=True, slots=True)
class System:
    """This machine.

    Attributes:
        machine: architecture, ``aarch64`` or ``x86_64``.
        kernel: release of the kernel.
        system: name of the distribution, "" when it does not tell.
        python: version of the Python that runs this tool.
        container: ``docker``, ``podman``, ``kubernetes``, or "".
        clock: seconds since the epoch, as the machine's clock says.
        newest: seconds since the epoch of the newest file of this tool: a clock that is behind it is wrong.
        root: whether this user is root.
    """

    machine: str = ""
    kernel: str = ""
    system: str = ""
    python: str = ""
    container: str = ""
    clock: float = 0.0
    newest: float = 0.0
    root: bool = False


@dataclass(frozen=True, slots=True)
class RayProcess:
    """A head or node process of Ray that belongs to this user; ``run`` is the id of the run that started it, or ""."""

    pid: int
    name: str
    age_s: float
    run: str = ""


def look_at_system(root: str | os.PathLike[str] = "/") -> System:
    """Look at the machine; ``root`` is where ``etc`` and ``run`` are."""
    top = Path(root)
    return System(
        machine=platform.machine(),
        kernel=platform.release(),
        system=_distribution(top / "etc" / "os-release"),
        python=platform.python_version(),
        container=_container(top),
        clock=time.time(),
        newest=max((path.stat().st_mtime for path in Path(__file__).parent.glob("*.py")), default=0.0),
        root=os.geteuid() == 0,
    )


def look_at_ray() -> tuple[RayProcess, ...]:
    """Ray's node processes of this user; those of others can't be told from here and are nobody's business."""
    import psutil

    found: list[RayProcess] = []
    for process in psutil.process_iter(["pid", "name", "uids", "create_time"]):
        try:
            if process.info["name"] in _RAY and process.info["uids"].real == os.getuid():
                run = _run_of(process)
                found.append(RayProcess(process.pid, process.info["name"], time.time() - process.create_time(), run))
        except (psutil.Error, OSError, AttributeError):
            continue
    return tuple(found)


def _run_of(process: object) -> str:
    import psutil

    try:
        return str(process.environ().get("AGENTIC_RL_RUN_ID", ""))  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    except (psutil.Error, OSError):
        return ""


def _container(root: Path) -> str:
    if os.environ.get("KUBERNETES_SERVICE_HOST"):
        return "kubernetes"
    return next((name for path, name in _CONTAINERS.items() if (root / path).exists()), "")


def _distribution(path: Path) -> str:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    names = dict(line.split("=", 1) for line in lines if "=" in line)
    return names.get("PRETTY_NAME", "").strip("\"'")
