"""Measure the quick start of the local back end.

``PYTHON bench/quickstart_on_cpu.py DIR [--seed S] [OVERRIDE ...]``

PYTHON is the training interpreter (verl, torch, PyYAML). Prepares the quick start, trains with AgentSDK's
constants and every entry of ``cpu_overrides.yaml``, and prints one JSON object: seconds to the first step, a
step, in all; the peak of the memory of all processes (PSS, MiB); reward on training prompts and accuracy on
held-out ones. The log has the seconds since launch before each line.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import yaml

INSIDE = Path(__file__).resolve().parents[1] / "runner" / "inside" / "agentic_rl_inside"

SETTINGS = {
    "data.train_batch_size": 32,
    "data.max_prompt_length": 32,
    "data.max_response_length": 8,
    "data.truncation": "left",
    "actor_rollout_ref.rollout.n": 5,
    "actor_rollout_ref.rollout.temperature": 0.8,
    "actor_rollout_ref.actor.optim.lr": 5e-4,
    "actor_rollout_ref.actor.ppo_mini_batch_size": 16,
    "actor_rollout_ref.actor.ppo_max_token_len_per_gpu": 16384,
    "actor_rollout_ref.actor.use_kl_loss": False,
    "trainer.total_training_steps": 45,
    "trainer.total_epochs": 100,
    "trainer.save_freq": 15,
    "trainer.test_freq": 15,
    "trainer.val_before_train": True,
}
"""What the quick start's own configuration file says, in verl's names."""

AGENTSDK = {
    "algorithm.adv_estimator": "grpo",
    "algorithm.use_kl_in_reward": False,
    "actor_rollout_ref.rollout.val_kwargs.top_k": -1,
    "actor_rollout_ref.rollout.val_kwargs.top_p": 0.95,
    "actor_rollout_ref.rollout.val_kwargs.temperature": 0.6,
    "actor_rollout_ref.rollout.val_kwargs.n": 1,
    "actor_rollout_ref.rollout.val_kwargs.do_sample": True,
    "trainer.logger": "[console,file]",
    "trainer.project_name": "bench",
    "trainer.experiment_name": "quickstart",
}


def command(folder: Path, ray_tmp: str, given: list[str]) -> tuple[list[str], dict[str, str]]:
    """The argument list and environment of the training process."""
    stated: dict[str, Any] = yaml.safe_load((INSIDE / "cpu_overrides.yaml").read_text("utf-8"))
    places = {
        "{inside}": str(INSIDE),
        "{model}": str(folder / "model"),
        "{ray_tmp}": ray_tmp,
        "{run}": str(folder),
    }

    def filled(value: Any) -> str:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        for placeholder, path in places.items():
            text = text.replace(placeholder, path)
        return text

    overrides = {**AGENTSDK, **SETTINGS}
    overrides["actor_rollout_ref.model.path"] = folder / "model"
    overrides["data.train_files"], overrides["data.val_files"] = (
        folder / "train.parquet",
        folder / "heldout.parquet",
    )
    overrides["trainer.default_local_dir"] = folder / "checkpoints"
    critic = "algorithm.adv_estimator=gae" in given
    for entry in stated["overrides"]:
        when = entry.get("when", "")
        if when.startswith("otherwise") or ("gae" in when and not critic):
            continue
        overrides[("+" if entry.get("add") else "") + entry["key"]] = entry["value"]
    environment = {**os.environ, **{entry["name"]: filled(entry["value"]) for entry in stated["environment"]}}
    for entry in stated["unset"]:
        environment.pop(entry["name"], None)
    arguments = [f"{key}={filled(value)}" for key, value in overrides.items()]
    return [sys.executable, "-m", "verl.trainer.main_ppo", *arguments, *given], environment


class Usage:
    """Memory and CPU time of all processes of a session, looked at now and then.

    CPU seconds are what to compare on a machine that others use too.
    """

    def __init__(self, session: int) -> None:
        self._session = session
        self._cpu: dict[str, float] = {}
        self.peak_mib = 0.0

    def look(self) -> None:
        """Take the processes' figures as they are now."""
        total = 0
        for process in Path("/proc").iterdir():
            try:
                if process.name.isdigit() and os.getsid(int(process.name)) == self._session:
                    total += int((process / "smaps_rollup").read_text().split("\nPss:")[1].split()[0])
                    fields = (process / "stat").read_text().rpartition(")")[2].split()
                    self._cpu[process.name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            except (OSError, IndexError):
                continue
        self.peak_mib = max(self.peak_mib, total / 1024)

    @property
    def cpu_s(self) -> float:
        return round(sum(self._cpu.values()), 1)


def results(folder: Path) -> dict[str, Any]:
    """Rewards and accuracies from verl's own file logger."""
    rows = [json.loads(line)["data"] for line in (folder / "metrics.jsonl").read_text().splitlines()]
    rewards = [row["critic/score/mean"] for row in rows if "critic/score/mean" in row]
    held_out = [row[key] for row in rows for key in row if key.startswith("val-core/")]
    apart = [
        row["training/rollout_probs_diff_mean"] for row in rows if "training/rollout_probs_diff_mean" in row
    ]
    return {
        "steps": len(rewards),
        "reward_first_5": round(sum(rewards[:5]) / 5, 3),
        "reward_last_5": round(sum(rewards[-5:]) / 5, 3),
        "held_out": [round(value, 3) for value in held_out],
        "rollout_probs_diff_mean": max(apart),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options, given = parser.parse_known_args()
    folder = options.folder.absolute()
    began = time.monotonic()
    prepare = [
        sys.executable,
        "-m",
        "agentic_rl_inside.quickstart",
        "--out",
        str(folder),
        "--seed",
        str(options.seed),
    ]
    path = {**os.environ, "PYTHONPATH": str(INSIDE.parent), "OMP_NUM_THREADS": "1"}
    subprocess.run(prepare, check=True, env=path, stdout=subprocess.DEVNULL)
    prepared = time.monotonic() - began
    figures: dict[str, Any] = {"seed": options.seed, "prepare_s": round(prepared, 1)}
    with tempfile.TemporaryDirectory(prefix="arl") as ray_tmp, (folder / "train.log").open("w") as log:
        arguments, environment = command(folder, ray_tmp, [f"data.seed={options.seed}", *given])
        began = time.monotonic()
        child = subprocess.Popen(
            arguments,
            env=environment,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        usage = Usage(child.pid)

        def watch() -> None:
            while child.poll() is None:
                usage.look()
                time.sleep(3)

        threading.Thread(target=watch, daemon=True).start()
        stamps: list[float] = []
        assert child.stdout
        for line in child.stdout:
            now = time.monotonic() - began
            log.write(f"{now:7.2f} {line}")
            if "training/global_step:" in line:
                stamps.append(now)
                figures.setdefault("first_step_cpu_s", usage.cpu_s)
        figures["exit"] = child.wait()
        figures["total_s"] = round(time.monotonic() - began, 1)
    if stamps:
        figures["first_step_s"] = round(stamps[0], 1)
        figures["step_s"] = round((stamps[-1] - stamps[0]) / max(1, len(stamps) - 1), 2)
    figures["cpu_s"], figures["peak_pss_mib"] = usage.cpu_s, round(usage.peak_mib)
    if (folder / "metrics.jsonl").exists() and stamps:
        figures.update(results(folder))
    print(json.dumps(figures))
    return figures["exit"]


if __name__ == "__main__":
    raise SystemExit(main())
