"""The quick-start task: two-digit plus one-digit sums, and a teacher who mostly forgets the carry.

The warm-up of the tiny model copies this teacher, so that before RL even greedy decoding forgets the carry.
Carrying does occur in what the teacher shows, now and then; RL finds out that it is what earns the reward. A
fifth of the sums is held out of both warm-up and RL.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from .rewards import ADDITION

CARRIES = 0.2
"""How often the teacher carries where a carry is due."""

HELD_OUT = 0.2
"""Share of the sums that neither warm-up nor RL sees."""


@dataclass(frozen=True)
class Sum:
    """``a + b`` with ``a`` in 10..89 and ``b`` in 4..9: two digits whatever the answer."""

    a: int
    b: int

    @property
    def question(self) -> str:
        return f"{self.a}+{self.b}"

    @property
    def right(self) -> str:
        return str(self.a + self.b)

    @property
    def without_carry(self) -> str:
        """The answer of someone who adds the digits and forgets to carry."""
        return str(self.a // 10 * 10 + (self.a % 10 + self.b) % 10)

    def row(self, split: str, index: int) -> dict[str, Any]:
        """One row in the shape that verl's ``RLHFDataset`` and AgentSDK's wrapper read."""
        return {
            "data_source": ADDITION,
            "prompt": [{"role": "user", "content": self.question}],
            "ability": "math",
            "reward_model": {"style": "rule", "ground_truth": self.right},
            "extra_info": {"split": split, "index": index, "question": self.question, "answer": self.right},
        }


def split_sums(seed: int) -> tuple[list[Sum], list[Sum]]:
    """All sums in random order, as (training, held out)."""
    sums = [Sum(a, b) for a in range(10, 90) for b in range(4, 10)]
    random.Random(seed).shuffle(sums)
    held_out = round(len(sums) * HELD_OUT)
    return sums[held_out:], sums[:held_out]
