"""The line above the log: following or paused, how much is there, what is hidden, what is found."""

from __future__ import annotations

from bisect import bisect_left

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from ..i18n import t
from .log_lines import LogLines

Part = tuple[str, str]


class LogStatus(Static):
    """What `LogLines` is doing, in one line."""

    DEFAULT_CSS = """
    LogStatus { height: 1; padding: 0 1; background: $surface; }
    """

    def __init__(self, lines: LogLines) -> None:
        super().__init__(markup=False)
        self.lines = lines

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self.show()

    def show(self) -> None:
        """Lay out anew."""
        width = self.content_size.width
        right = self._right()
        left = self._left()
        if left and cell_len(left[0][0]) + 1 + cell_len("".join(text for text, _ in right)) > width:
            right = []
        room = width - cell_len("".join(text for text, _ in right)) - (1 if right else 0)
        kept: list[Part] = []
        used = 0
        for text, style in left:
            if used + cell_len(text) > room:
                break
            used += cell_len(text)
            kept.append((text, style))
        gap = max(1, width - used - cell_len("".join(text for text, _ in right)))
        self.update(Content.assemble(*kept, (" " * gap, ""), *right))

    def count_text(self) -> str:
        """``3/120``, ``…/120`` while the search is under way, or that nothing was found."""
        search = self.lines.reader.search
        if search is None:
            return ""
        running = self.lines.reader.snapshot().searching
        if not search.hits:
            return t("run.find.searching") if running else t("run.find.none")
        line = self.lines.line
        position = bisect_left(search.hits, line)
        here = position < len(search.hits) and search.hits[position] == line
        more = "+" if running else ""
        return f"{position + 1 if here else '–'}/{len(search.hits):,}{more}"

    def _left(self) -> list[Part]:
        lines = self.lines
        reader = lines.reader
        index = reader.index
        parts: list[Part] = []
        if index.status == "missing":
            return [(t("run.log.missing"), "$muted")]
        if index.status == "refused":
            return [(t("run.log.refused"), "$level-error")]
        if index.status == "vanished":
            parts.append((t("run.log.vanished") + "  ", "$level-warning"))
        if lines.mark is not None:
            parts.append((t("run.log.marked", n=abs(lines.mark - lines.row) + 1), "bold $accent"))
        elif lines.following:
            ended = self.lines.ended
            text = t("run.log.at_end") if ended else t("run.log.following")
            parts.append((f"▼ {text}", "$muted" if ended else "$state-live"))
        elif not lines.ended:
            parts.append((f"‖ {t('run.log.paused')}", "bold $accent"))
            if lines.pending:
                parts.append((f"  +{lines.pending:,} {t('run.log.pending')}", "$accent"))
        if index.behind > 1 << 20 and index.file_size:
            done = 100 * index.size // index.file_size
            parts.append((f"  {t('run.log.reading', percent=done)}", "$muted"))
        search = reader.search
        if search is not None:
            text = search.query.text if len(search.query.text) <= 24 else search.query.text[:23] + "…"
            gap = "  " if parts else ""
            parts.append((f"{gap}/{text}/ " if search.query.regex else f"{gap}“{text}” ", "bold"))
            parts.append((self.count_text(), "$muted"))
        if reader.only_matching and search is not None:
            parts.append((f"  {t('run.log.only_matching')}", "$accent"))
        if reader.threshold != "all":
            parts.append((f"  {t(f'run.log.only_{reader.threshold}')}", "$accent"))
        return parts

    def _right(self) -> list[Part]:
        lines = self.lines
        reader = lines.reader
        errors = len(reader.levels.errors)
        parts: list[Part] = []
        if errors:
            parts.append((f"✘ {errors:,}", "$level-error"))
            parts.append(("   ", ""))
        total = reader.index.line_count
        line = lines.line
        position = f"{line + 1:,}/{total:,}" if line >= 0 else f"{total:,}"
        if self.content_size.width >= 60:
            step = reader.levels.step_at(line) if line >= 0 else None
            if step is not None:
                parts.append((f"{t('run.log.step')} {step}   ", "$muted"))
            parts.append((t("run.log.line") + " ", "$muted"))
        parts.append((position, "$muted"))
        return parts
