"""The worked agent example over seeds: what real verl GRPO on this CPU makes of it.

``.venv/bin/python bench/agent_example.py [--seeds 0 1 2 3 4] [--steps N] [--keep DIR]`` runs `agentic-rl quickstart
--agent` once a seed in a directory of its own and reads what the run left (run.json, metrics.jsonl). A line of JSON a
seed, then a table; asserts nothing. Set AGENTIC_RL_PYTHON where the training interpreter is another one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

WON = "val-aux/agentic_rl/guess/traj_res_reward/mean"
LAST = 5
# Column -> metric; each is shown as the mean of the first and of the last steps.
CURVES = {
    "reward": "critic/rewards/mean",
    "turns": "traj/steps_mean",
    "calls": "traj/toolcall_reward_mean",
    "won": "traj/res_reward_mean",
}


def rows(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def measure(folder: Path, seed: int, steps: int) -> dict[str, Any]:
    """Run one seed and read its run directory."""
    program = Path(sys.executable).with_name("agentic-rl")
    began = time.monotonic()
    argv = [str(program), "quickstart", "--agent", "--plain", "--lang", "en"]
    argv += ["--dir", str(folder), "--seed", str(seed), "--steps", str(steps)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    whole = time.monotonic() - began
    if done.returncode:
        raise SystemExit(f"seed {seed}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return read(next((folder / "runs").glob("*/*/*/run.json")).parent, seed, whole)


def read(run: Path, seed: int, whole: float) -> dict[str, Any]:
    """One row from a run directory; ``whole`` is the seconds of the command."""
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    metrics = rows(run / "metrics.jsonl")
    row: dict[str, Any] = {"seed": seed, "whole_s": round(whole)}
    row["prepare_s"] = round(whole - (record["ended"] - record["created"]))
    for name, metric in CURVES.items():
        values = [m["data"][metric] for m in metrics if metric in m["data"]]
        row[f"{name}_first"], row[f"{name}_last"] = mean(values[:LAST]), mean(values[-LAST:])
    times = [m["time"] for m in metrics if CURVES["reward"] in m["data"]]
    row["first_step_s"] = round(times[0] - record["started"])
    row["per_step_s"] = round((times[-1] - times[0]) / max(1, len(times) - 1), 2)
    held_out = [v for m in metrics for k, v in m["data"].items() if k.startswith(WON)]
    row["held_out_before"] = round(held_out[0], 3) if held_out else None
    row["held_out_after"] = round(held_out[-1], 3) if held_out else None
    return row


def mean(values: Sequence[float]) -> float | None:
    """The mean of a few values."""
    return round(sum(values) / len(values), 3) if values else None


def table(found: Sequence[dict[str, Any]]) -> str:
    """Markdown, one line a seed."""
    pairs = [*CURVES, "held_out"]
    ends = {name: ("before", "after") if name == "held_out" else ("first", "last") for name in pairs}
    lines = [
        "| seed | " + " | ".join(pairs) + " | seconds (prepare, first step, a step) |",
        "|---" * (len(pairs) + 2) + "|",
    ]
    for row in found:
        cells = [f"{row[f'{name}_{ends[name][0]}']} -> {row[f'{name}_{ends[name][1]}']}" for name in pairs]
        seconds = f"{row['whole_s']} ({row['prepare_s']}, {row['first_step_s']}, {row['per_step_s']})"
        lines.append(f"| {row['seed']} | " + " | ".join(cells) + f" | {seconds} |")
    return "\n".join(lines)


def main() -> None:
    """Measure every seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--keep", type=Path, default=None)
    options = parser.parse_args()
    base = options.keep or Path(tempfile.mkdtemp(prefix="agent-example-"))
    found: list[dict[str, Any]] = []
    for seed in options.seeds:
        found.append(measure(base / f"seed{seed}", seed, options.steps))
        print(json.dumps(found[-1]), flush=True)
    print(table(found))


if __name__ == "__main__":
    main()
