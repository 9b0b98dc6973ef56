"""What an entry script does, in its order: configuration, Ray, weights, data, iterations, checkpoints."""

from __future__ import annotations

import glob
import logging
import math
import os
import signal
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from .classes import class_values, runtime_env, validate
from .compose import compose

PREFIX = f"(train pid={os.getpid()}) "


def say(text: str, *, worker: bool = True, level: str = "INFO ") -> None:
    """A line of the original's logger: local time outside, UTC inside; Ray's prefix before what a worker says."""
    inside = str(datetime.now(tz=timezone.utc)).split(".")[0]
    handler = logging.Formatter("%(asctime)s - %(levelname)s - %(message)s")
    record = logging.LogRecord("x", logging.INFO, "", 0, f"[{inside}] {level}{text}", (), None)
    print((PREFIX if worker else "") + handler.format(record), file=sys.stderr, flush=True)


def main(kind: str, arguments: list[str]) -> int:
    """One run; the exit code is the original's."""
    config = compose(arguments)
    say("start initializing local ray cluster", worker=False)
    rl = class_values("rl_config.py", "RLConfig", config["rl_config"])
    say(f"ray init with runtime_env: {runtime_env(rl)}", worker=False)
    shared = {**config["megatron_training"], **config["actor_config"]}
    actor = class_values("megatron_config.py", "MegatronConfig", shared, config.get("model"))
    generate = class_values("generate_config.py", "GenerateConfig", config["generate_config"])
    validate(actor, rl, generate)
    first = _load(actor, rl)
    if not glob.glob(f"{actor['data_path']}_packed_input_ids_document*"):
        raise KeyError("input_ids")
    say("after dataset is built")
    how = "sync" if rl["blocking"] else "async"
    say(f"{how} start {kind} training at iteration: {first}/{actor['train_iters']} ...")
    for iteration in range(first + 1, actor["train_iters"] + 1):
        _iteration(iteration, actor, rl)
        if iteration % actor["save_interval"] == 0 or iteration == actor["train_iters"]:
            _save(iteration, actor)
    say(f"after {kind} training is done")
    say("training process successfully!")
    return 0


def _load(actor: dict[str, Any], rl: dict[str, Any]) -> int:
    """The iteration to start at: 0 with ``finetune``, else what the tracker file says."""
    tracker = Path(str(actor["load"])) / "latest_checkpointed_iteration.txt"
    if not tracker.is_file():
        print(f"{PREFIX}WARNING: could not find the metadata file {tracker}", flush=True)
        print(f"{PREFIX}    will not load any checkpoints and will start from random", flush=True)
        return 0
    text = tracker.read_text().strip()
    number = int(text) if text.isdecimal() else 0
    folder = tracker.parent / (f"iter_{number:07d}" if number else "release")
    print(f"{PREFIX} loading checkpoint from {tracker.parent} at iteration {number}", flush=True)
    parts = sorted(path.name for path in folder.glob("mp_rank_*"))
    wanted = actor["tensor_model_parallel_size"] * actor["pipeline_model_parallel_size"]
    if len(parts) != wanted:
        raise FileNotFoundError(
            f"[Errno 2] No such file or directory: '{folder}/mp_rank_{wanted - 1:02d}/model_optim_rng.pt'"
        )
    if actor["finetune"]:
        return 0
    if not actor["no_load_optim"] and not (folder / parts[0] / "distrib_optim.pt").is_file():
        raise FileNotFoundError(f"Unable to load optimizer from checkpoint {folder}")
    mode = rl.get("integrated_mode_config") or {}
    say(f"reference weights from {mode.get('ref_model_load_path') or actor['load']}")
    print(
        f"{PREFIX}  successfully loaded checkpoint from {tracker.parent} [ t 0, p 0 ] at iteration {number}", flush=True
    )
    return number


def _iteration(iteration: int, actor: dict[str, Any], rl: dict[str, Any]) -> None:
    if iteration == 2 and os.environ.get("STANDIN_FAIL") == "oom":
        print("ray.exceptions.RayTaskError(OutOfMemoryError): ray::IntegratedWorker.update() (pid=7)", file=sys.stderr)
        print(
            "torch.OutOfMemoryError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.96 GiB total capacity)",
            file=sys.stderr,
        )
        sys.exit(1)
    if iteration == 2 and os.environ.get("STANDIN_FAIL") == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    reward = 1 - math.exp(-iteration / 3)
    values: dict[str, float] = {"timing/all": 0.5, "timing/update": 0.2, "timing/rollout": 0.2, "actor/lr": actor["lr"]}
    values |= {"actor/entropy": 1.2, "actor/pg_loss": -0.01, "grad_norm": 0.3}
    values |= {f"{name}_rewards/mean": reward for name in rl["verifier_function"]}
    values |= {"grpo/score/mean": reward, "response_length/mean": 64.0, "prompt_length/mean": 32.0, "e2e_tps": 100.0}
    parts = [f"{k} : {format(v, 'e') if 'lr' in k else format(v, '.4f')} " for k, v in values.items()]
    say(f"iteration: {iteration} / {actor['train_iters']} | " + "| ".join(parts), level="")


def _save(iteration: int, actor: dict[str, Any]) -> None:
    """Megatron's layout: a folder an iteration, a folder a rank, the tracker last."""
    top = Path(actor["save"])
    print(f"{PREFIX}saving checkpoint at iteration {iteration:7d} to {top} in torch format", flush=True)
    pipelined = actor["pipeline_model_parallel_size"] > 1
    for tensor in range(actor["tensor_model_parallel_size"]):
        for stage in range(actor["pipeline_model_parallel_size"]):
            name = f"mp_rank_{tensor:02d}_{stage:03d}" if pipelined else f"mp_rank_{tensor:02d}"
            folder = top / f"iter_{iteration:07d}" / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "model_optim_rng.pt").write_bytes(b"weights")
            if not actor["no_save_optim"]:
                (folder / "distrib_optim.pt").write_bytes(b"optimizer")
    (top / "latest_checkpointed_iteration.txt").write_text(str(iteration))
    print(f"{PREFIX}  successfully saved checkpoint from iteration {iteration:7d} to {top}", flush=True)
