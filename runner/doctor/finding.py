"""What the doctor knows and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ..facts.ascend import Ascend
    from ..facts.limits import Limits
    from ..facts.network import Network
    from ..facts.software import ImportTrial, Software
    from ..facts.system import RayProcess, System
    from ..stream.device_types import DeviceTable

Level = Literal["ok", "hint", "warning", "error"]
LEVELS: tuple[Level, ...] = ("error", "warning", "hint", "ok")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; the sentences of ``id`` are in templates/doctor/ or templates/software/.

    Attributes:
        level: ``error`` stops a training, ``warning`` stops or slows some, ``hint`` is worth knowing, ``ok`` is well.
        subject: what it is about: a variable, a package, a device, a directory; "" where the id says it.
        params: values of the sentences; a mapping with ``en`` and ``zh`` is a text itself.
        source: who says so, where it is another one than the entry's.
    """

    id: str
    level: Level
    subject: str = ""
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    source: str = ""


@dataclass(frozen=True, slots=True)
class Wants:
    """What a configuration file asks for.

    Attributes:
        file: its name, as it was given.
        target: ``agentsdk``, ``ascendfactory``, ``verl``, ``mindspeed-rl`` or ``local``.
        backend: the training software below it, ``verl`` or ``mindspeed-rl``.
        nodes: how many machines.
        devices: devices on each of them; None where the file does not say or uses none.
        engine: rollout engine (``vllm``, ``sglang``), "" where it is not known.
        verl_version: the version that was named on the command line.
        errors: errors of the file itself.
        readable: whether it could be read at all.
    """

    file: str
    target: str
    backend: str = "verl"
    nodes: int = 1
    devices: int | None = None
    engine: str = ""
    verl_version: str = ""
    errors: int = 0
    readable: bool = True


@dataclass(frozen=True, slots=True)
class Scene:
    """All facts; those that were not gathered are None.

    Attributes:
        devices: what the device tool listed.
        tool: the tool that was asked, "" when there is none.
        tool_problem: ``timeout``, ``failed``, ``flood``, ``not_started`` or "" (as `facts.devices.ToolOutput`).
        tool_said: the first line it said when it listed nothing.
        tool_words: in both languages, why it listed nothing.
        tool_timeout: seconds it had.
    """

    software: Software
    ascend: Ascend
    network: Network
    limits: Limits
    system: System
    devices: DeviceTable | None = None
    tool: str = ""
    tool_problem: str = ""
    tool_said: str = ""
    tool_words: Mapping[str, str] = field(default_factory=dict[str, str])
    tool_timeout: float = 0.0
    imports: tuple[ImportTrial, ...] = ()
    ray: tuple[RayProcess, ...] = ()
    wants: Wants | None = None

    @property
    def env(self) -> Mapping[str, str]:
        """The environment variables."""
        return self.network.env

    @property
    def has(self) -> Mapping[str, str]:
        """Package -> version of what the training interpreter would import."""
        return self.software.versions

    @property
    def npu(self) -> bool:
        """Whether NPUs are here, or are meant to be."""
        listed = self.devices is not None and self.devices.source == "npu-smi" and bool(self.devices.devices)
        return self.ascend.any or listed or "torch-npu" in self.software.found

    @property
    def device_count(self) -> int | None:
        """Devices of this machine (dies on an A3); None when that could not be told."""
        if self.devices is not None and self.devices.devices:
            return len(self.devices.devices)
        return len(self.ascend.devices) or None

    @property
    def nodes(self) -> int:
        """Nodes that the file asks for, 1 without one."""
        return self.wants.nodes if self.wants else 1
