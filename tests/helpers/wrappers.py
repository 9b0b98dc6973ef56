"""Agent wrappers for tests: right ones, and wrong ones with what is wrong about them; all of our own making.

A wrong wrapper is a right one with one text replaced, so that nothing else can be what is found.
"""

from __future__ import annotations

GOOD = '''\
import asyncio
import time

import torch
from agentic_rl import BaseEngineWrapper, Trajectory


class Sums(BaseEngineWrapper):
    """Asks once and compares."""

    def __init__(self, agent_name, tokenizer, sampling_params, max_prompt_length=512, max_response_length=64,
                 n_parallel_agents=2, max_steps=3):
        super().__init__(agent_name, tokenizer, sampling_params, max_prompt_length, max_response_length,
                         n_parallel_agents, max_steps)
        self.played = 0

    def initialize(self):
        self.started = time.time()

    def generate_agent_trajectories_async(self, tasks):
        return asyncio.run(self.play_all(tasks))

    async def play_all(self, tasks):
        return list(await asyncio.gather(*(self.play(task, i) for i, task in enumerate(tasks))))

    async def play(self, task, number):
        question = task.get("question") or task.get("problem") or ""
        messages = [{"role": "user", "content": question}]
        prompt = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        answer = await self.completions[0]({"prompt": prompt, "max_tokens": 8})
        text = answer["choices"][0]["text"]
        messages.append({"role": "assistant", "content": text})
        prompt_ids = self.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        ids = self.tokenizer(text, add_special_tokens=False)["input_ids"] or [0]
        correct = text.strip() == str(task.get("ground_truth"))
        return Trajectory(
            prompt_tokens=torch.tensor(prompt_ids, dtype=torch.long),
            response_tokens=torch.tensor(ids, dtype=torch.long),
            response_masks=torch.ones(len(ids), dtype=torch.long),
            idx=number,
            trajectory_reward=1.0 if correct else 0.0,
            chat_completions=messages,
            metrics={"steps": 1, "reward_time": 0.0, "env_time": None, "llm_time": 0.1, "total_time": 0.1,
                     "toolcall_reward": 0.0, "res_reward": 1.0 if correct else 0.0},
        )
'''

DEF = "    def generate_agent_trajectories_async(self, tasks):\n"
RETURN = "        return asyncio.run(self.play_all(tasks))\n"
CTOR = GOOD[GOOD.index("    def __init__") : GOOD.index("    def initialize")]
METRICS = GOOD[GOOD.index("            metrics=") : GOOD.rindex("        )")]
FIVE = '            metrics={"steps": 1, "reward_time": 0, "env_time": 0, "llm_time": 0, "total_time": 0},\n'

