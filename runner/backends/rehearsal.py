"""A rehearsal: what a configuration for dozens of accelerators becomes so that a CPU takes a few steps of it.

Thresholds and reasons are data (templates/backends/rehearsal.yaml). What matters stays: the data, the reward, the
algorithm, the proportions of the batches. Each change is a note of the plan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from ..native import is_declared
from .file_keys import FileKeys
from .overrides import Overrides
from .plan import Note, Text
from .source import value_of

MODEL = "actor_rollout_ref.model.path"
_ESTIMATOR = "algorithm.adv_estimator"
_PROMPT, _RESPONSE = "data.max_prompt_length", "data.max_response_length"
_BATCH, _MINI = "data.train_batch_size", "actor_rollout_ref.actor.ppo_mini_batch_size"
_CONTEXT = "actor_rollout_ref.rollout.max_model_len"
_BUDGETS = (
    "actor_rollout_ref.actor.ppo_max_token_len_per_gpu",
    "actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu",
    "actor_rollout_ref.ref.log_prob_max_token_len_per_gpu",
)
_CRITIC_BUDGETS = ("critic.ppo_max_token_len_per_gpu", "critic.forward_max_token_len_per_gpu")
_SEVERAL_TURNS = ("actor_rollout_ref.rollout.multi_turn.enable",)
_MANAGERS = ("reward.reward_manager.name", "reward_model.reward_manager")
EXPERIMENT = "{name}-rehearsal"


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The stand-in of a model, as the plan needs to know it.

    Attributes:
        folder: holds ``model`` and ``tokenizer``; made before the start.
        family: ``model_type`` of the model that is named, "" when nothing is known of it.
        vocabulary: tokens of the tokenizer, about.
        own_tokenizer: whether the tokenizer is the named model's own; else it has one token a byte.
        prompt_bytes: UTF-8 bytes of the longest prompt among the first rows; None when it is not known.
        wrapper: whether an agent wrapper takes several turns.
        settings: what the folder is made from (see agentic_rl_inside.standin).
    """

    folder: Path
    family: str
    vocabulary: int
    own_tokenizer: bool
    prompt_bytes: int | None = None
    wrapper: bool = False
    settings: Mapping[str, Any] | None = None


def limit(name: str) -> int:
    """A threshold of templates/backends/rehearsal.yaml."""
    return int(_data()["limits"][name])


def put_rehearsal(overrides: Overrides, keys: FileKeys, rehearsal: Rehearsal, rows: int | None) -> None:
    """Scale what a CPU can't do; note each change. To be followed by what every CPU needs (`put_cpu`)."""
    change = _Change(overrides, keys)
    _drop(change)
    _model(change, rehearsal)
    _lengths(change, rehearsal)
    _batches(change)
    _steps(change, rows)
    _rewards(change)


def put_after_cpu(overrides: Overrides) -> None:
    """A reward manager of the file's own is rehearsed in a worker, as verl does it; the quick start's loop has none."""
    if any(value_of(overrides, key) not in (None, "naive") for key in _MANAGERS):
        overrides.put("reward.num_workers", 1)


def rehearsed_answer(overrides: Overrides, asked: Any) -> int:
    """Tokens of one answer of the model to an agent wrapper; a note where they are fewer than the file's."""
    most = limit("response_tokens")
    if isinstance(asked, int) and asked <= most:
        return asked
    overrides.notes.append(note_of("scaled", "max_tokens", "response", asked, most))
    return most


def note_of(kind: str, key: str, reason: str, before: Any, after: Any, **values: Any) -> Note:
    """A note with what was, what is and why."""
    why = {lang: text.format(**values) for lang, text in cast("Text", _data()["reasons"][reason]).items()}
    if kind != "scaled":
        return Note(cast("Any", kind), key, why, before, after)
    text = {lang: f"{shown(before)} -> {shown(after)}{_COLON[lang]}{why[lang]}" for lang in why}
    return Note("scaled", key, text, before, after)


