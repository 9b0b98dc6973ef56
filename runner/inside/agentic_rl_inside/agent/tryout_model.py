"""The model of a try: scripted replies, a small model on disk, or the tiny one that is made here."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .recording import Generated

SMALL = 1 << 30  # bytes of weights that a try loads
SCRIPT_CONTEXT = 32_768  # tokens; scripted replies know no limit of their own


@dataclass(frozen=True)
class Engine:
    """What answers.

    Attributes:
        name: for people: ``replies``, ``tiny model`` or the directory.
        longest: tokens of an answer whose request does not say.
    """

    name: str
    tokenizer: Any
    generate: Callable[[list[int], dict[str, Any], str], Awaitable[Generated]]
    context: int
    longest: int


def engine_of(request: Mapping[str, Any]) -> Engine:
    """The engine that a request asks for.

    ``model``: directories ``tokenizer`` and ``model`` (either may be missing), ``seed``.

    Raises:
        OSError, ValueError: what it names can't be loaded.
    """
    from .. import tiny_model

    named: Mapping[str, Any] = request.get("model") or {}
    place = str(named.get("tokenizer") or "")
    tokenizer = _tokenizer(place) if place else tiny_model.build_tokenizer()
    replies = request.get("replies")
    if replies is not None:
        return Engine("replies", tokenizer, Script(tokenizer, replies).generate, SCRIPT_CONTEXT, 512)
    weights = str(named.get("model") or "")
    seed = int(named.get("seed") or 0)
    if weights and small(Path(weights)):
        from transformers import AutoModelForCausalLM
        from transformers.utils import logging

        logging.disable_progress_bar()  # what is printed belongs to the wrapper
        model = AutoModelForCausalLM.from_pretrained(weights, local_files_only=True, trust_remote_code=False)
        name = weights
    else:
        model, name = tiny_model.build_model(tokenizer, seed), "tiny model"
    context = min(int(getattr(model.config, "max_position_embeddings", 0) or 512), 8192)
    return Engine(name, tokenizer, Small(model.eval(), tokenizer, seed).generate, context, min(64, context // 4))


def small(folder: Path) -> bool:
    """Whether a directory holds weights, and not too many for a try."""
    sizes = [file.stat().st_size for file in folder.glob("*.safetensors")] if folder.is_dir() else []
    return bool(sizes) and sum(sizes) <= SMALL


def _tokenizer(place: str) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(place, local_files_only=True, trust_remote_code=False)


class Script:
    """Replies in the order in which they are asked for; a text may end early where the request is short."""

    def __init__(self, tokenizer: Any, replies: Sequence[Any]) -> None:
        self._tokenizer = tokenizer
        self._replies = [str(reply) for reply in replies]
        self._next = 0
        self._lock = threading.Lock()

    async def generate(self, prompt: list[int], params: dict[str, Any], session: str) -> Generated:
        """The next reply and the end-of-turn token.

        Raises:
            ValueError: there is none left.
        """
        with self._lock:
            number = self._next
            self._next += 1
            if number >= len(self._replies):
                raise ValueError(f"there are {len(self._replies)} replies, and this is request {number + 1}")
            tokens = list(self._tokenizer(self._replies[number], add_special_tokens=False)["input_ids"])
        if self._tokenizer.eos_token_id is not None:
            tokens.append(int(self._tokenizer.eos_token_id))
        most = params.get("max_tokens")
        finish = "length" if most is not None and len(tokens) > most else "stop"
        return Generated(tokens[:most], [0.0] * len(tokens[:most]), finish)


class Small:
    """A Transformers model on the CPU, one request after the other."""

    def __init__(self, model: Any, tokenizer: Any, seed: int) -> None:
        from ..generation import Generator

        ends = getattr(model.generation_config, "eos_token_id", None) or tokenizer.eos_token_id
        eos = frozenset(ends if isinstance(ends, list) else [ends])
        self._generator = Generator(model, eos, int(tokenizer.pad_token_id or 0), seed)
        self._lock = asyncio.Lock()

    async def generate(self, prompt: list[int], params: dict[str, Any], session: str) -> Generated:
        """Continue a prompt.

        Raises:
            ValueError: a parameter that the CPU generation does not know.
        """
        from ..generation import Request
        from ..sampling import SamplingParams

        # Names with _ in front are what the completions tell an engine beside the request.
        known = {name: value for name, value in params.items() if name != "model_name" and not name.startswith("_")}
        sampling = SamplingParams.of(known)
        request = Request(prompt, sampling, int(params.get("max_tokens") or 16))
        async with self._lock:
            (answer,) = await asyncio.to_thread(self._generator.generate, [request])
        return Generated(answer.tokens, answer.log_probs, answer.finish)
