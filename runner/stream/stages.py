"""What a log line says about where the training stands: stages, totals, checkpoints, resume, progress bars.

The wordings are those of verl 0.2 to 0.9, MindSpeed-RL 2.x, Megatron, and AgentSDK on both of its back ends. Each was
seen in a real log or in the source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .lines import clean_line
from .outer import message_of

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
    ("after dapo training is done", "finishing"),
    ("grpo training finished.", "finishing"),
    ("GRPO training finished.", "finishing"),
    ("[after training is done]", "finishing"),
    ("training process successfully!", "finishing"),
    ("training successfully!", "finishing"),
    ("successfully saved checkpoint from iteration", "saving"),
    ("Checkpoint saved successfully |", "saving"),
    ("test_gen_batch meta info:", "validation"),
    ("validate iteration:", "validation"),
    ("Training Progress:", "training"),
    ("sync start grpo training at iteration", "training"),
    ("sync start ppo training at iteration", "training"),
    ("sync start dapo training at iteration", "training"),
    ("Starting actor update for step", "training"),
    ("dapo fit generate_sequences", "training"),
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
    ("successfully loaded checkpoint from", "loading"),
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
_TOTAL = re.compile(r"Total training steps: (\d{1,12})|\bat iteration: \d{1,12}/(\d{1,12})\b")
# verl's supervised fine-tuning: a bar for each epoch, over the steps of an epoch.
_EPOCH = re.compile(r"\bEpoch (\d{1,9})/(\d{1,9}):\s*\d{1,3}%\|[^|]{0,200}\|\s*(\d{1,12})/(\d{1,12})\b")
_RESUME = re.compile(
    r"Resuming from (?P<from>\S+?)(?:,|\s|$)|Load from checkpoint folder: (?P<load>\S+)"
    r"|[Ss]etting global step to (?P<step>\d+)"
    r"|successfully loaded checkpoint from (?P<megatron>\S+).{0,80}? at iteration (?P<iteration>\d{1,12})"
)
_RESUME_WORDS = ("esuming from ", "etting global step to", "Load from checkpoint", "fully loaded checkpoint")
_STEP_OF_PATH = re.compile(r"(?:global_step_|iter_0*)(\d+)")
_SAVED = re.compile(
    r"Saving checkpoint to (\S+)|local_global_step_folder: (\S+)"
    r"|saving checkpoint at iteration\s+(?P<iteration>\d{1,12}) to (?P<megatron>\S+)"
    r"|Checkpoint saved successfully \| global_steps=(?P<global>\d{1,12}) \| path=(?P<agentsdk>\S+)"
)


def stage_of(line: bytes | str) -> Stage | None:
    """The stage that begins with (or is shown by) this line; None where the line says nothing about it."""
    text = clean_line(line) if isinstance(line, bytes) else line
    match = _ANY.search(text)
    if not match:
        return None
    return _STAGE_OF_WORDS[match[0]] if _said_by_the_trainer(text, match.start()) else None


def _said_by_the_trainer(text: str, position: int) -> bool:
    """Config dumps (`'x': '...'`) and prompts may quote anything: the words must begin the message."""
    message = message_of(text).text
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
    """How many steps there will be, where a line tells: ``Total training steps: N``, ``at iteration: i/N``, a bar."""
    if "Training Progress" in line:
        bar = bar_of(line)
        return bar.total if bar and bar.total > 0 else None
    if "Epoch " in line and (epoch := epoch_of(line)):
        return epoch[1] * epoch[3] or None
    match = _TOTAL.search(line) if "steps: " in line or "iteration: " in line else None
    if not match:
        return None
    return int(match[1] or match[2]) or None


def epoch_of(line: str) -> tuple[int, int, int, int] | None:
    """(epoch, epochs, steps done, steps of an epoch) of the last ``Epoch 1/6:  5%|..| 3/62`` on a clean line."""
    found = None
    for match in _EPOCH.finditer(line):
        found = (int(match[1]), int(match[2]), int(match[3]), int(match[4]))
    return found


def checkpoint_of(line: str) -> tuple[int | None, str] | None:
    """(step or None, path as printed) of a line that announces a checkpoint being written."""
    if "aving checkpoint " not in line and "local_global_step_folder" not in line and "saved successfully" not in line:
        return None
    match = _SAVED.search(line)
    if not match:
        return None
    path = match[1] or match[2] or match["megatron"] or match["agentsdk"]
    step = match["iteration"] or match["global"]
    if step is None:
        found = _STEP_OF_PATH.search(path)
        step = found[1] if found else None
    return (int(step) if step is not None else None), path


def resume_of(line: str) -> tuple[int | None, str] | None:
    """(step or None, path or "") of a line that says from where the training goes on."""
    if not any(words in line for words in _RESUME_WORDS):
        return None
    match = _RESUME.search(line)
    if not match:
        return None
    path = match["from"] or match["load"] or match["megatron"] or ""
    step = match["step"] or match["iteration"]
    if step is None:
        tail = re.search(r"setting global step to (\d+)", line) or _STEP_OF_PATH.search(path)
        step = tail[1] if tail else None
    return (int(step) if step is not None else None), path
