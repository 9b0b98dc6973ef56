"""What a wrapper may ask of the model, and what it gets."""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from agentic_rl_inside.agent import rules
from agentic_rl_inside.agent.completions import Completions, background_loop
from agentic_rl_inside.agent.serving import CompletionServer

from . import wrappers as w


@pytest.fixture
def model(tokenizer: Any) -> Iterator[Completions]:
    """Says 52; knows 40 tokens."""
    rules.forget_warnings()
    loop = background_loop()
    yield Completions(w.scripted(tokenizer, "52"), tokenizer, 40, loop, {"temperature": 0.7}, "tiny")
    loop.call_soon_threadsafe(loop.stop)


def test_an_answer_looks_like_vllms(model: Completions, tokenizer: Any) -> None:
    reply = asyncio.run(model.complete({"prompt": "47+5", "max_tokens": 8, "logprobs": 1, "detokenize": False}))
    (choice,) = reply["choices"]
    assert (choice["text"], choice["finish_reason"], choice["index"]) == ("52", "stop", 0)
    assert choice["logprobs"]["tokens"] == [f"token_id:{t}" for t in tokenizer.encode("52<|im_end|>")]
    assert choice["logprobs"]["token_logprobs"] == [-0.25, -0.26, -0.27]
    assert reply["usage"] == {"prompt_tokens": 4, "completion_tokens": 3, "total_tokens": 7}
    assert (reply["object"], reply["model"]) == ("text_completion", "tiny")


def test_several_answers_and_a_short_one(model: Completions) -> None:
    reply = asyncio.run(model.complete({"prompt": "47+5", "max_tokens": 1, "n": 3}))
    assert [(c["index"], c["text"], c["finish_reason"]) for c in reply["choices"]] == [
        (0, "5", "length"),
        (1, "5", "length"),
        (2, "5", "length"),
    ]


REFUSED: dict[str, dict[str, Any]] = {
    "no-prompt": {},
    "empty": {"prompt": ""},
    "tokens": {"prompt": [1, 2]},
    "unknown": {"prompt": "a", "stop": ["b"]},
    "messages": {"prompt": "a", "messages": []},
    "hot": {"prompt": "a", "temperature": 2.1},
    "top_k": {"prompt": "a", "top_k": -1},
    "top_p": {"prompt": "a", "top_p": 1.5},
    "min_p": {"prompt": "a", "min_p": -0.1},
    "none-temperature": {"prompt": "a", "temperature": None},
    "no-tokens": {"prompt": "a", "max_tokens": 0},
    "many-tokens": {"prompt": "a", "max_tokens": 64_001},
    "half-token": {"prompt": "a", "max_tokens": 1.0},
    "seed": {"prompt": "a", "seed": 65_536},
    "penalty": {"prompt": "a", "presence_penalty": 3},
    "n": {"prompt": "a", "n": 0},
    "detokenize": {"prompt": "a", "detokenize": 1},
    "logprobs": {"prompt": "a", "logprobs": -1},
    "nan": {"prompt": "a", "temperature": float("nan")},
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_request_out_of_range_raises_as_in_agentsdk(case: str, model: Completions) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        asyncio.run(model.complete(REFUSED[case]))
    assert model.recording.refused == str(raised.value)
    assert model.recording.requests == 0


def test_the_edges_of_the_ranges_are_fine(model: Completions) -> None:
    edges = {
        "temperature": 0,
        "top_k": 0,
        "top_p": 1,
        "min_p": 0.0,
        "seed": -65_535,
        "min_tokens": 0,
        "model_name": "x",
    }
    reply = asyncio.run(model.complete({"prompt": "a", "max_tokens": 3, **edges}))
    assert reply["choices"][0]["text"] == "52"


def test_a_prompt_longer_than_the_context_gets_vllms_error_object(model: Completions, capfd: Any) -> None:
    reply = asyncio.run(model.complete({"prompt": "1" * 41, "max_tokens": 8}))
    assert (reply["object"], reply["code"]) == ("error", 400)
    assert "choices" not in reply
    assert "41 tokens" in capfd.readouterr().err


def test_max_tokens_beyond_the_context_is_shortened_with_a_warning(model: Completions, capfd: Any) -> None:
    reply = asyncio.run(model.complete({"prompt": "1" * 38, "max_tokens": 8}))
    assert reply["usage"]["completion_tokens"] == 2
    assert "rule=request-too-long" in capfd.readouterr().err


def test_many_threads_with_loops_of_their_own(model: Completions) -> None:
    texts: list[str] = []

    def ask() -> None:
        reply = asyncio.run(model.complete({"prompt": "47+5", "max_tokens": 8}))
        texts.append(reply["choices"][0]["text"])

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == ["52"] * 16
    assert len(model.recording.records) == 16


def test_clients_over_http_are_recorded_too(model: Completions) -> None:
    server = CompletionServer(model)

    def post(path: str, body: Any) -> tuple[int, Any]:
        url = f"http://{server.address}{path}"
        asked = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    try:
        status, reply = post("/v1/chat/completions", {"model": "tiny", "messages": [{"role": "user", "content": "1"}]})
        assert (status, reply["choices"][0]["message"]["content"]) == (200, "52")
        status, reply = post("/v1/completions", {"model": "tiny", "prompt": "1", "max_tokens": 4})
        assert (status, reply["choices"][0]["text"]) == (200, "52")
        assert post("/v1/completions", {"prompt": 3})[0] == 400
        assert post("/v1/chat/completions", {"messages": [{"role": "robot", "content": "1"}]})[0] == 400
        assert post("/v1/chat/completions", {"messages": [{"role": "user", "content": " "}]})[0] == 400
    finally:
        server.close()
    assert len(model.recording.records) == 2
