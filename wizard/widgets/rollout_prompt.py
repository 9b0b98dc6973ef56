"""The line in which one types what trajectories must hold, or a step to go to."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Input, Static

from ..i18n import t
from .log_prompt import LogPrompt


class RolloutPrompt(LogPrompt):
    """The log's prompt with words of its own; plain text only."""

    def retranslate(self) -> None:
        """Show the label in the language now in use."""
        purpose = "find" if self.purpose == "find" else "goto"
        self.query_one("#prompt-label", Static).update(Content(f"{t(f'rollouts.{purpose}')} "))
        self.query_one(Input).placeholder = t(f"rollouts.{purpose}_hint")

    def action_regex(self) -> None:
        """Nothing: a regular expression over every text of a step could take for ever."""
