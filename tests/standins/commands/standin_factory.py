"""Stand-in of `ascendfactory-cli train F`: verl's lines and checkpoints, AscendFactory's places. Trains nothing."""

# ruff: noqa: E501

import json
import os
import re
import sys

import yaml
from standin_training import pretend, resume, save_fsdp

SECTIONS = {"data", "actor_rollout_ref", "critic", "reward_model", "reward", "algorithm", "trainer", "rollout",
            "custom_reward_function", "ray_init", "ray_kwargs", "global_profiler"}  # fmt: skip
KNOWN = ("af_output_dir", "af_model_name")


def main():
    """As `ascendfactory-cli train F [--af_output_dir=D] [--env.NAME=VALUE]`."""
    print("[stand-in] ascendfactory-cli of agentic-rl's tests: it trains nothing", flush=True)
    words = sys.argv[1:]
    if len(words) < 2 or words[0] != "train":
        return usage("train FILE is missing")
    options = {}
    for word in words[2:]:
        match = re.fullmatch(r"--(env\.[A-Z_]+|\w+)=(.+)", word)
        if match is None or (match[1] not in KNOWN and not match[1].startswith("env.")):
            return usage(f"unrecognized arguments: {word}")
        options[match[1]] = match[2]
    with open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "..", "standin.json"), encoding="utf-8") as f:
        behaviour = json.load(f)
    try:
        with open(words[1], encoding="utf-8") as stream:
            values = yaml.safe_load(stream)
        return train({**values, **{k: v for k, v in options.items() if k in KNOWN}}, options, behaviour)
    except (OSError, ValueError, RuntimeError, TypeError) as error:
        print(f"Traceback (most recent call last):\n{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        return 1


def usage(problem):
    """argparse's words."""
    print(f"usage: ascendfactory-cli train FILE [options]\nascendfactory-cli: error: {problem}", file=sys.stderr)
    return 2


def train(values, options, behaviour):
    """The steps."""
    tree, output = values.get("backend_config"), values.get("af_output_dir")
    if not isinstance(tree, dict) or not output:
        raise ValueError("backend_config and af_output_dir are required")
    for section in tree:
        if section.partition(".")[0] not in SECTIONS:
            raise ValueError(f"Key '{section}' is not in struct")
    for path in (tree["data"]["train_files"], tree["data"]["val_files"]):
        if not os.path.exists(path):
            raise OSError(f"FileNotFoundError: {path}")
    trainer = tree.get("trainer", {})
    nodes = trainer.get("nnodes", 1)
    if nodes > 1:
        missing = [name for name in ("MASTER_ADDR", "NNODES", "NODE_RANK") if f"env.{name}" not in options]
        if missing or int(options["env.NNODES"]) != nodes:
            raise ValueError(f"{nodes} nodes: --env.{missing} missing or of another number")
    for name, value in (values.get("env") or {}).items():
        print(f"env: {name} has {len(str(value))} characters", flush=True)
    print("devices:", os.environ.get("ASCEND_RT_VISIBLE_DEVICES", "all"), flush=True)
    model = values.get("af_model_name") or os.path.basename(tree["actor_rollout_ref"]["model"]["path"])
    top = trainer.get("default_local_dir") or os.path.join(output, f"checkpoint_{model}")
    os.makedirs(top, exist_ok=True)
    world = trainer.get("n_gpus_per_node", 8) * nodes
    total = trainer.get("total_training_steps") or behaviour.get("steps", 3)
    every = trainer.get("save_freq", -1)
    print(f"(TaskRunner pid=7) Total training steps: {total}", flush=True)
    step = 0 if trainer.get("resume_mode", "auto") == "disable" else resume(top, world)
    while step < total:
        step += 1
        pretend(behaviour, step)
        print(f"(TaskRunner pid=7) step:{step} - critic/rewards/mean:{0.1 * step} - actor/pg_loss:np.float64({0.5 / step}) "
              f"- actor/lr:1e-06 - timing_s/step:0.5", flush=True)  # fmt: skip
        if every > 0 and (step % every == 0 or step == total):
            save_fsdp(top, step, world)
            print(f"(TaskRunner pid=7) local_global_step_folder: {top}/global_step_{step}", flush=True)
    return 0
