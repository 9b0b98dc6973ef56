"""What a log line says about where the training stands: stages, totals, checkpoints, resume, progress bars.

The wordings are those of verl 0.2 to 0.9 and MindSpeed-RL 2.x. Each was seen in a real log or in the source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .lines import clean_line, split_prefix

Stage = Literal["starting", "loading", "rollout", "initial-validation", "training", "validation", "saving", "finishing"]

# In the order of a start; from "training" on a run moves freely between the rest.
STAGES: tuple[Stage, ...] = (
    "starting",
    "loading",
    "rollout",
    "initial-validation",
    "training",
    "validation",
    "saving",
    "finishing",
)

# First match wins.
_WORDS: tuple[tuple[str, Stage], ...] = (
    ("Saving checkpoint to ", "saving"),
    ("local_global_step_folder: ", "saving"),
    ("saving checkpoint at iteration", "saving"),
    ("Initial validation metrics:", "initial-validation"),
    ("Final validation metrics:", "finishing"),
    ("after grpo training is done", "finishing"),
    ("after ppo training is done", "finishing"),
    ("training process successfully!", "finishing"),
    ("training successfully!", "finishing"),
    ("test_gen_batch meta info:", "validation"),
    ("Training Progress:", "training"),
    ("sync start grpo training at iteration", "training"),
    ("sync start ppo training at iteration", "training"),
    ("all initialize finished, ready to fit", "training"),
    ("LLMServerManager", "rollout"),
    ("reward loop manager initialized", "rollout"),
    ("actor and ref model engine initialized", "rollout"),
    ("Initializing a V1 LLM engine", "rollout"),
    ("Initializing an LLM engine", "rollout"),
    ("Starting vLLM server", "rollout"),
    ("create worker group", "loading"),
    ("Before FSDP, memory allocated", "loading"),
    ("Loading weights:", "loading"),
    ("Loading checkpoint shards", "loading"),
    ("Loading safetensors checkpoint shards", "loading"),
    ("loading checkpoint from", "loading"),
    ("[validate_config] All configuration checks passed", "starting"),
    ("ray init kwargs:", "starting"),
    ("ray init with runtime_env", "starting"),
    ("start initializing local ray cluster", "starting"),
    ("Started a local Ray instance", "starting"),
    ("Connecting to existing Ray cluster", "starting"),
)
_ANY = re.compile("|".join(re.escape(words) for words, _ in _WORDS))
_STAGE_OF_WORDS: dict[str, Stage] = dict(_WORDS)

_BAR = re.compile(r"(?P<title>[\w ]*):?\s*(?P<percent>\d{1,3})%\|[^|]*\|\s*(?P<done>\d+)/(?P<total>\d+)")
_TOTAL = re.compile(r"Total training steps: (\d+)|\bat iteration: \d+/(\d+)\b")
_RESUME = re.compile(
    r"Resuming from (?P<from>\S+?)(?:,|\s|$)|Load from checkpoint folder: (?P<load>\S+)"
    r"|[Ss]etting global step to (?P<step>\d+)"
)
_STEP_OF_PATH = re.compile(r"(?:global_step_|iter_0*)(\d+)")
_SAVED = re.compile(r"Saving checkpoint to (\S+)|local_global_step_folder: (\S+)")


def stage_of(line: bytes | str) -> Stage | None:
    """The stage that begins with (or is shown by) this line; None where the line says nothing about it."""
    text = clean_line(line) if isinstance(line, bytes) else line
    match = _ANY.search(text)
    if not match:
        return None
    return _STAGE_OF_WORDS[match[0]] if _said_by_the_trainer(text, match.start()) else None


def _said_by_the_trainer(text: str, position: int) -> bool:
    """Config dumps (`'x': '...'`) and prompts may quote anything: the words must begin the message."""
    _, message, _ = split_prefix(text)
    before = text[:position]
    return position - (len(text) - len(message)) <= 100 and "': " not in before


@dataclass(frozen=True, slots=True)
class Bar:
    """A tqdm bar: ``Training Progress:  12%|#2  | 3/25 [..``."""

    title: str
    done: int
    total: int


def bar_of(line: str) -> Bar | None:
    """The last bar on a clean line; several may be glued together."""
    if "%|" not in line:
        return None
    found: Bar | None = None
    for match in _BAR.finditer(line):
        found = Bar(match["title"].strip(), int(match["done"]), int(match["total"]))
    return found


def total_steps_of(line: str) -> int | None:
    """N of ``Total training steps: N``, of ``Training Progress: ..| i/N`` or of ``at iteration: i/N``."""
    if "Training Progress" in line:
        bar = bar_of(line)
        return bar.total if bar and bar.total > 0 else None
    match = _TOTAL.search(line) if "steps: " in line or "iteration: " in line else None
    if not match:
        return None
    return int(match[1] or match[2]) or None


def checkpoint_of(line: str) -> tuple[int | None, str] | None:
    """(step or None, path as printed) of a line that announces a checkpoint being written."""
    match = _SAVED.search(line) if "aving checkpoint to " in line or "local_global_step_folder" in line else None
    if not match:
        return None
    path = match[1] or match[2]
    step = _STEP_OF_PATH.search(path)
    return (int(step[1]) if step else None), path


def resume_of(line: str) -> tuple[int | None, str] | None:
    """(step or None, path or "") of a line that says from where the training goes on."""
    if "esuming from " not in line and "etting global step to" not in line and "Load from checkpoint" not in line:
        return None
    match = _RESUME.search(line)
    if not match:
        return None
    path = match["from"] or match["load"] or ""
    step = match["step"]
    if step is None:
        tail = re.search(r"setting global step to (\d+)", line) or _STEP_OF_PATH.search(path)
        step = tail[1] if tail else None
    return (int(step) if step is not None else None), path
