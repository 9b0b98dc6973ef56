"""The history of the devices: for each of them a line of blocks over the time of the run."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from textual.content import Content

from ..i18n import t
from ..store.device_history import METRICS, DeviceHistory, cells_of, mean_of
from ..store.series import duration
from .cells import pad

LEVELS = "▁▂▃▄▅▆▇█"
_STYLES = {"use": "$series-1", "hbm": "$series-3", "temperature": "$series-6", "power": "$series-2"}
_UNITS = {"use": "%", "hbm": "%", "temperature": " °C", "power": " W"}


def past_lines(history: DeviceHistory, metric: str, width: int) -> list[Content]:
    """Title, one line a device (under the name of its node, if any), the times at both ends.

    Nothing where there are less than two samples.

    Args:
        history: of all devices.
        metric: one of `METRICS`.
        width: in cells.
    """
    span = history.span()
    if span is None or span[1] <= span[0]:
        return []
    place = METRICS.index(metric)
    low, high = history.limits(metric)
    # By node, in the order in which a node was first seen: a device that comes late stands with its own.
    tracks = [(track.node, track.name, list(track.points)) for track in list(history.tracks.values())]
    nodes = list(dict.fromkeys(node for node, _, _ in tracks))
    tracks.sort(key=lambda one: nodes.index(one[0]))
    names = max(3, *(cell_len(name) for _, name, _ in tracks)) + 2
    notes = [_note([v[place] for _, v in points], _UNITS[metric]) for _, _, points in tracks]
    room = width - names - max(cell_len(now + rest) for now, rest in notes) - 2
    if room < 8:
        return []
    lines = [_title(metric, low, high, width)]
    above = ""
    for (node, name, points), (now, rest) in zip(tracks, notes, strict=True):
        cells = cells_of(points, metric, *span, room)
        if node != above:
            lines.append(Content.assemble((t("run.devices.node", node=node), "bold $accent")))
            above = node
        lines.append(
            Content.assemble(
                (pad(name, names), "bold"), (blocks(cells, low, high), _STYLES[metric]), ("  ", ""), (now, "bold"),
                (rest, "$muted"),
            )
        )  # fmt: skip
    first, last = f"-{duration(span[1] - span[0])}", t("run.devices.latest")
    gap = " " * max(1, room - cell_len(first + last))
    return [*lines, Content.assemble((" " * names + first + gap + last, "$muted"))]


def _title(metric: str, low: float, high: float, width: int) -> Content:
    parts: list[tuple[str, str]] = [(t("run.devices.history"), "bold $accent")]
    used = cell_len(parts[0][0])
    for name in METRICS:
        label = t(f"run.devices.{name}")
        scale = f" {low:.0f}–{high:.0f}{_UNITS[metric]}" if name == metric else ""
        used += 3 + cell_len(label + scale)
        if used <= width:
            parts += [
                ("   ", ""),
                (label, f"bold {_STYLES[metric]} underline" if scale else "$muted"),
                (scale, "$muted"),
            ]
    return Content.assemble(*parts)


def _note(values: list[float | None], unit: str) -> tuple[str, str]:
    """The last value, and the mean of all."""
    last = next((value for value in reversed(values) if value is not None), None)
    mean = mean_of(values)
    if last is None or mean is None:
        return f"{'–':>4}", ""
    return f"{last:>4.0f}{unit}", f"  {t('run.devices.mean')}{mean:>4.0f}"


def blocks(values: Iterable[float | None], low: float, high: float) -> str:
    """A block a value; a dot where there is none."""
    scale = (len(LEVELS) - 1) / (high - low or 1.0)
    return "".join("·" if v is None else LEVELS[round(min(max(v - low, 0.0), high - low) * scale)] for v in values)
