"""The remarks of a plan for people: keys that share a reason stand together, the reason is said once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ...backends.plan import Note
from ...backends.rehearsal import shown
from ...catalogue.wrap import width, wrap

_WIDEST_KEY = 40  # columns; a longer key takes a line of its own
_ARROW = " -> "


def note_lines(notes: Sequence[Note], lang: str, room: int) -> list[str]:
    """Lines of at most ``room`` columns, as far as values and paths can be broken.

    Values that were changed come as ``key  before -> after``, aligned; below each group of keys its reason.
    """
    groups: dict[str, list[Note]] = {}
    for note in notes:
        groups.setdefault(_reason(note, lang), []).append(note)
    widths = [width(note.key) for note in notes if _changes(note, lang)]
    column = max((one for one in widths if one <= _WIDEST_KEY), default=0)
    lines: list[str] = []
    for reason, members in groups.items():
        if all(_changes(note, lang) for note in members):
            for note in members:
                lines += _change(note, column, room)
        else:
            lines += wrap(("、" if lang == "zh" else ", ").join(note.key for note in members), room)
        lines += [f"    {line}" for line in wrap(reason, room - 4)]
    return lines


def _changes(note: Note, lang: str) -> bool:
    return note.text[lang].startswith(_prefix(note))


def _prefix(note: Note) -> str:
    return f"{shown(note.before)}{_ARROW}{shown(note.after)}"


def _reason(note: Note, lang: str) -> str:
    text = note.text[lang]
    return text[len(_prefix(note)) :].lstrip(":： ") if _changes(note, lang) else text


def _change(note: Note, column: int, room: int) -> Iterable[str]:
    before, after = (_near(shown(value)) for value in (note.before, note.after))
    line = f"{note.key}{' ' * (column - width(note.key))}  {before}{_ARROW}{after}"
    if width(line) <= room:
        return [line]
    return [note.key, f"    {before}{_ARROW}{after}"] if width(before + _ARROW + after) + 4 <= room else [
        note.key,
        f"    {before}",
        f"   {_ARROW}{after}",
    ]  # fmt: skip


def _near(value: str) -> str:
    """A path below the current folder, from there."""
    path = Path(value)
    return str(path.relative_to(Path.cwd())) if path.is_absolute() and path.is_relative_to(Path.cwd()) else value
