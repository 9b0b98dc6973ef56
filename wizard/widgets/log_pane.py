"""The log with its status line and its prompt: find, filter, jump, copy, save."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, cast

from textual import on, work
from textual.actions import SkipAction
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message

from ...runner.stream.lines import split_prefix
from ..i18n import t
from ..store.log_query import Query, QueryError
from ..store.log_reader import THRESHOLDS, LogReader, Threshold
from .key_line import bindings
from .log_copy import copy_text, write_lines
from .log_lines import LogLines
from .log_prompt import LogPrompt
from .log_status import LogStatus

LOOK_HZ = 4


class LogPane(Vertical):
    """Everything about the log."""

    DEFAULT_CSS = """
    LogPane { height: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("log"),
        Binding("ctrl+c", "copy_selection", show=False),
    ]

    class StepWanted(Message):
        """Show the step of the current line in the charts."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class SearchChanged(Message):
        """Something is looked for, or nothing any more: other keys make sense."""

    class Opened(Message):
        """Show a line in full."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def __init__(self, reader: LogReader, name: str) -> None:
        super().__init__(id="pane-log")
        self.reader = reader
        self.file_name = name
        self.lines = LogLines(reader)
        self.status = LogStatus(self.lines)
        self.prompt = LogPrompt()
        self._jump_when_found = False
        self._find_from = -1
        self._upwards = False

    def compose(self) -> ComposeResult:
        """Status, lines, prompt."""
        yield self.status
        yield self.lines
        yield self.prompt

    def on_mount(self) -> None:
        """Begin to look at the reader."""
        self.set_interval(1 / LOOK_HZ, self.look)
        self.look()

    def look(self) -> None:
        """Show what has come."""
        if not self.lines.look():
            return
        if self._jump_when_found and self._first_hit_is_known():
            self._jump_when_found = False
            self._show_hit(self._first_hit())
        self.refresh_status()

    def set_ended(self, ended: bool) -> None:
        """Say whether more lines can come."""
        if self.lines.ended != ended:
            self.lines.ended = ended
            self.refresh_status()

    def retranslate(self) -> None:
        """Show the status in the language now in use."""
        self.refresh_status()

    def refresh_status(self) -> None:
        """Show position, state and counts."""
        self.status.show()
        if self.prompt.asking and self.prompt.purpose == "find" and self.reader.search:
            self.prompt.note(self.status.count_text())

    @on(LogLines.Moved)
    def _moved(self) -> None:
        self.refresh_status()

    @on(LogLines.Opened)
    def _opened(self, event: LogLines.Opened) -> None:
        event.stop()
        self.post_message(self.Opened(event.line))

    # -- find ------------------------------------------------------------------------------------------------------

    def action_find(self) -> None:
        """Ask what to find."""
        search = self.reader.search
        # Each letter looks again from here, so that typing on doesn't run from match to match.
        self._upwards = self.lines.following
        self._find_from = max(0, self.lines.line)
        self.prompt.ask("find", search.query.text if search else "")
        self.prompt.note(self.status.count_text())

    def _first_hit_is_known(self) -> bool:
        """Whether the search has come far enough; upwards, all lines above have to be looked at."""
        search = self.reader.search
        return search is not None and bool(search.hits) and not (self._upwards and search.done < self._find_from)

    def _first_hit(self) -> int | None:
        """The row of the match nearest to where the search began: who follows the end looks upwards from there."""
        return (
            self.reader.hit_near(self._find_from + 1, -1)
            if self._upwards
            else (self.reader.hit_near(self._find_from - 1, 1))
        )

    @on(LogPrompt.Typed)
    def _prompt_typed(self, event: LogPrompt.Typed) -> None:
        event.stop()
        self.find(event.text, event.regex)

    def find(self, text: str, regex: bool = False) -> bool:
        """Look for something from now on; an empty text ends it.

        Returns:
            Whether it can be looked for.
        """
        self.lines.hit_row = None
        try:
            query = Query(text, regex) if text else None
        except QueryError as error:
            # What was typed before is not what is asked now; its count would also hide the reason.
            self._jump_when_found = False
            self._change(lambda: self.reader.find(None))
            self.prompt.note(t(f"run.find.{error.code}", detail=error.detail), bad=True)
            return False
        if query is None:
            self._jump_when_found = False
            self.prompt.note("")
        else:
            self._jump_when_found = not self.reader.only_matching
        self._change(lambda: self.reader.find(query))
        self.post_message(self.SearchChanged())
        return True

    @on(LogPrompt.Submitted)
    def _prompt_submitted(self, event: LogPrompt.Submitted) -> None:
        event.stop()
        if event.purpose == "step":
            self._go_to_typed_step(event.text)
            return
        if event.leave:
            self.prompt.close()
            self.lines.focus()
        if not event.leave:
            self.action_next_hit(event.direction)
        elif self.lines.hit_row is None:
            self._show_hit(self._first_hit() if self._first_hit_is_known() else None)

    @on(LogPrompt.Closed)
    def _prompt_closed(self, event: LogPrompt.Closed) -> None:
        event.stop()
        self.lines.focus()
        if event.purpose == "find":
            self.find("")

    def action_next_hit(self, direction: int) -> None:
        """To the next or previous match."""
        if self.reader.search is None:
            self.action_find()
            return
        self._show_hit(self.reader.hit_near(self.lines.line, direction))

    def _show_hit(self, row: int | None) -> None:
        if row is not None:
            self._jump_when_found = False
            self.lines.hit_row = row
            self.lines.jump(row, middle=True)
            self.lines.reveal_hit()
        self.refresh_status()

    def cancel(self) -> bool:
        """Escape: end the mark, the search or the filter, one at a time; False where nothing is left."""
        if self.lines.mark is not None:
            self.lines.mark = None
            self.lines.refresh()
        elif self.reader.search is not None:
            self._show_only(self.reader.threshold, matching=False)
            self.find("")
        elif self.reader.filtered:
            self._show_only("all", matching=False)
        else:
            return False
        return True

    # -- filter ----------------------------------------------------------------------------------------------------

    def action_only_matching(self) -> None:
        """Hide the lines that don't match, or show them again."""
        if self.reader.search is None:
            self.action_find()
            return
        self._show_only(self.reader.threshold, not self.reader.only_matching)

    def action_level(self) -> None:
        """All lines, warnings and errors, errors."""
        position = THRESHOLDS.index(self.reader.threshold)
        self._show_only(THRESHOLDS[(position + 1) % len(THRESHOLDS)], self.reader.only_matching)

    def action_only_worker(self) -> None:
        """Show only the lines of the process that wrote the current one."""
        text = self.lines.text_of_row(self.lines.row)
        origin, _, _ = split_prefix(text)
        if origin is None:
            self.notify(t("run.no_worker"))
            return
        self._show_only(self.reader.threshold, matching=True)
        self.find(f"{origin.name} pid={origin.pid}" if origin.pid else origin.name)

    def _show_only(self, threshold: Threshold, matching: bool) -> None:
        self._change(lambda: self.reader.show_only(threshold, matching))

    def _change(self, change: Callable[[], None]) -> None:
        """Change what is shown, and keep the line that was looked at in view, whatever row it has then."""
        line = self.lines.line
        following = self.lines.following
        change()
        self.lines.forget()
        self.lines.look(force=True)
        if not following and line >= 0:
            self.lines.jump(self.reader.row_of_line(line), middle=True)
        self.refresh_status()

    # -- jump ------------------------------------------------------------------------------------------------------

    def action_next_error(self, direction: int) -> None:
        """To the next or previous error."""
        line = self.reader.levels.next_error(self.lines.line, backwards=direction < 0)
        if line is None:
            self.notify(t("run.no_errors"))
            return
        self.show_line(line)

    def action_goto_step(self) -> None:
        """Ask for a step."""
        self.prompt.ask("step")
        steps = self.reader.levels.steps
        self.prompt.note(t("run.prompt.steps", first=steps[0], last=steps[-1]) if steps else t("run.prompt.no_steps"))

    def _go_to_typed_step(self, text: str) -> None:
        text = text.strip()
        if not text.isdecimal() or not self.show_step(int(text[:12])):
            self.prompt.note(t("run.prompt.no_such_step", step=text[:12]), bad=True)
            return
        self.prompt.close()
        self.lines.focus()

    def show_step(self, step: int) -> bool:
        """Show the line with the metrics of a step; False where the log has none."""
        line = self.reader.levels.line_of_step(step)
        if line is None:
            return False
        self.show_line(line)
        return True

    def show_line(self, line: int) -> None:
        """Show a line; a filter that hides it is taken away."""
        reader = self.reader
        if reader.filtered and reader.line_of_row(reader.row_of_line(line)) != line:
            self._show_only("all", matching=False)
        self.lines.jump(reader.row_of_line(line), middle=True)
        self.refresh_status()

    def action_to_chart(self) -> None:
        """Show the step of the current line in the charts."""
        step = self.reader.levels.step_at(self.lines.line)
        if step is None:
            self.notify(t("run.prompt.no_steps"))
        else:
            self.post_message(self.StepWanted(step))

    def action_toggle_follow(self) -> None:
        """Follow or pause."""
        if self.lines.following:
            self.lines.jump(self.lines.row)
        else:
            self.lines.action_follow()
        self.refresh_status()

    def action_wrap(self) -> None:
        """Break long lines over several rows, or cut them at the edge."""
        self.lines.wrapped = not self.lines.wrapped
        self.refresh_status()

    def action_whole_line(self) -> None:
        """Show the current line in full."""
        if self.lines.line >= 0:
            self.post_message(self.Opened(self.lines.line))

    # -- copy and save ---------------------------------------------------------------------------------------------

    def action_mark(self) -> None:
        """Begin or end a selection of whole lines."""
        lines = self.lines
        lines.mark = lines.row if lines.mark is None else None
        if lines.following:
            lines.jump(lines.row)
        lines.refresh()
        self.refresh_status()

    def action_copy_selection(self) -> None:
        """Ctrl-C: copy where something is selected; else it was meant to leave, which is the app's business."""
        if self.lines.mark is not None or self.screen.get_selected_text():
            self.action_copy()
        else:
            raise SkipAction

    def action_copy(self) -> None:
        """Copy what was selected with the mouse, else the marked lines, else the current line."""
        lines = self.lines
        text = self.screen.get_selected_text()
        if not text:
            first, last = sorted((lines.row if lines.mark is None else lines.mark, lines.row))
            text = "\n".join(lines.text_of_row(row) for row in range(first, last + 1))
        if not text:
            return
        try:
            key, values = copy_text(cast("App[Any]", self.app), text, f"{self.file_name}-copy")  # pyright: ignore[reportUnknownMemberType]
            self.notify(t(key, **values), markup=False)
        except OSError as error:
            self.notify(t("run.not_saved", reason=error), severity="error", markup=False)
        lines.mark = None
        self.screen.clear_selection()
        lines.refresh()

    def action_save(self) -> None:
        """Write the lines that are shown (all, or those that the filters leave) to a file."""
        self._save()

    @work(thread=True, exclusive=True, group="save")
    def _save(self) -> None:
        lines = self.lines
        count = self.reader.row_count()
        try:
            path = write_lines((lines.text_of_row(row) for row in range(count)), f"{self.file_name}-log")
        except OSError as error:
            self.notify(t("run.not_saved", reason=error), severity="error", markup=False)
            return
        self.notify(t("run.saved", lines=f"{count:,}", path=path), markup=False)
