"""What AgentSDK's agent wrapper asks of a parameter that no back end has a key for."""

from __future__ import annotations

from .relation import Finding, Relation

MOST_STEPS = 100


def wrapper_steps(steps: int) -> Finding | None:
    """The wrapper takes at most 100 turns a trajectory."""
    return None if steps <= MOST_STEPS else {"value": steps, "limit": MOST_STEPS, "edit": ("max_steps", MOST_STEPS)}


WRAPPER_RELATIONS: tuple[Relation, ...] = (
    Relation("wrapper-steps", ("max_steps",), wrapper_steps, targets=("agentsdk",)),
)
