"""The quick start over seeds: times, memory, rewards, held-out accuracy.

``.venv/bin/python bench/quickstart.py [--seeds 0 1 2 3 4] [--steps N] [--keep DIR]`` runs `agentic-rl quickstart`
once a seed in a directory of its own and reads what the run left (run.json, metrics.jsonl, devices.jsonl). One row a
seed; asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HELD_OUT = "val-core/agentic_rl/addition/"


def rows(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def measure(folder: Path, seed: int, steps: int) -> dict[str, Any]:
    """Run one seed and read its run directory."""
    program = Path(sys.executable).with_name("agentic-rl")
    began = time.monotonic()
    argv = [str(program), "quickstart", "--dir", str(folder), "--seed", str(seed), "--steps", str(steps)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    whole = time.monotonic() - began
    if done.returncode:
        raise SystemExit(f"seed {seed}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    run = next((folder / "runs").glob("*/*/*/run.json")).parent
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    metrics = rows(run / "metrics.jsonl")
    trained = [m for m in metrics if "critic/rewards/mean" in m["data"]]
    rewards = [m["data"]["critic/rewards/mean"] for m in trained]
    held_out = [v for m in metrics for k, v in m["data"].items() if k.startswith(HELD_OUT)]
    times = [m["time"] for m in trained]
    memory = max((row["cpu"].get("memory_mib") or 0 for row in rows(run / "devices.jsonl")), default=0)
    return {
        "seed": seed,
        "whole_s": round(whole),
        "prepare_s": round(whole - (record["ended"] - record["created"])),
        "first_step_s": round(times[0] - record["started"]),
        "per_step_s": round((times[-1] - times[0]) / max(1, len(times) - 1), 2),
        "memory_mib": round(memory),
        "reward_first5": round(sum(rewards[:5]) / len(rewards[:5]), 3),
        "reward_last5": round(sum(rewards[-5:]) / len(rewards[-5:]), 3),
        "held_out_before": round(held_out[0], 3) if held_out else None,
        "held_out_after": round(held_out[-1], 3) if held_out else None,
    }


def main() -> None:
    """Measure every seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--steps", type=int, default=36)
    parser.add_argument("--keep", type=Path, default=None)
    options = parser.parse_args()
    base = options.keep or Path(tempfile.mkdtemp(prefix="quickstart-"))
    for seed in options.seeds:
        row = measure(base / f"seed{seed}", seed, options.steps)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
