"""The agent wrapper of AgentSDK, which gets its lengths from the rollout's (facts/agentsdk.md 3.1)."""

from __future__ import annotations

from ..view import View
from .lengths import BATCHED, CONTEXT
from .relation import Finding, Relation

LIMIT, LONGEST = 131_072, 65_536


def _prompt(view: View) -> Finding | None:
    batched = view.number(BATCHED)
    return Finding({"value": batched, "limit": LIMIT}, ((BATCHED, LIMIT),)) if batched and batched > LIMIT else None


def _response(view: View) -> Finding | None:
    context, batched = view.number(CONTEXT), view.number(BATCHED)
    if not context or not batched or 1 <= context - batched <= LONGEST:
        return None
    return Finding({"value": context - batched, "least": batched + 1, "most": batched + LONGEST})


# The wrapper's prompt length is max_num_batched_tokens on verl, its response length what is left of the context.
WRAPPER: tuple[Relation, ...] = (
    Relation("wrapper-prompt-length", (BATCHED,), _prompt, launchers=("agentsdk",)),
    Relation("wrapper-response-length", (CONTEXT, BATCHED), _response, launchers=("agentsdk",)),
)
