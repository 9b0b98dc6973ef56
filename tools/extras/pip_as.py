"""pip as it would be on another architecture: ``python pip_as.py aarch64 install ...``.

``pip --platform`` chooses wheels of another platform, but still evaluates `platform_machine` in requirements with the
machine it runs on: torch's triton for x86_64 would be asked for on aarch64.
"""

from __future__ import annotations

import platform
import sys


def main() -> int:
    """Run pip with the machine's name changed."""
    from pip._internal.cli.main import main as pip

    machine = sys.argv[1]
    platform.machine = lambda: machine  # pyright: ignore
    return pip(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
