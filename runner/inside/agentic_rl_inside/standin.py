"""Make the model of a rehearsal: ``python -m agentic_rl_inside.standin '{"out": DIR, ...}'``.

A tiny model of the same family as the one that the user names, and its tokenizer, so that a configuration for dozens
of accelerators runs on a CPU. The request is one JSON object:

    out        the folder to make: ``model/``, ``tokenizer/`` and ``standin.json`` (what it is)
    model      folder of the model that is named, "" where it is not on this machine
    tokenizer  folder whose tokenizer is used, "" where there is none
    facts      what is known of the model, named as in config.json
    settings   what the caller remembers it by: the same settings again do nothing

The folder appears whole or not at all; directories get mode 750 and files 640, as AgentSDK demands.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MANIFEST = "standin.json"
LENGTH = 131_072
"""Tokens: the tokenizer's own limit, out of the way of every prompt."""


def prepare(request: Mapping[str, Any]) -> dict[str, Any]:
    """Make the stand-in, or find it made; returns its manifest."""
    out, settings = Path(request["out"]), request.get("settings")
    found = _manifest(out)
    if found is not None and found["settings"] == settings:
        return found
    out.parent.mkdir(parents=True, exist_ok=True)
    workshop = Path(tempfile.mkdtemp(prefix=f".{out.name}.partial-{os.getpid()}-", dir=out.parent))
    try:
        made = _build(workshop, request)
        _set_modes(workshop)
        if out.exists():
            out.rename(workshop.with_name(workshop.name + ".old"))
        workshop.rename(out)
    finally:
        for rest in (workshop, workshop.with_name(workshop.name + ".old")):
            shutil.rmtree(rest, ignore_errors=True)
    return made


def _manifest(out: Path) -> dict[str, Any] | None:
    try:
        return json.loads((out / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _build(folder: Path, request: Mapping[str, Any]) -> dict[str, Any]:
    from .standin_config import Unsupported, qwen2_config, tiny_config
    from .standin_tokenizer import byte_tokenizer, own_tokenizer

    facts, why_bytes, why_qwen2 = request.get("facts") or {}, "", ""
    try:
        tokenizer = own_tokenizer(request.get("tokenizer") or "")
    except ValueError as error:
        tokenizer, why_bytes = byte_tokenizer(LENGTH), str(error)
    try:
        model = build(tiny_config(request.get("model") or "", facts, len(tokenizer)), tokenizer)
    except Unsupported as error:
        why_qwen2 = str(error)
        model = build(qwen2_config(facts, len(tokenizer)), tokenizer)
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    # Beside a config.json, AutoTokenizer may take the class of that model type, whatever lies there.
    tokenizer.save_pretrained(folder / "tokenizer")
    made = {
        "settings": request.get("settings"),
        "model_type": model.config.model_type,
        "architecture": type(model).__name__,
        "parameters": sum(p.numel() for p in model.parameters()),
        "vocabulary": len(tokenizer),
        "own_tokenizer": not why_bytes,
        "without_tokenizer": why_bytes,
        "without_family": why_qwen2,
    }
    (folder / MANIFEST).write_text(json.dumps(made, indent=2) + "\n", "utf-8")
    return made


def build(config: Any, tokenizer: Any) -> Any:
    """A random model of the configuration, tried on a few tokens.

    Raises:
        Unsupported: it can't be built, or it can't be run, by the Transformers of this interpreter.
    """
    import torch
    from transformers import AutoModelForCausalLM, GenerationConfig

    from .standin_config import Unsupported

    end = tokenizer.eos_token_id
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else end
    config.bos_token_id, config.eos_token_id, config.pad_token_id = tokenizer.bos_token_id, end, pad
    torch.manual_seed(0)
    try:
        model: Any = AutoModelForCausalLM.from_config(
            config, dtype=torch.float32, attn_implementation="sdpa", trust_remote_code=False
        )
        with torch.no_grad():
            model.eval()(input_ids=torch.tensor([[1, 2, 3], [3, 2, 1]]), use_cache=True)
    except Exception as error:
        reason = (str(error).strip().splitlines() or ["?"])[0][:200]
        raise Unsupported(f"{type(error).__name__}: {reason}") from error
    model.generation_config = GenerationConfig(eos_token_id=end, pad_token_id=pad)
    return model


def _set_modes(folder: Path) -> None:
    for parent, _, files in os.walk(folder):
        os.chmod(parent, 0o750)
        for name in files:
            os.chmod(os.path.join(parent, name), 0o640)


def main(argv: list[str] | None = None) -> int:
    """Run the command; the manifest is printed as one line of JSON."""
    os.umask(0o027)
    for name, value in (("HF_HUB_OFFLINE", "1"), ("HF_HUB_DISABLE_PROGRESS_BARS", "1"), ("OMP_NUM_THREADS", "1")):
        os.environ.setdefault(name, value)
    request = json.loads((argv or sys.argv[1:])[0])
    print(json.dumps(prepare(request)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
