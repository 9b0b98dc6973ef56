"""Prepare the quick start: ``python -m agentic_rl_inside.quickstart --out DIR --seed S [--task guess] [--json]``.

Writes ``DIR/model`` (Qwen2-shaped model and tokenizer), ``DIR/train.parquet``, ``DIR/heldout.parquet`` and
``DIR/quickstart.json`` (what was made, and for sums how good it is before RL). The directory appears whole or not
at all: it is built beside its final place and renamed. A second call with the same settings does nothing.
Directories get mode 750 and files 640, as AgentSDK demands.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import addition, guess
from .whole_folder import make_whole

MANIFEST = "quickstart.json"
VERSION = 1
TASKS = ("addition", "guess")


def prepare(out: Path, seed: int, say: Any, steps: int | None = None, task: str = TASKS[0]) -> dict[str, Any]:
    """Make the quick-start directory, or find it made.

    Args:
        out: The directory to make.
        seed: Of the split, the model's weights and the warm-up.
        say: Called with one progress message (a JSON object) at a time.
        steps: Warm-up steps, when not the usual number.
        task: ``addition``, or ``guess`` for the agent example.

    Returns:
        The manifest.

    Raises:
        FileExistsError: ``out`` holds something else, which is left alone.
    """
    settings: dict[str, Any] = {"version": VERSION, "seed": seed, "steps": steps}
    if task != TASKS[0]:
        settings["task"] = task
    found = _manifest(out)
    if found is not None and found["settings"] == settings:
        say({"stage": "ready", "out": str(out), "reused": True})
        return found
    if found is None and out.exists() and any(out.iterdir()):
        raise FileExistsError(f"{out} exists and was not made by the quick start; choose another directory")
    manifest = make_whole(out, lambda folder: _build(folder, settings, say))
    say({"stage": "ready", "out": str(out), "reused": False})
    return manifest


def _manifest(out: Path) -> dict[str, Any] | None:
    try:
        return json.loads((out / MANIFEST).read_text("utf-8"))
    except FileNotFoundError:
        return None


def _build(folder: Path, settings: dict[str, Any], say: Any) -> dict[str, Any]:
    build = _build_guess if settings.get("task") == "guess" else _build_addition
    return build(folder, settings, say)


def _build_addition(folder: Path, settings: dict[str, Any], say: Any) -> dict[str, Any]:
    seed = settings["seed"]
    training, held_out = addition.split_sums(seed)
    _write_data(folder, training, held_out, say)

    from . import tiny_model, warmup

    steps = settings["steps"] or warmup.STEPS
    tokenizer = tiny_model.build_tokenizer()
    model = tiny_model.build_model(tokenizer, seed)
    warmup.warm_up(model, tokenizer, training, seed, _progress(say, steps), steps)
    before = {
        "training": warmup.accuracy(model, tokenizer, training, 1.0),
        "held_out": warmup.accuracy(model, tokenizer, held_out, 1.0),
        "held_out_greedy": warmup.accuracy(model, tokenizer, held_out, 0.0),
    }
    before = {name: round(value, 4) for name, value in before.items()}
    say({"stage": "accuracy", **before})
    about = {
        "task": "a two-digit plus a one-digit number; reward 1 for the right sum, else 0",
        "teacher_carries": addition.CARRIES,
        "held_out_share": addition.HELD_OUT,
        "accuracy_before_rl": before,
    }
    return _finish(folder, settings, model, tokenizer, (len(training), len(held_out)), about)


def _build_guess(folder: Path, settings: dict[str, Any], say: Any) -> dict[str, Any]:
    seed = settings["seed"]
    training, held_out = guess.split_games(seed)
    _write_data(folder, training, held_out, say)

    from . import guess_warmup, tiny_model

    steps = settings["steps"] or guess_warmup.STEPS
    tokenizer = tiny_model.build_tokenizer(guess.WORDS)
    model = tiny_model.build_model(tokenizer, seed)
    guess_warmup.warm_up(model, tokenizer, training, seed, _progress(say, steps), steps)
    about = {
        "task": "find a number in a range from the answers higher and lower, over several turns",
        "player_listens": guess.LISTENS,
        "held_out_share": guess.HELD_OUT,
    }
    return _finish(folder, settings, model, tokenizer, (len(training), len(held_out)), about)


def _progress(say: Any, steps: int) -> Any:
    return lambda step, loss: say({"stage": "warm-up", "step": step, "of": steps, "loss": round(loss, 4)})


def _write_data(folder: Path, training: Sequence[Any], held_out: Sequence[Any], say: Any) -> None:
    _write_parquet(folder / "train.parquet", training, "train")
    _write_parquet(folder / "heldout.parquet", held_out, "heldout")
    say({"stage": "data", "training_prompts": len(training), "held_out_prompts": len(held_out)})


def _finish(
    folder: Path, settings: dict[str, Any], model: Any, tokenizer: Any, prompts: tuple[int, int], about: dict[str, Any]
) -> dict[str, Any]:
    """Save the model and the manifest."""
    tokenizer.save_pretrained(folder / "model")
    model.save_pretrained(folder / "model")
    manifest = {
        "settings": settings,
        **about,
        "training_prompts": prompts[0],
        "held_out_prompts": prompts[1],
        "parameters": sum(p.numel() for p in model.parameters()),
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    return manifest


def _write_parquet(path: Path, rows: Sequence[Any], split: str) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row.row(split, i) for i, row in enumerate(rows)]), path)


def _text(message: dict[str, Any]) -> str:
    return " ".join(f"{name} {value}" for name, value in message.items() if name != "stage")


def main(argv: list[str] | None = None) -> int:
    """Run the command. Exit status: 0 done, 2 the directory is somebody else's, 130 interrupted."""
    parser = argparse.ArgumentParser(prog="python -m agentic_rl_inside.quickstart", description=__doc__)
    parser.add_argument("--out", required=True, type=Path, metavar="DIR")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--task", choices=TASKS, default=TASKS[0])
    parser.add_argument("--steps", type=int, default=None, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="progress as one JSON object a line")
    options = parser.parse_args(argv)
    os.umask(0o027)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # so small a model only loses by a second thread
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def say(message: dict[str, Any]) -> None:
        print(json.dumps(message) if options.json else f"{message['stage']}: {_text(message)}", flush=True)

    try:
        prepare(options.out.absolute(), options.seed, say, options.steps, options.task)
    except FileExistsError as error:
        print(f"quickstart: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
