"""The model behind the wrapper's requests: verl's client of its rollout servers, whatever engine they run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .completions import Generate
from .recording import Generated

# Names that an engine has for vLLM's; None: it has no such parameter.
_RENAMED: dict[str, dict[str, str | None]] = {
    "sglang": {"max_tokens": "max_new_tokens", "min_tokens": "min_new_tokens", "seed": None},
}


def params_of(settings: Mapping[str, Any], batch: Mapping[str, Any]) -> dict[str, Any]:
    """Sampling parameters of requests that do not say.

    Those of the batch (training and validation have their own), then what only AgentSDK's file sets. ``_given`` keeps
    the batch's for those who want to know which batch it is.
    """
    names = ("temperature", "top_p", "top_k", "repetition_penalty")
    params = {name: batch[name] for name in names if name in batch}
    params.update({name: settings[name] for name in ("min_p", "max_tokens") if settings.get(name)})
    return {**params, "_given": {name: batch.get(name) for name in names[:3]}}


def generator(client: Any, rollout: Any, end: int | None) -> Generate:
    """A generator over ``client.generate(request_id, prompt_ids=..., sampling_params=...)``.

    Args:
        client: verl's server manager, as agent loops get it.
        rollout: ``actor_rollout_ref.rollout``.
        end: The end-of-turn token, which tells whether an answer ended by itself.
    """
    renamed = _RENAMED.get(str(rollout.name), {})
    log_probs = bool(rollout.calculate_log_probs)

    async def generate(prompt: list[int], params: dict[str, Any], session: str) -> Generated:
        most = params["max_tokens"]
        asked = {renamed.get(name, name): value for name, value in params.items() if not name.startswith("_")}
        asked.pop(None, None)
        asked["logprobs"] = log_probs or bool(params.get("_logprobs"))
        answer = await client.generate(request_id=session, prompt_ids=prompt, sampling_params=asked)
        fields = getattr(answer, "extra_fields", None) or {}
        newest = fields.get("max_global_steps", fields.get("global_steps"))
        oldest = fields.get("min_global_steps", newest)
        return Generated(
            [int(token) for token in answer.token_ids],
            [float(value) for value in answer.log_probs] if answer.log_probs else None,
            _finish(answer, end, most),
            (int(oldest), int(newest)) if oldest is not None and newest is not None else None,
        )

    return generate


def _finish(answer: Any, end: int | None, most: int) -> str:
    if getattr(answer, "stop_reason", None) in ("aborted", "abort"):
        return "abort"
    tokens = answer.token_ids
    if len(tokens) and int(tokens[-1]) == end:
        return "stop"
    return "length" if len(tokens) >= most else "stop"
