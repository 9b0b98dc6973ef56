"""The two lines above the list of trajectories: what the step amounts to, and what of it is shown."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from ...runner.stream.rollout_summary import Summary
from ..i18n import t
from ..store.rollouts import RolloutView
from ..store.series import duration, number

Part = tuple[str, str]


class RolloutHead(Static):
    """Two lines, as much of them as fits."""

    DEFAULT_CSS = """
    RolloutHead { height: 2; padding: 0 1; background: $surface; }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.view: RolloutView | None = None

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self.retranslate()

    def retranslate(self) -> None:
        """Lay out anew."""
        view = self.view
        if view is None or view.info is None:
            self.update(Content(""))
            return
        width = self.content_size.width
        second = [(text, style) for text, style in summary_parts(view.summary) if text]
        lines = [_fit(_first(view), width), _fit(second, width)]
        self.update(Content("\n").join(Content.assemble(*line) for line in lines))


def _first(view: RolloutView) -> list[Part]:
    info = view.info
    if info is None:
        return []
    parts: list[Part] = [(t("rollouts.step", step=info.step), "bold $accent")]
    if info.validation:
        parts.append((t("rollouts.validation"), "bold $series-4"))
    if view.following:
        parts.append((f"▼ {t('rollouts.following')}", "$state-live"))
    elif len(view.steps) > 1:
        parts.append((t("rollouts.of", first=view.steps[0].step, last=view.steps[-1].step), "$muted"))
    if view.loading:
        parts.append((t("rollouts.reading"), "$accent"))
    count = len(view.entries)
    if len(view.shown) != count:
        parts.append((t("rollouts.some", shown=len(view.shown), n=count), "bold"))
    else:
        parts.append((t("rollouts.count", n=count), ""))
    if view.only != "all":
        parts.append((t(f"rollouts.only.{view.only}"), "$accent"))
    if view.words:
        words = view.words if len(view.words) <= 24 else view.words[:23] + "…"
        parts.append((f"“{words}”", "bold"))
    if view.sort != "order":
        parts.append((t(f"rollouts.sort.{view.sort}"), "$accent"))
    return parts


def summary_parts(one: Summary) -> list[Part]:
    """What a step amounts to, the most important first."""
    parts: list[Part] = []
    if one.mean is not None and one.low is not None and one.high is not None:
        parts.append((t("rollouts.mean", mean=number(one.mean), low=number(one.low), high=number(one.high)), ""))
    if one.solved is not None:
        parts.append((t("rollouts.share", share=f"{one.solved:.0%}"), ""))
    if one.turns is not None:
        parts.append((t("rollouts.mean_turns", mean=number(one.turns)), ""))
    if one.tool_share is not None:
        parts.append((t("rollouts.tool_share", share=f"{one.tool_share:.0%}"), "$muted"))
    if one.broken:
        parts.append((t("rollouts.unreadable", n=one.broken), "$level-error"))
    if one.model_time is not None:
        parts.append((t("rollouts.model_time", time=duration(one.model_time)), "$muted"))
    if one.tool_time is not None:
        parts.append((t("rollouts.tool_time", time=duration(one.tool_time)), "$muted"))
    if one.groups:
        parts.append((t("rollouts.groups", n=one.groups), "$muted"))
        if one.solved is not None and one.groups < one.count:
            parts.append((t("rollouts.uniform", all=one.all_solved, none=one.none_solved), "$muted"))
    return parts


def _fit(parts: list[Part], width: int) -> list[Part]:
    kept: list[Part] = []
    used = 0
    for text, style in parts:
        gap = "   " if kept else ""
        if used + cell_len(gap + text) > width:
            break
        kept += [(gap, ""), (text, style)]
        used += cell_len(gap + text)
    return kept
