"""The rollout server, without Ray around it."""

from __future__ import annotations

import asyncio
import copy
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from agentic_rl_inside.server import ServerFailed, TransformersServer

PROMPT = [5, 6, 7]
GREEDY = {"temperature": 0, "ignore_eos": True}


@pytest.fixture
def served(model: Any, tmp_path: Path) -> Any:
    """Run a coroutine against a server that holds ``model``."""
    model.save_pretrained(tmp_path)

    def run(act: Callable[[TransformersServer], Awaitable[Any]], **options: Any) -> Any:
        async def main() -> Any:
            settings = {
                "model_path": str(tmp_path),
                "prompt_length": 16,
                "response_length": 8,
                "max_model_len": None,
                "max_num_seqs": 64,
                "seed": 0,
                "ignore_eos": False,
                "address": "here",
                **options,
            }
            return await asyncio.wait_for(act(TransformersServer(**settings)), 30)

        return asyncio.run(main())

    return run


async def tokens(server: TransformersServer, prompt: list[int] = PROMPT, **raw: Any) -> list[int]:
    return (await server.generate(prompt, {**GREEDY, **raw})).fields["token_ids"]


def test_requests_that_come_together_are_answered_each(served: Any) -> None:
    async def act(server: TransformersServer) -> None:
        prompts = [[5], [6, 7], [8, 9, 10, 11]]
        together = await asyncio.gather(*(tokens(server, prompt) for prompt in prompts * 5))
        alone = [await tokens(server, prompt) for prompt in prompts]
        assert together == alone * 5

    served(act)
    served(act, max_num_seqs=2)


def test_length_limits(served: Any) -> None:
    async def act(server: TransformersServer) -> None:
        assert len(await tokens(server)) == 8  # response_length
        assert len(await tokens(server, max_tokens=3)) == 3
        assert len(await tokens(server, max_tokens=20)) == 17  # what the context leaves
        assert len(await tokens(server, [5] * 19)) == 1
        with pytest.raises(ValueError, match="leaves no room"):
            await tokens(server, [5] * 20)
        with pytest.raises(ValueError, match="does not know"):
            await tokens(server, typo=1)
        assert len(await tokens(server)) == 8  # a wrong request does not harm the server

    served(act, max_model_len=20)


def test_a_reply_arrives_as_verls_token_output(served: Any) -> None:
    async def act(server: TransformersServer) -> bytes:
        await server.load_weights(server._generator.model.state_dict(), 7)
        return pickle.dumps(await server.generate(PROMPT, GREEDY))

    from verl.workers.rollout.replica import TokenOutput

    output = pickle.loads(served(act))
    assert isinstance(output, TokenOutput)
    assert len(output.token_ids) == len(output.log_probs or []) == 8
    assert output.stop_reason == "completed"
    assert output.extra_fields == {"global_steps": 7, "finish_reason": "length"}


def test_new_weights_change_the_answers_and_must_fit(served: Any, model: Any) -> None:
    torch.manual_seed(9)
    other = copy.deepcopy(model)
    with torch.no_grad():
        for weight in other.parameters():
            weight.add_(torch.randn_like(weight) * 0.3)

    async def act(server: TransformersServer) -> None:
        before = await tokens(server)
        await server.load_weights(other.state_dict(), 1)
        after = await tokens(server)
        assert after != before
        expected = other.generate(torch.tensor([PROMPT]), max_new_tokens=8, do_sample=False, eos_token_id=None)
        assert after == expected[0, len(PROMPT) :].tolist()
        few = dict(list(other.state_dict().items())[:-1])
        for wrong in (few, {**other.state_dict(), "more": torch.zeros(1)}):
            with pytest.raises(KeyError, match="another model"):
                await server.load_weights(wrong)

    served(act)


def test_abort_returns_partial_answers_and_holds_new_requests(served: Any) -> None:
    async def act(server: TransformersServer) -> None:
        generator, reached = server._generator, threading.Event()
        forward = generator.model.forward

        def slow(*args: Any, **kwargs: Any) -> Any:
            reached.set()
            threading.Event().wait(0.02)
            return forward(*args, **kwargs)

        generator.model.forward = slow
        running = asyncio.create_task(server.generate(PROMPT, {**GREEDY, "max_tokens": 400}))
        await asyncio.to_thread(reached.wait, 10)
        waiting = asyncio.create_task(server.generate(PROMPT, GREEDY))
        await asyncio.sleep(0.05)
        await server.abort_all_requests()
        first, second = await running, await waiting
        assert (first.fields["stop_reason"], second.fields["stop_reason"]) == ("aborted", "aborted")
        assert 0 < len(first.fields["token_ids"]) < 400
        held = asyncio.create_task(tokens(server))
        await asyncio.sleep(0.1)
        assert not held.done()
        await server.resume_generation()
        assert len(await held) == 8
        await server.abort_all_requests(reject_request=True)
        with pytest.raises(RuntimeError, match="rejects"):
            await tokens(server)

    served(act, max_model_len=500)


def test_a_failure_reaches_everyone_who_asks(served: Any) -> None:
    async def act(server: TransformersServer) -> None:
        assert len(await tokens(server)) == 8

        def broken(*_: Any, **__: Any) -> Any:
            raise MemoryError("no more")

        server._generator.model.forward = broken
        with pytest.raises(ServerFailed, match="MemoryError: no more"):
            await tokens(server)
        for call in (tokens(server), server.sleep(), server.wake_up(), server.load_weights({})):
            with pytest.raises(ServerFailed, match="no more"):
                await call

    served(act)


def test_randomness_restarts_with_the_step(served: Any) -> None:
    hot = {"temperature": 5.0, "ignore_eos": True}

    async def act(server: TransformersServer) -> list[list[int]]:
        weights = {name: value.clone() for name, value in server._generator.model.state_dict().items()}
        answers: list[list[int]] = []
        for step in (3, 4, 3):
            await server.load_weights(weights, step)
            answers.append((await server.generate(PROMPT, hot)).fields["token_ids"])
        return answers

    third, fourth, again = served(act)
    assert third == again != fourth


def test_the_servers_process_never_imports_verl(inside: Path) -> None:
    code = "import sys, agentic_rl_inside.server, agentic_rl_inside.router; print('verl' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(inside)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.strip() == "False", done.stderr
