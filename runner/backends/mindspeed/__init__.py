"""MindSpeed-RL started directly: its own YAML set from a file of any shape, and its entry script."""

from .facts import DataState, MindSpeedFacts
from .plan import make_plan

__all__ = ["DataState", "MindSpeedFacts", "make_plan"]
