"""Wrappers as users write them, whole and broken, and a scripted model behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

HEAD = """
import asyncio, os, sys, time
import torch
from agentic_rl import BaseEngineWrapper, Trajectory

TIMES = dict(reward_time=0.0, env_time=0.1, llm_time=0.2, total_time=0.3)
METRICS = dict(steps=2, toolcall_reward=0.5, res_reward=0.5, **TIMES)
"""

PLAY = '''
class Player(BaseEngineWrapper):
    """Two turns a task; between them the environment says "higher"."""

    def initialize(self):
        pass

    def generate_agent_trajectories_async(self, tasks):
        return list(asyncio.run(self.main(tasks)))

    async def main(self, tasks):
        return await asyncio.gather(*(self.play(task) for task in tasks))

    async def play(self, task):
        said = [{"role": "user", "content": task["question"]}]
        text = self.tokenizer.apply_chat_template(said, add_generation_prompt=True, tokenize=False)
        prompt, tokens, mask = self.tokenizer.encode(text), [], []
        for turn in range(2):
            reply = await self.completions[0]({"prompt": text, "max_tokens": 8})
            answer = reply["choices"][0]["text"]
            said.append({"role": "assistant", "content": answer})
            ids = self.tokenizer.encode(answer + "<|im_end|>")
            tokens, mask = tokens + ids, mask + [1] * len(ids)
            if turn == 0:
                said.append({"role": "user", "content": "higher"})
                heard = "\\n<|im_start|>user\\nhigher<|im_end|>\\n<|im_start|>assistant\\n"
                text += answer + "<|im_end|>" + heard
                ids = self.tokenizer.encode(heard)
                tokens, mask = tokens + ids, mask + [0] * len(ids)
        return self.done(task, prompt, tokens, mask, said)

    def done(self, task, prompt, tokens, mask, said):
        return Trajectory(
            prompt_tokens=torch.tensor(prompt),
            response_tokens=torch.tensor(tokens),
            response_masks=torch.tensor(mask),
            idx=task["id"],
            trajectory_reward=float(said[-1]["content"] == task["ground_truth"]),
            chat_completions=said,
            metrics=dict(METRICS),
        )
'''

WHOLE = HEAD + PLAY


def calling(body: str) -> str:
    """A player whose call is ``body``, with ``tasks`` and ``self``; ``super_call(tasks)`` plays properly."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return f"""{WHOLE}
    super_call = generate_agent_trajectories_async

    def generate_agent_trajectories_async(self, tasks):
{lines}
"""


def finishing(change: str) -> str:
    """A player that changes its trajectory's arguments (``prompt``, ``tokens``, ``mask``, ``said``, ``more``)."""
    return f"""{WHOLE}
    def done(self, task, prompt, tokens, mask, said):
        more = dict(idx=task["id"], trajectory_reward=1.0, chat_completions=said, metrics=dict(METRICS))
        prompt, tokens, mask = torch.tensor(prompt), torch.tensor(tokens), torch.tensor(mask)
        {change}
        return Trajectory(prompt, tokens, mask, **more)
"""


def written(folder: Path, text: str, name: str = "player.py") -> Path:
    """The file of a wrapper."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def scripted(tokenizer: Any, *texts: str, log_probs: bool = True) -> Callable[..., Any]:
    """A generator that says these texts in turn, each with its end-of-turn token."""
    from agentic_rl_inside.agent.recording import Generated

    said = iter([*texts])

    async def generate(prompt: list[int], params: dict[str, Any], session: str) -> Generated:
        await asyncio.sleep(0)
        text = next(said, texts[-1])
        tokens = [*tokenizer.encode(text), tokenizer.eos_token_id][: params["max_tokens"]]
        finish = "stop" if tokens[-1] == tokenizer.eos_token_id else "length"
        chances = [-0.25 - place / 100 for place in range(len(tokens))] if log_probs else None
        return Generated(tokens, chances, finish, (3, 3))

    return generate


def tasks(*ids: int, answer: str = "52") -> list[dict[str, Any]]:
    """Tasks as AgentSDK makes them from verl's rows."""
    return [{"question": "47+5", "ground_truth": answer, "id": id} for id in ids]
