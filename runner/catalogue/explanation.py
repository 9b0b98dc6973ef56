"""An explanation as labelled pieces of text, and its two forms on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .explain_words import LABELS
from .problem import Language


@dataclass(frozen=True, slots=True)
class Section:
    """One labelled piece of an explanation; ``id`` does not depend on the language."""

    id: str
    label: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known about a key or a code.

    Attributes:
        subject: ``parameter``, ``verl-key`` (only verl's own files know it), ``option``,
            ``block`` (a section of a file), ``problem`` or ``unknown``.
        key: dotted key or code that was found; what was asked for when nothing was.
        title: one line.
        sections: labelled pieces, in reading order.
        nearest: for an unknown key, what may have been meant.
        also: other parameters that the question may have meant (``adv_estimator`` stands in two sections).
    """

    subject: str
    key: str
    title: str
    sections: tuple[Section, ...] = ()
    nearest: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether anything is known."""
        return self.subject != "unknown"


def render_plain(explanation: Explanation, lang: Language = "en", columns: int = 100) -> str:
    """The explanation as text for a terminal, labels in a column of their own."""
    from .wrap import width, wrap

    labels = LABELS[lang]
    if not explanation.found:
        hint = labels["did-you-mean"].format(", ".join(explanation.nearest)) if explanation.nearest else ""
        return f"{explanation.title}{hint}\n"
    lines = [
        f"{explanation.key} - {explanation.title}"
        if explanation.subject in ("parameter", "verl-key", "option", "block")
        else explanation.title,
        "",
    ]
    column = max(width(section.label) for section in explanation.sections) + 2
    for section in explanation.sections:
        label = section.label + " " * (column - width(section.label))
        for text in section.lines:
            for line in wrap(text, max(20, columns - column)):
                lines.append(label + line)
                label = " " * column
    if explanation.also:
        lines += ["", labels["also"].format(", ".join(explanation.also))]
    return "\n".join(lines) + "\n"


def render_json(explanation: Explanation) -> dict[str, Any]:
    """The explanation as a JSON object; section ids do not depend on the language."""
    return {
        "subject": explanation.subject,
        "key": explanation.key,
        "title": explanation.title,
        "sections": [{"id": s.id, "label": s.label, "lines": list(s.lines)} for s in explanation.sections],
        "nearest": list(explanation.nearest),
        "also": list(explanation.also),
    }
