"""The supervised loop that both warm-ups run: a tiny model learns to imitate a teacher, in plain torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

LEARNING_RATE = 3e-3
TELL = 20  # steps between two calls of ``progress``


def imitate(
    model: Any, steps: int, loss_of_batch: Callable[[], torch.Tensor], progress: Callable[[int, float], None]
) -> None:
    """Train ``model`` in place.

    Args:
        model: From :func:`.tiny_model.build_model`.
        steps: Optimizer steps.
        loss_of_batch: Draws the next batch and gives its loss, in nats a token.
        progress: Called with the step and the loss now and then, and at the last step.
    """
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=LEARNING_RATE, weight_decay=0.05, betas=(0.9, 0.98), fused=True
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps, pct_start=0.15)
    model.train()
    for step in range(1, steps + 1):
        loss = loss_of_batch()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % TELL == 0 or step == steps:
            progress(step, loss.item())
    model.eval()
