"""Requests of a wrapper as verl's rollout servers understand them."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from agentic_rl_inside.agent.engine import generator, params_of


def ask(engine: str, answer: Any, **params: Any) -> tuple[dict[str, Any], Any]:
    """What a server of this engine is asked, and what becomes of its answer."""
    seen: dict[str, Any] = {}

    class Client:
        async def generate(self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any]) -> Any:
            seen.update(sampling_params)
            return answer

    generate = generator(Client(), SimpleNamespace(name=engine, calculate_log_probs=False), 9)
    return seen, asyncio.run(generate([1], {"max_tokens": 2, **params}, "s"))


def said(*tokens: int, **more: Any) -> Any:
    return SimpleNamespace(**{"token_ids": list(tokens), "log_probs": None, "stop_reason": "completed", **more})


def test_vllm_and_the_cpu_take_openais_names() -> None:
    seen, _ = ask("vllm", said(9), min_tokens=1, seed=3, _step=4)
    assert seen == {"max_tokens": 2, "min_tokens": 1, "seed": 3, "logprobs": False}


def test_sglang_has_names_of_its_own() -> None:
    seen, _ = ask("sglang", said(9), min_tokens=1, seed=3, _logprobs=True)
    assert seen == {"max_new_tokens": 2, "min_new_tokens": 1, "logprobs": True}


@pytest.mark.parametrize(
    ("answer", "finish"),
    [(said(5, 9), "stop"), (said(5, 6), "length"), (said(5), "stop"), (said(5, stop_reason="aborted"), "abort")],
    ids=["end-token", "full", "stopped-early", "aborted"],
)
def test_why_an_answer_ended(answer: Any, finish: str) -> None:
    assert ask("vllm", answer)[1].finish == finish


def test_versions_of_the_weights_come_through() -> None:
    fields = {"global_steps": 4, "min_global_steps": 3, "max_global_steps": 4}
    assert ask("vllm", said(9, extra_fields=fields))[1].steps == (3, 4)
    assert ask("vllm", said(9))[1].steps is None


def test_a_batch_has_its_own_temperature_and_the_file_adds_what_verl_has_no_key_for() -> None:
    params = params_of({"temperature": 0.9, "min_p": 0.1, "max_tokens": 5}, {"temperature": 0.6, "top_p": 0.95})
    assert (params["temperature"], params["top_p"], params["min_p"], params["max_tokens"]) == (0.6, 0.95, 0.1, 5)
    assert "min_p" not in params_of({"min_p": 0.0}, {})
