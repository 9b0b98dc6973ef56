"""A training environment for one test, with stand-ins of the Ascend commands (tests/standins/commands)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

COMMANDS = Path(__file__).resolve().parent.parent / "standins" / "commands"
MODULES = {
    "agentic_rl": "standin_agentic_rl",
    "ascendfactory-cli": "standin_factory",
    "npu-smi": "standin_npu_smi",
    "ray": "standin_ray",
}
# What the stand-ins import; the environment has nothing else.
_LIBRARIES = ("yaml", "pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection")


class Environment:
    """Folder of an environment: its python, its commands and how they behave."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.python = str(self.bin / "python")

    def behave(self, **behaviour: Any) -> None:
        """Tell the stand-ins what to do from now on."""
        told = {"cluster": str(self.folder / "ray_cluster"), **behaviour}
        (self.folder / "standin.json").write_text(json.dumps(told))

    def command(self, name: str) -> str:
        """Path of a command."""
        return str(self.bin / name)

    def start_ray_cluster(self) -> None:
        """As somebody would before a start on several machines."""
        subprocess.run([self.command("ray"), "start", "--head"], check=True, capture_output=True)


def make_environment(
    folder: Path, commands: tuple[str, ...] = ("agentic_rl",), versions: Mapping[str, str] | None = None
) -> Environment:
    """Make an environment.

    Args:
        folder: where; must not exist.
        commands: which stand-ins it has.
        versions: distributions that its package metadata name (``agentic_rl``: ``26.0.0``, verl: ``0.5.0``).
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    for name in _LIBRARIES:
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None
        origin = Path(spec.origin)
        source = origin.parent if origin.name == "__init__.py" else origin
        (packages / source.name).symlink_to(source)
    for name, version in (versions or {"agentic_rl": "26.0.0", "verl": "0.5.0"}).items():
        info = packages / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    made = Environment(folder)
    for name in commands:
        script = made.bin / name
        script.write_text(
            f"#!{made.python}\n"
            f"# A stand-in of agentic-rl's tests, no back end.\nimport sys\nsys.path.insert(0, {str(COMMANDS)!r})\n"
            f"from {MODULES[name]} import main\nsys.exit(main())\n"
        )
        script.chmod(0o755)
    made.behave()
    return made
