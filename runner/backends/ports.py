"""Ports of a run: the same for every process of it, another for another run."""

from __future__ import annotations

import zlib
from pathlib import Path

HCCL_FIRST = 24_000  # below 32768, from where Linux hands ports out to whoever asks
HCCL_BLOCKS = 400
HCCL_WIDTH = 16  # HCCL takes one port a device from the base on; an A3 machine has 16


def hccl_port(run_dir: Path) -> int:
    """Base port of HCCL for a run: a block of 16 ports chosen by the run directory, so that two runs share a box."""
    return HCCL_FIRST + zlib.crc32(str(run_dir).encode("utf-8", "surrogateescape")) % HCCL_BLOCKS * HCCL_WIDTH
