"""One wrapper in a thread of its own.

AgentSDK calls a wrapper synchronously, one call after the other, in one process. Here that process also runs verl's
agent loops, so the wrapper gets a thread, with an event loop set for code that asks for the current one.
"""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from .recording import Recording
from .rules import WrapperProblem

LOOK_SECONDS = 0.05


class Lane:
    """A daemon thread that runs what it is given, in order; a hanging one is abandoned."""

    def __init__(self, name: str) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[], Any], recording: Recording, limit: float) -> Any:
        """Run ``work`` and watch it.

        Args:
            work: Called in the lane's thread.
            recording: Requests to the model are signs of life.
            limit: Seconds without one after which the call is given up; 0: never.

        Raises:
            WrapperProblem: ``wrapper-hangs``, with the place where the thread stands.
            BaseException: what ``work`` raised.
        """
        done: Future[Any] = Future()
        self._work.put((work, done))
        waiting = asyncio.wrap_future(done)
        while not waiting.done():
            await asyncio.wait([waiting], timeout=LOOK_SECONDS if limit < 5 else 1)
            if limit and not waiting.done() and recording.idle() > limit:
                recording.closed = True
                text = f"the wrapper has not asked the model or returned for {limit:g} s; it stands at {self._place()}"
                raise WrapperProblem("wrapper-hangs", text, detail=self._stack())
        return await waiting

    def close(self) -> None:
        """Let the thread end when it is done; nobody waits for it."""
        self._work.put(None)

    def _run(self) -> None:
        asyncio.set_event_loop(asyncio.new_event_loop())
        while (item := self._work.get()) is not None:
            work, done = item
            try:
                done.set_result(work())
            except BaseException as error:  # SystemExit too: the process is verl's
                done.set_exception(error if isinstance(error, Exception) else RuntimeError(_exit(error)))

    def _frames(self) -> list[traceback.FrameSummary]:
        frame = sys._current_frames().get(self._thread.ident or 0)
        return list(traceback.extract_stack(frame)) if frame else []

    def _place(self) -> str:
        frames = self._frames()
        own = [f for f in frames if "/lib/python" not in f.filename and "agentic_rl_inside" not in f.filename]
        at = (own or frames or [None])[-1]
        return f"{at.filename}:{at.lineno} in {at.name}" if at else "an unknown place"

    def _stack(self) -> str:
        return "".join(traceback.format_list(self._frames()))


def _exit(error: BaseException) -> str:
    return f"the wrapper ended the process: {type(error).__name__}: {error}".removesuffix(": ")
