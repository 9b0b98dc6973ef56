"""Facts of a machine -> findings about it; pure: no disk, no process (the command is cli/doctor/)."""

from .finding import Finding, Level, Scene, Wants
from .judge import judge

__all__ = ["Finding", "Level", "Scene", "Wants", "judge"]
