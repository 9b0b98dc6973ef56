"""The agent example's task: find a number in a range from the answers "higher" and "lower".

The wrapper that plays it is templates/agents/guess_the_number.py.txt. Before RL the tiny model copies a player
(:func:`play`) who knows how to call the tool and where the game began, and mostly forgets the answers. A fifth of the
opening ranges is held out of both warm-up and RL.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

GUESS = "agentic_rl/guess"
"""``data_source`` of the rows."""

LISTENS = 0.3
"""How often the player picks from what the answers have left, and not from the opening range."""

HELD_OUT = 0.2
"""Share of the opening ranges that neither warm-up nor RL sees."""

TURNS = 5
"""``max_steps`` of the example: bisection needs at most four guesses."""

WORDS = ("user", "tool", "assistant", "system", "guess", "higher", "lower")
"""One token each."""


@dataclass(frozen=True)
class Game:
    """``number`` lies in ``low``..``high``: seven to ten two-digit numbers with the same first digit."""

    low: int
    high: int
    number: int

    @property
    def question(self) -> str:
        return f"{self.low}-{self.high}"

    def row(self, split: str, index: int) -> dict[str, Any]:
        """One row in the shape that verl's ``RLHFDataset`` and AgentSDK's task dictionaries are made from."""
        truth = str(self.number)
        return {
            "data_source": GUESS,
            "prompt": [{"role": "user", "content": self.question}],
            "ability": "game",
            "reward_model": {"style": "rule", "ground_truth": truth},
            "extra_info": {"split": split, "index": index, "question": self.question, "answer": truth},
        }


def split_games(seed: int) -> tuple[list[Game], list[Game]]:
    """All games in random order, as (training, held out); the two share no opening range."""
    chance = random.Random(seed)
    ranges = [
        (10 * tens + low, 10 * tens + high) for tens in range(1, 10) for low in range(4) for high in range(low + 6, 10)
    ]
    chance.shuffle(ranges)
    held_out = round(len(ranges) * HELD_OUT)
    training, rest = _games(ranges[held_out:], chance), _games(ranges[:held_out], chance)
    return training, rest


def _games(ranges: list[tuple[int, int]], chance: random.Random) -> list[Game]:
    games = [Game(low, high, number) for low, high in ranges for number in range(low, high + 1)]
    chance.shuffle(games)
    return games


def play(game: Game, chance: random.Random, listens: float = LISTENS) -> Iterator[tuple[str, str]]:
    """The forgetful player's game: (call, answer) after (call, answer), as the wrapper words them."""
    low, high = game.low, game.high
    for _ in range(TURNS):
        ends = (low, high) if chance.random() < listens else (game.low, game.high)
        guess = chance.randint(*ends)
        if guess == game.number:
            yield f"guess {guess}", "found"
            return
        if guess < game.number:
            low = max(low, guess + 1)
        else:
            high = min(high, guess - 1)
        yield f"guess {guess}", f"{'higher' if guess < game.number else 'lower'} {low}-{high}"
