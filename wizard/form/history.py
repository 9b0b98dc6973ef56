"""Undo and redo over the whole form: earlier texts, each with the key that was changed."""

from __future__ import annotations

from dataclasses import dataclass

PAUSE = 1.5  # seconds; typing in one field without a longer pause is one step
DEEPEST = 500


@dataclass(frozen=True, slots=True)
class Step:
    """One state of the text; ``key`` is what the change to it touched (empty: more than one key)."""

    text: str
    key: str = ""
    time: float = 0.0
    typing: bool = False


class History:
    """A list of texts with a place in it."""

    def __init__(self, text: str) -> None:
        """Start with one text."""
        self._steps = [Step(text)]
        self._at = 0

    @property
    def text(self) -> str:
        """The present text."""
        return self._steps[self._at].text

    @property
    def can_undo(self) -> bool:
        """Whether an earlier text is at hand."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether an undone text is at hand."""
        return self._at < len(self._steps) - 1

    @property
    def last_key(self) -> str:
        """Key of the change that led to the present text."""
        return self._steps[self._at].key

    def before(self, key: str) -> str:
        """The text before the latest run of changes of one key."""
        at = self._at
        while at > 0 and self._steps[at].key == key:
            at -= 1
        return self._steps[at].text

    def push(self, text: str, key: str, now: float, typing: bool = False) -> None:
        """Take a new text; letters typed into one field without a pause replace each other's step."""
        last = self._steps[self._at]
        joins = typing and last.typing and last.key == key and now - last.time < PAUSE and self._at > 0
        if joins and text == self._steps[self._at - 1].text:  # typed back to where it was: nothing to undo
            del self._steps[self._at :]
            self._at -= 1
            return
        del self._steps[self._at + (0 if joins else 1) :]
        self._steps.append(Step(text, key, now, typing))
        if len(self._steps) > DEEPEST:
            del self._steps[0]
        self._at = len(self._steps) - 1

    def seal(self) -> None:
        """End the present step: what is typed next is a step of its own."""
        last = self._steps[self._at]
        self._steps[self._at] = Step(last.text, last.key, last.time, typing=False)

    def undo(self) -> str | None:
        """Go one text back; returns the key of the change taken back, None when there is nothing."""
        if not self.can_undo:
            return None
        key = self._steps[self._at].key
        self._at -= 1
        return key

    def redo(self) -> str | None:
        """Go one text forward; returns the key of the change made again, None when there is nothing."""
        if not self.can_redo:
            return None
        self._at += 1
        return self._steps[self._at].key