# name -> (what is replaced, by what, code, level with AgentSDK 26.0.0 on verl)
WRONG: dict[str, tuple[str, str, str, str]] = {
    "syntax": (DEF, DEF.replace(":", ""), "wrapper-syntax", "error"),
    "no-base": ("class Sums(BaseEngineWrapper)", "class Sums", "wrapper-no-subclass", "error"),
    "two-classes": (
        "class Sums(BaseEngineWrapper):",
        "class Base(BaseEngineWrapper):\n    pass\n\n\nclass Sums(Base):",
        "wrapper-many-subclasses",
        "error",
    ),
    "alias": ("        )\n", "        )\n\n\nAgent = Sums\n", "wrapper-many-subclasses", "error"),
    "aura": (
        "from agentic_rl import BaseEngineWrapper, Trajectory",
        "from aura.runner.agent_engine_wrapper.base_engine_wrapper import BaseEngineWrapper, Trajectory",
        "wrapper-of-aura",
        "error",
    ),
    "generate-trajectory": (
        DEF + RETURN,
        "    async def generate_trajectory(self, task): ...\n",
        "wrapper-of-newer-generation",
        "error",
    ),
    "misspelt": (DEF, DEF.replace("trajectories_async", "trajectory_async"), "wrapper-method-missing", "error"),
    "no-initialize": ("    def initialize(self)", "    def setup(self)", "wrapper-method-missing", "error"),
    "async": (
        DEF + RETURN,
        "    async " + DEF.lstrip() + "        return await self.play_all(tasks)\n",
        "wrapper-async",
        "error",
    ),
    "async-initialize": (
        "    def initialize(self)",
        "    async def initialize(self)",
        "wrapper-initialize-async",
        "error",
    ),
    "yield": (RETURN, "        yield from asyncio.run(self.play_all(tasks))\n", "wrapper-yields", "error"),
    "not-awaited": (RETURN, "        return self.play_all(tasks)\n", "wrapper-returns-coroutine", "error"),
    "returns-nothing": (RETURN, RETURN.replace("return ", ""), "wrapper-returns", "error"),
    "returns-dict": (
        RETURN,
        '        return {"trajectories": asyncio.run(self.play_all(tasks))}\n',
        "wrapper-returns",
        "error",
    ),
    "returns-dicts": (RETURN, '        return [{"reward": 1.0} for _ in tasks]\n', "wrapper-returns-items", "error"),
    "no-self": (DEF, DEF.replace("self, ", ""), "wrapper-signature", "error"),
    "one-more": (DEF, DEF.replace("tasks)", "tasks, timing)"), "wrapper-signature", "error"),
    "initialize-more": ("initialize(self)", "initialize(self, config)", "wrapper-signature", "error"),
    "keywords": (
        "max_prompt_length=512, max_response_length=64",
        "prompt=512, response=64",
        "wrapper-constructor",
        "error",
    ),
    "needs-more": (
        "sampling_params, max_prompt_length=512",
        "sampling_params, env_url, max_prompt_length=512",
        "wrapper-constructor",
        "error",
    ),
    "super-empty": (CTOR[CTOR.index("        super()") :], "        super().__init__()\n\n", "wrapper-super", "error"),
    "super-unknown": (
        CTOR[CTOR.index("        super()") :],
        "        super().__init__(agent_name, tokenizer, sampling_params, tools=[])\n\n",
        "wrapper-super",
        "error",
    ),
    "no-super": (CTOR[CTOR.index("        super()") :], "        self.played = 0\n\n", "wrapper-no-super", "warning"),
    "reward-bool": (
        "1.0 if correct else 0.0,\n            chat",
        "correct,\n            chat",
        "wrapper-trajectory-value",
        "error",
    ),
    "reward-nan": (
        "1.0 if correct else 0.0,\n            chat",
        'float("nan"),\n            chat',
        "wrapper-reward-not-finite",
        "warning",
    ),
    "reward-none": (
        "1.0 if correct else 0.0,\n            chat",
        "None,\n            chat",
        "wrapper-trajectory-value",
        "error",
    ),
    "token-list": (
        "torch.tensor(ids, dtype=torch.long)",
        "self.tokenizer.encode(text)",
        "wrapper-trajectory-value",
        "error",
    ),
    "id-text": ("idx=number", "idx=str(number)", "wrapper-trajectory-value", "error"),
    "mask-zero": ("torch.ones(", "torch.zeros(", "wrapper-mask-empty", "warning"),
    "none-content": (
        "chat_completions=messages",
        'chat_completions=[{"role": "assistant", "content": None}]',
        "wrapper-chat-value",
        "error",
    ),
    "tool-calls": (
        '"content": text})',
        '"content": text, "tool_calls": [{"name": "add"}]})',
        "wrapper-chat-value",
        "warning",
    ),
    "field": ("trajectory_reward=", "reward=", "wrapper-trajectory-fields", "error"),
    "five-metrics": (METRICS, FIVE, "wrapper-metrics", "error"),
    "other-metrics": ('"res_reward":', '"accuracy":', "wrapper-metrics", "error"),
    "metric-none": ('"toolcall_reward": 0.0', '"toolcall_reward": None', "wrapper-metric-value", "error"),
    "relative": ("import time\n", "import time\n\nfrom .tools import add\n", "wrapper-relative-import", "error"),
    "task-key": (
        RETURN,
        '        self.asked = [task["level"] for task in tasks]\n' + RETURN,
        "wrapper-task-key",
        "error",
    ),
    "exit": ("class Sums", "import sys\nsys.exit(0)\n\n\nclass Sums", "wrapper-habit-exit", "error"),
    "raises": ("class Sums", 'raise RuntimeError("not yet")\n\n\nclass Sums', "wrapper-habit-raise", "error"),
    "process": (
        RETURN,
        '        import subprocess\n        subprocess.run(["true"])\n' + RETURN,
        "wrapper-habit-process",
        "hint",
    ),
    "input": (RETURN, '        input("go on?")\n' + RETURN, "wrapper-habit-input", "warning"),
    "ray": (RETURN, "        import ray\n        ray.init()\n" + RETURN, "wrapper-habit-ray", "warning"),
    "lazy-dataclass": (
        "import asyncio\n",
        "from __future__ import annotations\n\nimport asyncio\nfrom dataclasses import dataclass\n\n\n"
        "@dataclass\nclass Turn:\n    text: str\n\n\n",
        "wrapper-lazy-dataclass",
        "warning",
    ),
}


