"""A trajectory as lines to read: what was scored, then turn by turn; without Textual."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...runner.process.masking import mask_text, mask_value
from ...runner.stream.lines import clean_line
from ...runner.stream.rollout_turns import pieces_of
from ...runner.stream.rollout_types import Entry, Rollout, Times
from ..i18n import t
from ..widgets.cells import wrap
from .series import duration, number

Line = list[tuple[str, str]]
"""Pieces of (text, style): ``head``, ``label``, ``model``, ``env``, ``role``, ``tag``, ``code``, ``muted``, ``solved``,
``failed``, or "" for plain text."""

MOST = 200_000
"""Characters of a trajectory that are laid out; the rest can be copied or saved."""

_SHORT = 40
_ROLES = ("system", "user", "assistant", "tool")
_TAGS = {
    "think": "thinking", "tool_call": "tool_call", "tool_response": "", "answer": "answer", "search": "tool_call",
    "information": "", "code": "code", "interpreter": "",
}  # fmt: skip


def clean(text: str) -> str:
    """Text of several lines as it is safe to show: no escape codes, no controls, tabs as blanks, secrets masked."""
    lines = (clean_line(line.replace("\r", "")).expandtabs(4) for line in text.split("\n"))
    return mask_text("\n".join(lines))


def lines_of(entry: Entry, rollout: Rollout | None, raw: str, width: int) -> list[Line]:
    """Everything about a trajectory, wrapped.

    Args:
        entry: where it stands in its step.
        rollout: itself; None where its line can't be read.
        raw: beginning of that line, for this case.
        width: cells of a line.
    """
    width = max(width, 12)
    lines: list[Line] = [_title(entry)]
    if rollout is None:
        lines += [[(part, "failed")] for part in wrap(t("rollouts.broken_why"), width)]
        return [*lines, [], *([(part, "muted")] for line in clean(raw).split("\n") for part in wrap(line, width))]
    lines += _facts(rollout, width)
    left = MOST
    for turn in rollout.turns:
        if left <= 0:
            break
        lines.append([])
        lines.append(_speaker(turn.role, turn.model))
        text = clean(turn.text[:left])
        left -= len(turn.text)
        lines += _turn(text, turn.model, width)
    if left < 0:
        lines += [[], [(t("rollouts.cut", n=f"{-left:,}"), "muted")]]
    return lines


def text_of(rollout: Rollout) -> str:
    """The whole trajectory as plain text, for the clipboard and for files."""
    parts: list[str] = []
    for turn in rollout.turns:
        model = f" · {t('rollouts.role.model')}" if turn.model else ""
        parts.append(f"[{_role(turn.role)}{model}]")
        parts.append(clean(turn.text.strip("\n")))
        parts.append("")
    return "\n".join(parts).rstrip("\n")


def _title(entry: Entry) -> Line:
    kind = f" · {t('rollouts.validation')}" if entry.validation else ""
    where = t("rollouts.title", step=entry.step, index=entry.index, group=entry.group)
    return [(where + kind, "head")]


def _facts(rollout: Rollout, width: int) -> Iterator[Line]:
    solved = rollout.solved
    sign = "" if solved is None else t("rollouts.solved") if solved else t("rollouts.failed")
    line: Line = [(f"{t('rollouts.reward')} ", "label"), (value_text(rollout.reward), "head")]
    if sign:
        line.append((f"  {'✓' if solved else '✗'} {sign}", "solved" if solved else "failed"))
    yield line
    if rollout.problem:
        yield from _labelled(t("rollouts.problem"), rollout.problem, width, "failed")
    if rollout.parts:
        yield from _pairs(
            t("rollouts.parts"), [(name, value_text(value)) for name, value in rollout.parts.items()], width
        )
    counts = [(t("rollouts.turns"), rollout.steps), (t("rollouts.calls"), rollout.tool_calls)]
    known = [(label, str(value)) for label, value in counts if value is not None]
    known += times_of(rollout.times)
    if known:
        yield from _pairs("", known, width)
    if rollout.ground_truth:
        yield from _labelled(t("rollouts.truth"), rollout.ground_truth, width)
    info: dict[str, str] = mask_value(dict(rollout.info))
    short = {name: value for name, value in info.items() if len(value) <= _SHORT and "\n" not in value}
    if short:
        yield from _pairs("", [(name, clean(value)) for name, value in short.items()], width)
    for name, value in info.items():
        if name not in short:
            yield from _labelled(name, value, width)


def times_of(times: Times) -> list[tuple[str, str]]:
    """Label and time of what was measured."""
    named = [("model", times.model), ("tool", times.tool), ("score", times.reward), ("total", times.total)]
    return [(t(f"rollouts.time.{name}"), _seconds(value)) for name, value in named if value is not None]


def _seconds(value: float) -> str:
    return f"{1000 * value:.0f}ms" if value < 0.1 else duration(value)


def value_text(value: float | None) -> str:
    """A number, also one that isn't finite; a dash where there is none."""
    if value is None:
        return "–"
    return number(value) if math.isfinite(value) else str(value)


def _pairs(label: str, pairs: list[tuple[str, str]], width: int) -> Iterator[Line]:
    line: Line = [(f"{label}  ", "label")] if label else []
    used = sum(len(text) for text, _ in line)
    for name, value in pairs:
        name = clean(" ".join(name.split()))[:40]
        size = len(name) + len(value) + 4
        if used + size > width and len(line) > bool(label):
            yield line
            line, used = [], 0
        line += [(f"{name} ", "muted"), (f"{value}   ", "")]
        used += size
    if line:
        yield line


def _labelled(label: str, value: str, width: int, style: str = "") -> Iterator[Line]:
    label = clean(" ".join(label.split()))[:40]
    first = True
    for part in wrap(clean(" ".join(value.split()))[:2000], max(12, width - len(label) - 2)):
        yield [(f"{label}  " if first else " " * (len(label) + 2), "label"), (part, style)]
        first = False


def _role(role: str) -> str:
    return t(f"rollouts.role.{role or 'prompt'}") if role in {*_ROLES, ""} else clean(" ".join(role.split()))[:40]


def _speaker(role: str, model: bool) -> Line:
    bar = "▌" if model else "▏"
    style = "model" if model else "env" if role == "tool" else "role"
    line: Line = [(f"{bar} {_role(role)}", style)]
    if model:
        line.append((f" · {t('rollouts.role.model')}", "model"))
    return line


def _turn(text: str, model: bool, width: int) -> Iterator[Line]:
    bar = ("▌ ", "model") if model else ("▏ ", "muted")
    for kind, piece in pieces_of(text) or [("text", t("rollouts.silent"))]:
        style = {"tool_call": "code", "code": "code", "search": "code", "think": "muted"}.get(kind, "")
        if label := _TAGS.get(kind):
            yield [bar, (t(f"rollouts.tag.{label}"), "tag")]
        indent = "  " if kind != "text" and label else ""
        for line in piece.split("\n"):
            for part in wrap(line, width - 2 - len(indent)):
                yield [bar, (indent + part, style)]
