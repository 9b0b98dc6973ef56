"""What the stand-ins print and save while they pretend to train, as the originals do."""

# ruff: noqa: E501

import os
import time

TRACKER = "latest_checkpointed_iteration.txt"


def train_verl(found, behaviour, log, check_path):
    """AgentSDK on verl: metrics of a step only where it saves; resumes from the tracker; one step more when all is done."""
    verl = found["verl"]
    top = os.path.join("checkpoints", verl["project_name"], verl["experiment_name"])
    batch = verl["train_batch_size"]
    total = behaviour.get("rows", 16 * batch) // batch * verl["total_epochs"]
    total = min(total, verl["total_training_steps"] or total)
    world = found["num_gpus_per_node"] * verl["nnodes"]
    print(f"Total training steps: {total}", flush=True)
    step = resume(top, world)
    while True:
        step += 1
        pretend(behaviour, step)
        log(
            "INFO",
            "fit",
            f"Epoch {(step - 1) * batch // max(1, behaviour.get('rows', 16 * batch))}, step {step} started.",
        )
        log("INFO", "update", f"Actor update batch size: {batch * found['rollout_n']}, sequence length: 64")
        log("INFO", "update", f"Reward stats - min: 0.0 max: 1.0 mean: {min(1.0, 0.1 * step):.4f}")
        log("INFO", "update", f"Starting Actor update for step {step}")
        log("INFO", "update", f"Actor output metrics: {{'actor/pg_loss': {0.5 / step}, 'actor/grad_norm': 1.25}}")
        log("INFO", "update", f"Actor update completed for step {step}")
        if step % verl["save_freq"] == 0 or step >= total:
            save_fsdp(top, step, world)
            log("INFO", "save", f"Checkpoint saved successfully | global_steps={step} | path={top}/global_step_{step}")
            log("INFO", "fit", f"Step {step}, metrics: {{'critic/rewards/mean': np.float64({min(1.0, 0.1 * step)}), "
                               f"'actor/lr': {found['lr']!r}, 'perf/throughput': 12.5, 'timing_s/step': 0.5}}")  # fmt: skip
        if step >= total:
            break
    log("INFO", "fit", "GRPO training finished.")
    log("INFO", "main", "Trainer initialized successfully")


def train_mindspeed(found, behaviour, log, check_path):
    """AgentSDK on MindSpeed-RL: from the first iteration, always; the tree of the weights is checked after each save."""
    section = found["mindspeed_rl"]
    total, every, top = section["train_iters"], section["save_interval"], section["save_params_path"]
    log("INFO", "train", "training start")
    log("INFO", "fit", f"trainer async start grpo training at iteration: 0/{total} ...")
    for step in range(1, total + 1):
        pretend(behaviour, step)
        log("INFO", "rollout", "rollout_worker start ...")
        log("INFO", "fit", "update start ...")
        log("INFO", "fit", f"iteration: {step} / {total} | timing/all : 0.5000 | actor/pg_loss : {0.5 / step:.4f} | "
                           f"grpo/rewards/mean : {0.1 * step:.4f} | actor/lr : 0.0000 | tokens/p/s : 12.5000 | ")  # fmt: skip
        if step % every == 0 or step == total:
            folder = os.path.join(top, f"iter_{step:07d}", "mp_rank_00")
            os.makedirs(folder, exist_ok=True)
            write(os.path.join(folder, "model_optim_rng.pt"))
            write(os.path.join(top, TRACKER), str(step))
            try:
                check_path(top)
            except ValueError:
                raise RuntimeError("Permission check error for the weight save path. "
                                   "Please check if the umask parameter is set.") from None  # fmt: skip
    log("INFO", "fit", "grpo training finished.")
    log("INFO", "train", "training successfully!")


def resume(top, world):
    """The step of the last checkpoint, in verl's words; 0 without one."""
    try:
        with open(os.path.join(top, TRACKER), encoding="utf-8") as stream:
            step = int(stream.read())
    except OSError:
        print(f"Checkpoint tracker file does not exist: {top}/{TRACKER}\nTraining from scratch", flush=True)
        return 0
    folder = os.path.join(top, f"global_step_{step}")
    print(f"Load from checkpoint folder: {folder}", flush=True)
    if not os.path.exists(os.path.join(folder, "actor", f"model_world_size_{world}_rank_0.pt")):
        raise RuntimeError(f"No such file: {folder}/actor/model_world_size_{world}_rank_0.pt")
    print(f"Setting global step to {step}\nResuming from {folder}", flush=True)
    return step


def save_fsdp(top, step, world):
    """A checkpoint as verl's FSDP workers lay it out."""
    folder = os.path.join(top, f"global_step_{step}", "actor")
    os.makedirs(folder, exist_ok=True)
    for rank in range(world):
        for kind in ("model", "optim", "extra_state"):
            write(os.path.join(folder, f"{kind}_world_size_{world}_rank_{rank}.pt"))
    write(os.path.join(top, TRACKER), str(step))


def write(path, text=""):
    """A small file."""
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def pretend(behaviour, step):
    """The time of a step, and the failure that was ordered for it."""
    time.sleep(behaviour.get("seconds", 0.02))
    if behaviour.get("fail_at") == step:
        raise RuntimeError(behaviour["fail"])
