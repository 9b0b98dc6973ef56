"""The top of the run view: what runs, in which state, how far, how fast, how well."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from ...runner.process.reasons import reason_text
from ..i18n import language, t
from ..store.run_model import RunModel
from ..store.series import duration, number
from .cells import crop

# A symbol for each state, so that colour is never the only difference.
SYMBOLS = {
    "starting": ("◌", "$state-live"),
    "running": ("●", "$state-live"),
    "stopping": ("◍", "$state-stopped"),
    "finished": ("✔", "$state-done"),
    "failed": ("✘", "$state-failed"),
    "stopped": ("■", "$state-stopped"),
    "lost": ("?", "$state-lost"),
    "log": ("▤", "$state-done"),
}

Part = tuple[str, str]


class RunHeader(Static):
    """Three lines; one where the terminal is low."""

    DEFAULT_CSS = """
    RunHeader { height: 3; padding: 0 1; background: $panel; }
    """

    def __init__(self, model: RunModel) -> None:
        super().__init__(markup=False)
        self.model = model
        self.low = False

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self.retranslate()

    def retranslate(self) -> None:
        """Lay out anew."""
        width = self.content_size.width
        lines = [self._first(width)] if self.low else [self._first(width), self._second(width), self._third(width)]
        self.update(Content("\n").join(lines))

    def _first(self, width: int) -> Content:
        model = self.model
        symbol, style = SYMBOLS.get(model.state, ("?", "$muted"))
        state = [(f"{symbol} {t(f'run.state.{model.state}')}", f"bold {style}")]
        if self.low and model.progress.step is not None:
            state.append((f"  {self._steps()}", "bold"))
        record = model.record
        if model.vanished:
            state.append((f"  {t('run.vanished')}", "$level-warning"))
        elif record is not None and not model.ended and model.progress.stage is not None:
            state.append((f"  {t(f'run.stage.{model.progress.stage}')}", ""))
        elif record is not None and record.exit_code is not None and record.state == "failed":
            state.append((f"  {t('run.exit_code', code=record.exit_code)}", "$level-error"))
        name = (
            [(f"{record.project} / ", "$muted"), (record.experiment, "bold")] if record else [(model.log.name, "bold")]
        )
        engine = " · ".join(part for part in self._engine() if part)
        return spread(state, name, [(engine, "$muted")] if engine else [], width)

    def _engine(self) -> list[str]:
        record = self.model.record
        if record is None:
            return []
        return [f"{record.backend} {record.backend_version}".strip(), record.device]

    def _steps(self) -> str:
        progress = self.model.progress
        if progress.step is None:
            return t("run.no_step")
        if progress.total is None:
            return t("run.step", step=progress.step)
        return t("run.step_of", step=progress.step, total=progress.total)

    def _second(self, width: int) -> Content:
        progress = self.model.progress
        left: list[Part] = [(self._steps(), "bold" if progress.step is not None else "$muted")]
        right: list[Part] = []
        if progress.seconds_per_step is not None:
            right += [(f"{duration(progress.seconds_per_step)}", "bold"), (t("run.per_step"), "$muted")]
        if not self.model.ended and progress.seconds_left:
            right += [("   ", ""), (duration(progress.seconds_left), "bold"), (f" {t('run.left')}", "$muted")]
        if self.model.elapsed is not None and width >= 100:
            right += [("   ", ""), (duration(self.model.elapsed), ""), (f" {t('run.elapsed')}", "$muted")]
        used = sum(cell_len(text) for text, _ in (*left, *right))
        room = min(60, width - used - 11)
        if progress.total and progress.step is not None and room >= 6:
            left += [("  ", ""), *bar(progress.step / progress.total, room)]
        return spread(left, [], right, width)

    def _third(self, width: int) -> Content:
        model = self.model
        if model.failure is not None or (model.record is not None and model.record.reason and model.ended):
            reason = (
                model.failure.cause
                if model.failure
                else (reason_text(model.record, language()) if model.record else "")
            )
            text = " ".join(reason.split())
            room = width - cell_len(t("run.cause")) - 1
            text = crop(text, room)
            style = "$level-error" if model.state == "failed" else "$level-warning"
            return Content.assemble((f"{t('run.cause')} ", "$muted"), (text, style))
        rewards = model.progress.rewards
        left: list[Part] = []
        if rewards:
            first, last = rewards[0][1], rewards[-1][1]
            left = [(f"{t('run.reward')} ", "$muted"), (number(first), ""), (" → ", "$muted"), (number(last), "bold")]
            if len(rewards) >= 6:
                left.append((f"  {trend([value for _, value in rewards])}", "$series-1"))
        middle: list[Part] = []
        if model.progress.checkpoint is not None:
            middle = [(f"{t('run.checkpoint')} ", "$muted"), (t("run.at_step", step=model.progress.checkpoint), "bold")]
        right: list[Part] = []
        if model.progress.resumed_from:
            right.append((t("run.resumed", step=model.progress.resumed_from), "$muted"))
        if model.record is not None and model.record.lost_bytes:
            right.append((f"  {t('run.lost_bytes', n=model.record.lost_bytes)}", "$level-warning"))
        return spread(left, middle, right, width)


def bar(share: float, width: int) -> list[Part]:
    """A progress bar with its percentage."""
    share = min(max(share, 0.0), 1.0)
    filled = int(share * width)
    return [("━" * filled, "$state-live"), ("─" * (width - filled), "$rule"), (f" {share * 100:3.0f}%", "bold")]


def trend(values: list[float], width: int = 16) -> str:
    """The course of values in few cells, each the mean of its share of them."""
    marks = "▁▂▃▄▅▆▇█"
    count = min(width, len(values))
    means: list[float] = []
    for cell in range(count):
        part = values[cell * len(values) // count : (cell + 1) * len(values) // count]
        means.append(sum(part) / len(part))
    low, high = min(means), max(means)
    span = (high - low) or 1.0
    return "".join(marks[min(7, int((value - low) / span * 7.999))] for value in means)


def spread(left: list[Part], middle: list[Part], right: list[Part], width: int) -> Content:
    """Left, middle and right part on a line; the right, then the middle one give way."""

    def size(parts: list[Part]) -> int:
        return sum(cell_len(text) for text, _ in parts)

    if size(left) + size(middle) + size(right) + 4 > width:
        right = []
    if size(left) + size(middle) + 2 > width:
        middle = []
    gap = width - size(left) - size(middle) - size(right)
    before = min(3, gap) if not right else max(2, min(gap // 2, 4))
    before = before if middle else 0
    return Content.assemble(*left, (" " * before, ""), *middle, (" " * max(0, gap - before), ""), *right)
