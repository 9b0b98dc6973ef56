"""What an attempt of verl's trainer takes up and leaves in the run directory, whichever back end starts it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .errors import PlanError
from .overrides import Overrides
from .plan import Resume, Text
from .request import Request
from .source import value_of

METRICS_FILE = "verl_metrics.jsonl"


def run_environment(request: Request, file_logger: bool) -> dict[str, str]:
    """The variables that bring a whole and readable log, and metrics, into the run directory."""
    env = {
        "HYDRA_FULL_ERROR": "1",
        "PYTHONUNBUFFERED": "1",
        "RAY_DEDUP_LOGS": "0",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_COLOR_PREFIX": "0",
        "TENSORBOARD_DIR": str(request.run_dir / "tensorboard"),
    }
    if file_logger:
        env["VERL_FILE_LOGGER_PATH"] = str(request.run_dir / METRICS_FILE)
    return env


def resume_decision(request: Request, directory: Path, world_size: int) -> Resume:
    """What verl's ``resume_mode: auto`` will do with what lies in the checkpoint directory.

    Raises:
        PlanError: ``resume-world-size``: FSDP checkpoints can be read only by as many ranks as wrote them.
    """
    found = request.checkpoint
    if found is None or found.step == 0:
        return Resume("fresh", str(directory), 0, _NOTHING_FOUND)
    if not found.complete:
        raise PlanError("checkpoint-incomplete", {"directory": str(directory), "step": found.step}, exit_code=2)
    if found.world_size is not None and found.world_size != world_size:
        raise PlanError(
            "resume-world-size",
            {"directory": str(directory), "step": found.step, "written": found.world_size, "now": world_size},
            exit_code=2,
        )
    return Resume(
        "resume",
        str(directory),
        found.step,
        {
            "en": f"checkpoint of step {found.step} found; training goes on from there",
            "zh": f"找到第 {found.step} 步的检查点，训练将从该步继续",
        },
    )


def total_steps(overrides: Overrides, rows: int | None) -> int | None:
    """Steps of the whole training: the smaller of total_training_steps and what the data give; None when unknown."""
    wanted: Any = overrides.values.get("trainer.total_training_steps")
    batch: Any = value_of(overrides, "data.train_batch_size")
    epochs: Any = value_of(overrides, "trainer.total_epochs")
    if rows and isinstance(batch, int) and batch > 0 and isinstance(epochs, int):
        available = rows // batch * epochs
        return min(wanted, available) if isinstance(wanted, int) else available
    return wanted if isinstance(wanted, int) else None


_NOTHING_FOUND: Text = {
    "en": "no checkpoint of this project and experiment; training starts from the model",
    "zh": "该项目与实验尚无检查点，训练从模型开始",
}
