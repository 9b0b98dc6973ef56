"""A run directory made up for tests and pictures: the same bytes each time, no text of anybody's log."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from agentic_rl_wizard.runner.process.record import DEVICES, EVENTS, LOG, METRICS, ROLLOUTS, RunRecord

START = 1_767_322_800.0  # 2026-01-02 03:00:00 UTC
TOTAL = 60


def data_of(step: int, seed: int = 0) -> dict[str, float]:
    """Metrics of a step, as verl names them; they rise, fall and jitter like real ones."""
    jitter = math.sin(step * 12.9898 + seed) * 0.5 + math.sin(step * 4.1 + seed * 3) * 0.5
    gone = 1 - math.exp(-step / 18)
    data = {
        "training/global_step": float(step),
        "actor/entropy": 1.42 - 0.9 * gone + 0.03 * jitter,
        "actor/pg_loss": 0.08 * (1 - gone) * jitter + 0.01,
        "actor/kl_loss": 0.0004 + 0.006 * gone + 0.0006 * jitter,
        "actor/ppo_kl": 0.0002 + 0.0005 * abs(jitter),
        "actor/grad_norm": 0.4 + 2.2 * math.exp(-step / 9) + 0.15 * abs(jitter),
        "critic/rewards/mean": 0.12 + 0.72 * gone + 0.05 * jitter,
        "response_length/mean": 212 - 60 * gone + 9 * jitter,
        "response_length/max": 380 - 40 * gone + 22 * jitter,
        "prompt_length/mean": 96.0,
        "num_turns/mean": 4.2 - 1.1 * gone,
        "timing_s/gen": 5.1 + 0.4 * jitter,
        "timing_s/old_log_prob": 1.2,
        "timing_s/ref": 1.1,
        "timing_s/adv": 0.05,
        "timing_s/update_actor": 3.4 + 0.1 * jitter,
        "timing_s/update_weights": 0.6,
        "timing_s/step": 11.5 + 0.5 * jitter,
        "perf/throughput": 1840 + 120 * jitter,
    }
    if step % 10 == 0:
        data["val-core/demo/reward/mean@1"] = 0.2 + 0.6 * gone
        data["timing_s/testing"] = 6.2
    return data


def metric_line(step: int) -> str:
    """The line that verl prints for a step."""
    pairs = " - ".join(f"{key}:{value!r}" for key, value in data_of(step).items())
    return f"\x1b[36m(TaskRunner pid=4711)\x1b[0m step:{step} - {pairs}"


def log_lines(steps: int) -> list[str]:
    """A log with colours, bars, warnings, Chinese, and one error block."""
    lines = [
        "ray init kwargs: {'num_cpus': 16}",
        "2026-01-02 03:00:05,412\tINFO worker.py:2038 -- Started a local Ray instance.",
        "\x1b[36m(WorkerDict pid=4720)\x1b[0m Before FSDP, memory allocated (GB): 0.0",
        "\x1b[36m(TaskRunner pid=4711)\x1b[0m Total training steps: 60",
        "\x1b[36m(WorkerDict pid=4720)\x1b[0m UserWarning: torch_dtype is deprecated",
        "[INFO] 加载提示模板：请一步一步地思考，然后给出答案。",
    ]
    for step in range(1, steps + 1):
        lines += [
            f"\x1b[36m(AgentLoopWorker pid=4733)\x1b[0m rollout {step}: 64 trajectories, 3.1 turns [mean]",
            f"\x1b[36m(AgentLoopWorker pid=4733)\x1b[0m tool call calculator('{step} + 2') -> {step + 2}",
            metric_line(step),
            f"\x1b[36m(TaskRunner pid=4711)\x1b[0m \rTraining Progress: {step * 100 // TOTAL:3d}%|"
            f"{'█' * (step // 10)} | {step}/{TOTAL} [00:10<00:20, 11.5s/it]",
        ]
        if step % 20 == 0:
            path = f"checkpoints/demo/agent/global_step_{step}"
            lines.append(f"\x1b[36m(TaskRunner pid=4711)\x1b[0m Saving checkpoint to {path}")
    return lines


FAILURE = [
    "\x1b[36m(WorkerDict pid=4720)\x1b[0m Traceback (most recent call last):",
    '\x1b[36m(WorkerDict pid=4720)\x1b[0m   File "worker.py", line 581, in execute_model',
    "\x1b[36m(WorkerDict pid=4720)\x1b[0m RuntimeError: NPU out of memory. Tried to allocate 30.00 MiB",
]


def wave(time: float) -> float:
    """Rollout and update by turns, -1 to 1."""
    return math.sin((time - START) / 11.5 * 2 * math.pi)


LAST = START + 510


def sample(time: float, devices: int = 8) -> dict[str, Any]:
    """One line of devices.jsonl."""
    return {
        "time": time,
        "source": "npu-smi",
        "cpu": {
            "percent": 7104.0,
            "cores": 192,
            "memory_mib": 402_000.0,
            "processes": 38,
            "available_mib": 1_130_000.0,
        },
        "devices": [
            {
                "npu": index,
                "chip": 0,
                "name": "910B2",
                "health": "OK" if index != 5 else "Warning",
                "power_w": 310.0 + index + round(40 * wave(time + index)),
                "temperature_c": 51.0 + index % 3 + round(4 * wave(time / 3)),
                "utilization_pct": 83.0 - 3 * index if time >= LAST else round(45 + 45 * wave(time + 2 * index)),
                "memory_used_mib": 52_000 + 900 * index,
                "memory_total_mib": 65_536,
                "processes": [],
            }
            for index in range(devices)
        ],
    }


def sample_of_nodes(time: float) -> dict[str, Any]:
    """One line of a run on three machines: one answers, one hangs, one has no device tool."""
    first, second = (
        [{"node": f"10.0.0.{place}", **one} for one in sample(time + place, 4)["devices"]] for place in (1, 2)
    )
    nodes: list[dict[str, Any]] = [
        {"node": "10.0.0.1", "age_s": 2.1},
        {"node": "10.0.0.2", "age_s": 41.0, "problems": ["timeout"]},
        {"node": "10.0.0.3", "age_s": None, "problems": ["no_tool"]},
    ]
    return {**sample(time), "devices": [*first, *second], "nodes": nodes, "age_s": 41.0}


def rollout(step: int, place: int) -> dict[str, Any]:
    """One trajectory as the wrapper bridge writes it: a guessing game of one to five turns."""
    prompt, attempt = divmod(place, 4)
    low, high, secret = 1, 16 << prompt % 3, 1 + (7 * prompt + 5 * step) % 15
    turns = 1 + (attempt + prompt + step) % 5
    solved = (attempt * 3 + prompt + step) % 4 != 0
    asked = f"I think of a number from {low} to {high}. Guess it; I say higher or lower. 我想了一个数，请猜。"
    messages = [{"role": "system", "content": "You play a guessing game. Call the tool guess, then tell the number."},
                {"role": "user", "content": asked}]  # fmt: skip
    for turn in range(turns):
        number = (low + high) // 2
        call = json.dumps({"name": "guess", "arguments": {"number": number}})
        said = f"<think>\nHalf way between {low} and {high} is {number}.\n</think>\n\n<tool_call>\n{call}\n</tool_call>"
        reply = "higher" if number < secret else "lower" if number > secret else "right"
        low, high = (number + 1, high) if reply == "higher" else (low, number)
        messages += [{"role": "assistant", "content": said}, {"role": "tool", "content": reply}]
        del turn
    final = f"The number is {secret if solved else secret + 1}."
    messages.append({"role": "assistant", "content": final})
    metrics = {"steps": turns + 1, "llm_time": 0.8 * turns + 0.3, "env_time": 0.2 * turns, "reward_time": 0.01,
               "total_time": 1.1 * turns + 0.4, "toolcall_reward": 0.1 * turns,
               "res_reward": float(solved)}  # fmt: skip
    return {"step": step, "uid": f"task-{step}-{prompt}", "session": attempt, "validate": False, "gts": str(secret),
            "reward": float(solved) - 0.05 * turns, "metrics": metrics, "messages": messages}  # fmt: skip


def write_rollouts(directory: Path, steps: int, count: int = 32) -> None:
    """The trajectories of the last six steps."""
    folder = directory / ROLLOUTS
    folder.mkdir()
    rows = [rollout(step, place) for step in range(max(1, steps - 5), steps + 1) for place in range(count)]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "trajectories-0.jsonl").write_text(text, encoding="utf-8")


def make_run(directory: Path, state: str = "running", steps: int = 42, devices: int = 8, nodes: bool = False) -> Path:
    """Write a run directory.

    Args:
        directory: where; it must not exist.
        state: of run.json; ``failed`` adds an error block and a failure event.
        steps: how many steps were done; 0 for a run that has just begun.
        devices: how many accelerators devices.jsonl shows.
        nodes: devices.jsonl is of several machines.
    """
    directory.mkdir(parents=True)
    ended = START + 40 + steps * 11.5 if state in {"finished", "failed", "stopped", "lost"} else 0.0
    record: Any = RunRecord(
        id="20260102-030000-agent",
        directory=str(directory),
        project="demo",
        experiment="calculator_agent",
        state=state,  # type: ignore[arg-type]
        backend="verl",
        backend_version="0.9.1",
        device="8 x Ascend 910B2",
        host="node-17",
        pid=4711,
        created=START,
        started=START,
        ended=ended,
        exit_code={"finished": 0, "failed": 1}.get(state),
        config="config.yaml",
        checkpoint_dir="checkpoints/demo/calculator_agent",
        total_steps=TOTAL,
        versions={"verl": "0.9.1", "torch_npu": "2.9.0", "CANN": "8.5.0"},
    )
    record.write()
    lines = log_lines(steps) + (FAILURE if state == "failed" else [])
    (directory / LOG).write_bytes("\n".join(lines).encode() + b"\n")
    rows = [{"step": s, "time": START + 40 + s * 11.5, "data": data_of(s)} for s in range(1, steps + 1)]
    (directory / METRICS).write_text("".join(json.dumps(row) + "\n" for row in rows))
    events: list[dict[str, Any]] = [{"time": START, "kind": "state", "state": "starting"}]
    stage = "loading" if steps == 0 else "training"
    events.append({"time": START + 30, "kind": "stage", "stage": stage, "total": TOTAL})
    events += [{"time": START + 40 + s * 11.5, "kind": "checkpoint", "step": s} for s in range(20, steps + 1, 20)]
    events.append({"time": START + 60, "kind": "state", "state": state})
    if state == "failed":
        events.append(
            {
                "time": ended,
                "kind": "failure",
                "id": "npu-out-of-memory",
                "cause": {"en": "NPU out of memory", "zh": "NPU 显存不足"},
                "remedy": {
                    "en": "Lower rollout.gpu_memory_utilization to 0.6, or micro_batch_size_per_gpu.",
                    "zh": "将 rollout.gpu_memory_utilization 降到 0.6，或减小 micro_batch_size_per_gpu。",
                },
                "line": len(lines),
            }
        )
    (directory / EVENTS).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in events))
    # Every five seconds until just before "now"; for two minutes nobody could ask.
    times = [START + 5 * n for n in range(6, 104) if not 40 <= n < 62] if steps else []
    samples = [
        sample_of_nodes(time) if nodes else sample(time, devices)
        for time in times
        if time <= max(START + 50, ended or LAST + 5)
    ]
    (directory / DEVICES).write_text("".join(json.dumps(row) + "\n" for row in samples))
    if steps:
        write_rollouts(directory, steps)
    return directory
