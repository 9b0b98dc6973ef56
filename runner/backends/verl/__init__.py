"""verl started directly (``python -m verl.trainer.main_ppo``), on NPU, GPU or this CPU."""

from __future__ import annotations

from .plan import JUDGE, LAYOUT, NAME, NEEDS, asked, hints, make_plan, probe

__all__ = ["JUDGE", "LAYOUT", "NAME", "NEEDS", "asked", "hints", "make_plan", "probe"]
