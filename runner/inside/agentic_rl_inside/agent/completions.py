"""``self.completions``: async callables over any token generator, usable from any thread and event loop.

A request is checked as AgentSDK checks it; the answer has the shape of vLLM's OpenAI server. A request that the engine
refuses (a prompt longer than the context) is answered with vLLM's error object, as there, not with an exception.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import uuid4

from .recording import Generated, Record, Recording
from .requests import COMPLETION_LENGTH, Asked, check_chat, check_completion
from .rules import WrapperProblem, tell, warn_once

T = TypeVar("T")
Generate = Callable[[list[int], dict[str, Any], str], Awaitable[Generated]]
"""(prompt ids, sampling parameters with ``max_tokens``, session id) -> answer; ValueError: the request is wrong."""


def background_loop() -> asyncio.AbstractEventLoop:
    """An event loop in a daemon thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="agentic-rl completions", daemon=True).start()
    return loop


@dataclass
class Completions:
    """Completions of one model.

    Attributes:
        generate: The model.
        tokenizer: Its tokenizer.
        context: Longest prompt and answer together, tokens.
        loop: Where ``generate`` runs.
        defaults: Sampling parameters of requests that do not say.
        model: Name in the answers.
        recording: Takes down what is generated; replaced for each call of the wrapper.
    """

    generate: Generate
    tokenizer: Any
    context: int
    loop: asyncio.AbstractEventLoop
    defaults: Mapping[str, Any]
    model: str = "model"
    recording: Recording = field(default_factory=Recording)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """Continue a text; this is ``completions[0]``.

        Raises:
            TypeError, ValueError: the request breaks a rule of AgentSDK's check.
        """
        asked = self._checked(check_completion, request)
        with self._lock:  # a fast tokenizer is not safe to use from two threads at once
            prompt = self.tokenizer.encode(request["prompt"])
        if "max_tokens" not in asked.params:
            text = f"a completion request without max_tokens gets {COMPLETION_LENGTH} tokens at most, as from vLLM"
            warn_once("request-default-length", text)
        return await self._answer(prompt, asked, asked.params.get("max_tokens", COMPLETION_LENGTH), chat=False)

    async def chat(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer messages (``/v1/chat/completions``); without ``max_tokens`` as long as defaults and context let.

        Raises:
            TypeError, ValueError: the request breaks a rule of AgentSDK's check.
        """
        asked = self._checked(check_chat, request)
        with self._lock:
            text = self.tokenizer.apply_chat_template(request["messages"], add_generation_prompt=True, tokenize=False)
            prompt = self.tokenizer.encode(text, add_special_tokens=False)
        most = asked.params.get("max_tokens", self.defaults.get("max_tokens"))
        return await self._answer(prompt, asked, most, chat=True)

    def _checked(self, check: Callable[[Any], Asked], request: Any) -> Asked:
        try:
            return check(request)
        except (TypeError, ValueError) as error:
            self.recording.refused = str(error)
            tell(WrapperProblem("request", str(error)), "the wrapper gets the exception")
            raise

    async def _answer(self, prompt: list[int], asked: Asked, most: int | None, *, chat: bool) -> dict[str, Any]:
        recording = self.recording
        room = self.context - len(prompt)
        if room < 1:
            return self._refusal(f"the prompt has {len(prompt)} tokens, the context {self.context}")
        if most is not None and most > room:
            text = f"prompt ({len(prompt)} tokens) and max_tokens ({most}) exceed the context of {self.context}"
            warn_once("request-too-long", f"{text}; AgentSDK's vLLM refuses such a request, here it is shortened")
        params = {**self.defaults, **asked.params, "max_tokens": min(most or room, room), "_logprobs": asked.logprobs}
        try:
            answers = await asyncio.gather(
                *(self._one(recording, prompt, params) for _ in range(asked.n)), return_exceptions=True
            )
            for answer in answers:
                if isinstance(answer, BaseException):
                    raise answer
        except ValueError as error:
            return self._refusal(" ".join(str(error).split())[:300])
        made = [answer for answer in answers if isinstance(answer, Generated)]
        with self._lock:
            texts = [self.tokenizer.decode(answer.tokens, skip_special_tokens=True) for answer in made]
        choices = [
            _choice(number, text, answer, asked.logprobs, chat)
            for number, (text, answer) in enumerate(zip(texts, made, strict=True))
        ]
        return _reply(self.model, len(prompt), made, choices, chat)

    async def _one(self, recording: Recording, prompt: list[int], params: dict[str, Any]) -> Generated:
        recording.begin()
        session, record = uuid4().hex, None
        try:
            answer = await on_loop(self.loop, self.generate(list(prompt), dict(params), session))
            record = Record(tuple(prompt), answer, session)
            return answer
        finally:
            recording.end(record)

    def _refusal(self, message: str) -> dict[str, Any]:
        self.recording.refused = message
        tell(WrapperProblem("request", message), "the wrapper gets vLLM's error object, which has no choices")
        return {"object": "error", "message": message, "type": "BadRequestError", "param": None, "code": 400}


async def on_loop(loop: asyncio.AbstractEventLoop, waited: Awaitable[T]) -> T:
    """Await on another event loop, or on this one where it is the same."""

    async def run() -> T:
        return await waited

    if asyncio.get_running_loop() is loop:
        return await waited
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(run(), loop))


def _choice(number: int, text: str, answer: Generated, logprobs: bool, chat: bool) -> dict[str, Any]:
    choice: dict[str, Any] = {"index": number, "finish_reason": answer.finish, "stop_reason": None, "logprobs": None}
    if chat:
        choice["message"] = {"role": "assistant", "content": text, "tool_calls": []}
        if logprobs and answer.log_probs is not None:
            pairs = zip(answer.tokens, answer.log_probs, strict=True)
            choice["logprobs"] = {"content": [{"token": f"token_id:{t}", "logprob": p} for t, p in pairs]}
        return choice
    choice["text"] = text
    if logprobs and answer.log_probs is not None:
        # AgentSDK's server shows tokens as ids.
        choice["logprobs"] = {
            "tokens": [f"token_id:{token}" for token in answer.tokens],
            "token_logprobs": list(answer.log_probs),
            "top_logprobs": None,
            "text_offset": [],
        }
    return choice


def _reply(model: str, prompt: int, answers: list[Generated], choices: list[Any], chat: bool) -> dict[str, Any]:
    made = sum(len(answer.tokens) for answer in answers)
    return {
        "id": f"{'chatcmpl' if chat else 'cmpl'}-{uuid4().hex}",
        "object": "chat.completion" if chat else "text_completion",
        "created": int(time.time()),
        "model": model,
        "choices": choices,
        "usage": {"prompt_tokens": prompt, "completion_tokens": made, "total_tokens": prompt + made},
    }