def wrong(name: str) -> str:
    """The text of a wrong wrapper."""
    old, new, _, _ = WRONG[name]
    assert GOOD.count(old), name
    at = GOOD.rindex(old) if name == "alias" else GOOD.index(old)
    return GOOD[:at] + new + GOOD[at + len(old) :]


# Other shapes that AgentSDK takes.
RIGHT: dict[str, str] = {
    "good": GOOD,
    "no-constructor": GOOD.replace(CTOR, ""),
    "keywords": GOOD.replace(CTOR, "    def __init__(self, **kwargs):\n        super().__init__(**kwargs)\n\n"),
    "keyword-only": GOOD.replace(
        CTOR,
        "    def __init__(self, *, agent_name, tokenizer, mode='Token', **rest):\n"
        "        super().__init__(agent_name=agent_name, tokenizer=tokenizer, **rest)\n        self.mode = mode\n\n",
    ),
    "dotted": GOOD.replace(
        "from agentic_rl import BaseEngineWrapper, Trajectory",
        "import agentic_rl as sdk\nfrom agentic_rl.runner import Trajectory",
    ).replace("class Sums(BaseEngineWrapper)", "class Sums(sdk.BaseEngineWrapper)"),
    "renamed": GOOD.replace("import BaseEngineWrapper,", "import BaseEngineWrapper as Base,").replace(
        "class Sums(BaseEngineWrapper)", "class Sums(Base)"
    ),
    "guarded-base": GOOD.replace(
        "from agentic_rl import BaseEngineWrapper, Trajectory",
        "try:\n    from agentic_rl import BaseEngineWrapper, Trajectory\nexcept ImportError:\n"
        "    BaseEngineWrapper = object",
    ),
    "mixin-in-front": GOOD.replace(
        "class Sums(BaseEngineWrapper):",
        "class Started:\n    def initialize(self):\n        pass\n\n\nclass Sums(Started, BaseEngineWrapper):",
    ).replace("    def initialize(self):\n        self.started = time.time()\n\n", ""),
    "unknown-mixin": GOOD.replace("import torch\n", "import torch\nfrom my_tools import Searcher\n")
    .replace("(BaseEngineWrapper):", "(Searcher, BaseEngineWrapper):")
    .replace("    def initialize(self):\n        self.started = time.time()\n\n", ""),
    "threads": GOOD.replace(
        RETURN,
        "        results = [None] * len(tasks)\n"
        "        for i, task in enumerate(tasks):\n            results[i] = asyncio.run(self.play(task, i))\n"
        "        return results\n",
    ),
    "spread": GOOD.replace("        return Trajectory(\n", "        result = dict(\n").replace(
        "        )\n", "        )\n        return Trajectory(**result)\n"
    )
    if GOOD.endswith("        )\n")
    else GOOD,
    "metrics-grow": GOOD.replace(METRICS, "            metrics=metrics,\n").replace(
        "        return Trajectory(",
        '        metrics = {"steps": 1}\n'
        "        metrics.update(reward_time=0, env_time=0, llm_time=0, total_time=0, toolcall_reward=0, res_reward=0)\n"
        "        return Trajectory(",
    ),
    "no-metrics": GOOD.replace(METRICS, ""),
    "decorated": GOOD.replace(DEF, "    @timed\n" + DEF).replace(
        "class Sums", "from my_tools import timed\n\n\nclass Sums"
    ),
    "optional-more": GOOD.replace(DEF, DEF.replace("tasks)", "tasks, timing_raw=None, meta_info=None)")),
    "asked-first": GOOD.replace(
        RETURN, '        asked = [task["problem"] for task in tasks if "problem" in task]\n' + RETURN
    ),
    "main": GOOD + '\n\nif __name__ == "__main__":\n    import sys\n    sys.exit(0)\n',
    "stub": 'import sys\nimport types\n\nsys.modules["verl"] = types.ModuleType("verl")\nimport verl\n\n' + GOOD,
}
