"""AgentSDK (`agentic_rl --config-path F`), on NPUs."""

from __future__ import annotations

from .plan import JUDGE, LAYOUT, NAME, NEEDS, asked, hints, make_plan, probe

__all__ = ["JUDGE", "LAYOUT", "NAME", "NEEDS", "asked", "hints", "make_plan", "probe"]
