"""The two keys of an AscendFactory file (document 004): where it writes, and what its back end is configured with."""

from __future__ import annotations

OUTPUT = "af_output_dir"
TREE = "backend_config"
PREFIX = f"{TREE}."