def shown(value: Any) -> str:
    """A value in a note."""
    return "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


_COLON = {"en": ": ", "zh": "："}


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    import yaml

    path = files("agentic_rl_wizard.templates") / "backends" / "rehearsal.yaml"
    return cast("Mapping[str, Any]", yaml.safe_load(path.read_text(encoding="utf-8")))


@dataclass(slots=True)
class _Change:
    """Changes overrides, and tells of it in the words of the file."""

    overrides: Overrides
    keys: FileKeys

    def put(self, key: str, after: Any, reason: str, **values: Any) -> None:
        """Set a key; a note unless the value stays."""
        before = value_of(self.overrides, key)
        if before != after and self.overrides.put(key, after):
            self.note(key, before, after, reason, **values)

    def note(self, key: str, before: Any, after: Any, reason: str, kind: str = "scaled", **values: Any) -> None:
        """Tell of a change that is made elsewhere."""
        self.overrides.notes.append(note_of(kind, self.keys.of(key), reason, before, after, **values))

    def lower(self, key: str, most: int, reason: str) -> None:
        """Lower a number that is larger."""
        value = self.number(key)
        if value is not None and value > most:
            self.put(key, most, reason)

    def number(self, key: str) -> int | None:
        """A whole number in force; None for anything else, references to other keys included."""
        value = value_of(self.overrides, key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def _drop(change: _Change) -> None:
    """Leave out what only an accelerator reads; an unknown key would stop verl."""
    values = change.overrides.values
    prefixes = tuple(cast("list[str]", _data()["dropped"]))
    megatron = "megatron" in (change.overrides.engine, values.get("model_engine"))
    change.overrides.engine = "fsdp"
    for key in list(values):
        unknown = not is_declared(key, change.overrides.version) and key not in change.overrides.added
        foreign = megatron and (unknown or key == "model_engine")
        if key.startswith(prefixes) or foreign:
            before = values.pop(key)
            change.overrides.added.discard(key)
            if change.keys.given(key):
                change.note(key, before, None, "megatron" if foreign else "dropped", "ignored")
    kept = cast("list[str]", _data()["loggers"])
    asked = values.get("trainer.logger")
    if isinstance(asked, list):
        change.put("trainer.logger", [one for one in cast("list[Any]", asked) if one in kept], "loggers")


def _model(change: _Change, rehearsal: Rehearsal) -> None:
    folder, family = rehearsal.folder, rehearsal.family or "qwen2"
    change.put(MODEL, str(folder / "model"), "model", family=family)
    change.overrides.put("actor_rollout_ref.model.tokenizer_path", str(folder / "tokenizer"))
    change.overrides.put("critic.model.tokenizer_path", str(folder / "tokenizer"))
    if value_of(change.overrides, _ESTIMATOR) == "gae":
        change.put("critic.model.path", str(folder / "model"), "model", family=family)
    before = change.overrides.values.get("actor_rollout_ref.model.hf_config_path")
    if before:
        change.put("actor_rollout_ref.model.hf_config_path", str(folder / "model"), "model", family=family)
    if not rehearsal.own_tokenizer:
        change.note(MODEL, None, None, "tokenizer", "info")


def _lengths(change: _Change, rehearsal: Rehearsal) -> None:
    several = rehearsal.wrapper or any(value_of(change.overrides, key) is True for key in _SEVERAL_TURNS)
    change.lower(_RESPONSE, limit("turns_tokens" if several else "response_tokens"), "response")
    response = change.number(_RESPONSE) or limit("response_tokens")
    most_in_pass = min(limit("pass_tokens"), limit("logits") // max(1, rehearsal.vocabulary))
    most = max(limit("least_prompt_tokens"), min(limit("prompt_tokens"), most_in_pass - response))
    asked = change.number(_PROMPT) or 512
    # A wrapper, or the tools, write instructions of their own before the text of the data.
    needed = _needed(rehearsal, asked) + (limit("instruction_tokens") if several else 0)
    prompt = min(asked, needed, most) if rehearsal.own_tokenizer else min(needed, most)
    change.put(_PROMPT, prompt, "prompt" if prompt <= asked else "bytes")
    if needed > most and value_of(change.overrides, "data.filter_overlong_prompts") is True:
        change.put("data.filter_overlong_prompts", False, "cut")
    whole = prompt + response
    if change.number(_CONTEXT) is not None:
        change.put(_CONTEXT, whole, "context")
    critic = _CRITIC_BUDGETS if value_of(change.overrides, _ESTIMATOR) == "gae" else ()
    for key in (*_BUDGETS, *critic):
        value = change.number(key)
        if value is not None:
            low = max(whole, limit("least_pass_tokens"))
            change.put(key, max(low, min(value, most_in_pass)), "budget")


def _needed(rehearsal: Rehearsal, asked: int) -> int:
    """Tokens of the longest prompt, in steps of 64, from above: no tokenizer has more tokens than a text has bytes."""
    if rehearsal.prompt_bytes is None:
        return min(asked, 512) if rehearsal.own_tokenizer else max(asked, 1024)
    return 64 * math.ceil((1.25 * rehearsal.prompt_bytes + limit("chat_tokens")) / 64)


def _batches(change: _Change) -> None:
    batch, mini = change.number(_BATCH), change.number(_MINI)
    change.lower("actor_rollout_ref.rollout.n", limit("responses"), "responses")
    change.lower("actor_rollout_ref.rollout.val_kwargs.n", limit("val_responses"), "responses")
    if batch is None or batch <= limit("prompts"):
        return
    new, small, exact = scaled_batch(batch, mini or batch)
    change.put(_BATCH, new, "batch" if exact else "updates")
    if mini is not None:
        change.put(_MINI, small, "batch" if exact else "updates")
    generated, critic = change.number("data.gen_batch_size"), change.number("critic.ppo_mini_batch_size")
    if generated is not None:
        change.put("data.gen_batch_size", max(1, round(new * generated / batch)), "batch")
    if critic is not None:
        change.put("critic.ppo_mini_batch_size", max(1, round(new * critic / batch)), "batch")


def scaled_batch(batch: int, mini: int) -> tuple[int, int, bool]:
    """A small batch and mini batch in the proportion of large ones; whether the proportion could be kept.

    >>> scaled_batch(512, 128), scaled_batch(32, 8), scaled_batch(1024, 1)
    ((8, 2, True), (8, 2, True), (16, 1, False))
    """
    common = math.gcd(batch, mini)
    whole, part = batch // common, mini // common
    if whole <= limit("most_prompts"):
        times = max(1, limit("prompts") // whole)
        return times * whole, times * part, True
    updates = min(limit("most_prompts"), max(1, batch // mini))
    times = max(1, limit("prompts") // updates)
    return times * updates, times, False


def _steps(change: _Change, rows: int | None) -> None:
    steps = limit("steps")
    asked = change.number("trainer.total_training_steps")
    if asked is None or asked > steps:
        change.put("trainer.total_training_steps", steps, "steps")
    else:
        steps = max(1, asked)
    if rows is None or rows > limit("train_rows"):
        change.put("data.train_max_samples", limit("train_rows"), "rows")
    change.put("data.val_max_samples", limit("val_rows"), "rows")
    change.lower("data.val_batch_size", limit("val_rows"), "rows")
    change.put("trainer.save_freq", steps, "save")
    change.put("trainer.test_freq", steps, "test")
    change.lower("trainer.critic_warmup", 1, "warmup")
    if value_of(change.overrides, "trainer.resume_mode") == "resume_path":
        change.put("trainer.resume_mode", "disable", "resume")
        change.overrides.values.pop("trainer.resume_from_path", None)


def _rewards(change: _Change) -> None:
    for key in ("reward.reward_model.enable", "reward_model.enable"):
        if value_of(change.overrides, key) is True:
            change.put(key, False, "reward_model")
