"""run.json and the names of the files of a run directory (design 8)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

State = Literal["starting", "running", "stopping", "finished", "failed", "stopped", "lost"]

ENDED: frozenset[str] = frozenset({"finished", "failed", "stopped", "lost"})

RECORD = "run.json"
CONFIG = "config.yaml"
PLAN = "plan.json"
LOG = "train.log"
METRICS = "metrics.jsonl"
EVENTS = "events.jsonl"
DEVICES = "devices.jsonl"
RESOLVED = "resolved"
ROLLOUTS = "rollouts"


@dataclass(slots=True)
class RunRecord:
    """The state of one attempt. Times are seconds since the epoch; ``start_time`` of a pid as /proc tells it.

    ``reason`` is the line of the log that tells why a run failed; ``causes`` what the failure catalogue makes of the
    log, the first cause first, with the texts of every language.
    """

    id: str
    directory: str
    project: str
    experiment: str
    state: State = "starting"
    backend: str = ""
    backend_version: str = ""
    device: str = ""
    host: str = ""
    boot_id: str = ""
    uid: int = 0
    supervisor_pid: int = 0
    supervisor_start: float = 0.0
    pid: int = 0
    pid_start: float = 0.0
    created: float = 0.0
    started: float = 0.0
    ended: float = 0.0
    exit_code: int | None = None
    signal: int | None = None
    stop_requested: bool = False
    config: str = ""
    checkpoint_dir: str = ""
    resumed_step: int = 0
    total_steps: int | None = None
    previous: str = ""
    reason: str = ""
    causes: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    reason_codes: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    lost_bytes: int = 0
    versions: dict[str, str] = field(default_factory=dict[str, str])

    def write(self) -> None:
        """Write run.json atomically, mode 640."""
        target = Path(self.directory) / RECORD
        temporary = target.with_name(f".{RECORD}.{os.getpid()}.tmp")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o640)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(asdict(self), stream, ensure_ascii=False, indent=1)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)

    @classmethod
    def read(cls, directory: str | Path) -> RunRecord:
        """Read run.json of a run directory.

        Raises:
            OSError: the file can't be read. ValueError: it is not a run record.
        """
        data: Any = json.loads((Path(directory) / RECORD).read_text(encoding="utf-8"))
        if not isinstance(data, Mapping) or "id" not in data:
            raise ValueError(f"{directory}: {RECORD} is not a run record")
        known = {f.name for f in fields(cls)}
        values: dict[str, Any] = {str(k): v for k, v in data.items() if k in known}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        values["directory"] = str(directory)
        if not all(isinstance(values.get(name), str) for name in ("id", "project", "experiment")):
            raise ValueError("not the record of a run: it lacks id, project or experiment")
        return cls(**values)
