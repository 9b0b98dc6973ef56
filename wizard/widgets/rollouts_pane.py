"""The trajectories of a run: a list of those of a step, and one of them to read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, cast

from textual import on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from ...runner.stream.rollout_types import Entry, Rollout
from ...runner.stream.rollouts import Place
from ..i18n import t
from ..store.rollout_words import text_of
from ..store.rollouts import RolloutView
from .key_line import bindings
from .log_copy import copy_text, write_lines
from .log_prompt import LogPrompt
from .rollout_head import RolloutHead
from .rollout_list import RolloutList
from .rollout_prompt import RolloutPrompt
from .rollout_text import RolloutText

SPLIT_HEIGHT = 26

Places = Callable[[], Sequence[Sequence[Place]]]


class RolloutsPane(Vertical, can_focus=True):
    """List and text; where there is little room, one of them at a time."""

    DEFAULT_CSS = """
    RolloutsPane {
        height: 1fr;
        & > #rollouts-empty { color: $muted; padding: 1 2; width: 100%; height: auto; display: none; }
        & > RolloutText { display: none; }
        &.reading > RolloutText { display: block; }
        &.reading > RolloutList { display: none; }
        &.split > RolloutList { display: block; height: 2fr; }
        &.split > RolloutText { display: block; height: 3fr; border-top: hkey $rule; }
        &.empty > #rollouts-empty { display: block; }
        &.empty > RolloutList, &.empty > RolloutText, &.empty > RolloutHead { display: none; }
        &.nothing > RolloutText { display: none; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("rollouts"),
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
    ]

    class StepChosen(Message):
        """A person went to a step; ``show`` asks for the charts."""

        def __init__(self, step: int, show: bool = False) -> None:
            super().__init__()
            self.step = step
            self.show = show

    def __init__(self, name: str, places: Places | None, why: Callable[[], tuple[str, str]]) -> None:
        """Make the pane.

        Args:
            name: of the run, for files that are written.
            places: where its dumps are, asked in a thread; None where only a log is shown.
            why: code (``none.<code>``) and back end of the sentence that is shown while there are none.
        """
        super().__init__(id="pane-rollouts")
        self.file_name = name
        self.view: RolloutView | None = None
        self.head = RolloutHead()
        self.list = RolloutList()
        self.text = RolloutText()
        self.prompt = RolloutPrompt()
        self._places = places
        self._why = why
        self._empty = Static("", id="rollouts-empty", markup=False)
        self._busy = False
        self._wanted: int | None = None

    def compose(self) -> ComposeResult:
        """Two lines, the list, the text, the prompt."""
        yield self.head
        yield self._empty
        yield self.list
        yield self.text
        yield self.prompt

    def on_mount(self) -> None:
        """Nothing is known yet."""
        self.show()

    def on_resize(self) -> None:
        """Both where there is room."""
        self.set_class(self.size.height >= SPLIT_HEIGHT, "split")

    def on_focus(self) -> None:
        """Hand the focus on."""
        self.focus_inside()

    def focus_inside(self) -> None:
        """Give the focus to what is shown; to the pane itself while that is only a sentence."""
        target = self.text if self.has_class("reading") and not self.has_class("split") else self.list
        if target.display and not self.has_class("empty"):
            target.focus()

    def retranslate(self) -> None:
        """Show the words in the language now in use."""
        self.head.retranslate()
        self.text.retranslate()
        self.list.refresh()
        self._show_empty()

    @property
    def reading(self) -> bool:
        """Whether the text has the focus, or all the room."""
        return self.text.has_focus or (self.has_class("reading") and not self.has_class("split"))

    @property
    def one_kind(self) -> bool:
        """Whether there are trajectories of training or of validation only."""
        return self.view is None or len({one.validation for one in self.view.all_steps}) < 2

    # -- reading ---------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Read what is new, in a thread; called each second while the pane is shown, and after each wish."""
        if self._places is not None and not self._busy and self.is_attached:
            self._busy = True
            self._read()

    @work(group="rollouts")
    async def _read(self) -> None:
        try:
            if self.view is None and self._places is not None:
                made = RolloutView(await asyncio.to_thread(self._places))
                self.view = self.head.view = self.view or made
            view = self.view
            while view is not None and self.is_attached:
                found = await asyncio.to_thread(view.read, view.wish)
                if view.apply(found):
                    self.show()
                if self._wanted is not None and view.looked:
                    wanted, self._wanted = self._wanted, None
                    view.go(wanted)
                if found.wish.number == view.wish.number and not found.more:
                    return
        finally:
            self._busy = False

    def totals(self) -> dict[int, tuple[int, Mapping[str, float]]]:
        """For charts: what each step's trajectories amount to. To be called in a thread, also while it is hidden."""
        if self._places is None:
            return {}
        if self.view is None:
            view = RolloutView(self._places())
            if self.view is None:  # unless the pane was shown meanwhile
                self.view = self.head.view = view
        return self.view.totals()

    def show(self) -> None:
        """Show what the view knows now."""
        view = self.view
        self.set_class(view is None or view.info is None, "empty")
        self.set_class(view is None or not view.shown, "nothing")
        self._show_empty()
        if view is None:
            return
        before = self.list.entry
        keep = before if before is not None and view.info is not None and _of(before, view) else None
        self.list.show(view.shown, view.sort == "order", keep)
        self.head.retranslate()
        self.text.mark(view.words)
        if view.info is not None and not view.shown and not view.loading:
            self._empty.update(Content(t("rollouts.none.match")))
            self._empty.styles.display = "block"
        else:
            self._empty.styles.clear_rule("display")
        self._show_entry()
        if self.has_focus:
            self.focus_inside()

    def _show_empty(self) -> None:
        if self.has_class("empty"):
            code, back_end = ("log", "") if self._places is None else self._why()
            if self._places is not None and (self.view is None or not self.view.looked):
                code = "loading"
            self._empty.update(Content(t(f"rollouts.none.{code}", backend=back_end)))

    def _show_entry(self) -> None:
        entry = self.list.entry
        if entry is None:
            self.text.show(None, None)
        elif entry != self.text.entry:
            self._load(entry)

    @work(exclusive=True, group="rollout")
    async def _load(self, entry: Entry) -> None:
        if self.view is None:
            return
        rollout = await asyncio.to_thread(self.view.load, entry)
        raw = b"" if rollout is not None else await asyncio.to_thread(self.view.store.raw, entry, 4096)
        if entry == self.list.entry:
            self.text.show(entry, rollout, raw.decode("utf-8", "replace"))
            if self.view.words:
                self.text.first_hit()

    @on(RolloutList.Moved)
    def _moved(self, event: RolloutList.Moved) -> None:
        event.stop()
        self._show_entry()

    @on(RolloutList.Opened)
    def _opened(self, event: RolloutList.Opened) -> None:
        event.stop()
        self.action_open()

    # -- moving ----------------------------------------------------------------------------------------------------

    def point(self, step: int) -> None:
        """Show a step that was pointed at elsewhere, if it has trajectories."""
        if self.view is None or not self.view.looked:
            self._wanted = step
        elif self.view.go(step):
            self.look()

    def cancel(self) -> bool:
        """Escape: from the text to the list, then take away words and choice; False where nothing is left."""
        view = self.view
        if self.has_class("reading") or self.text.has_focus:
            self.remove_class("reading")
            self.list.focus()
        elif view is not None and view.words:
            self._find("")
        elif view is not None and view.only != "all":
            view.show_all()
            self.show()
        else:
            return False
        return True

    def action_open(self) -> None:
        """Read the trajectory."""
        if self.list.entry is not None:
            self.add_class("reading")
            self.text.focus()

    def action_step(self, by: int) -> None:
        """The next or previous step."""
        step = self.view.move(by) if self.view is not None else None
        if step is not None:
            self.post_message(self.StepChosen(step))
            self.look()

    def action_next(self, by: int) -> None:
        """The next or previous trajectory."""
        self.list.jump(self.list.row + by)

    def action_follow(self) -> None:
        """Follow the newest step, or stay."""
        if self.view is not None:
            self.view.follow()
            self.head.retranslate()
            self.look()

    def action_validation(self) -> None:
        """From training to validation and back."""
        if self.view is None:
            return
        if self.view.toggle_validation():
            self.look()
        else:
            self.notify(t("rollouts.only_validation" if self.view.validation else "rollouts.one_kind"))

    def action_sort(self) -> None:
        """Another order; the cursor goes to its first row."""
        if self.view is not None:
            self.view.next_sort()
            self.list.row = 0
            self.list.entries = ()
            self.show()

    def action_only(self) -> None:
        """All, failed, solved."""
        if self.view is not None:
            self.view.next_only()
            self.show()

    def action_to_chart(self) -> None:
        """Show the step in the charts."""
        if self.view is not None and self.view.info is not None:
            self.post_message(self.StepChosen(self.view.info.step, show=True))

    # -- typing ----------------------------------------------------------------------------------------------------

    def action_find(self) -> None:
        """Ask for words."""
        if self.view is not None:
            self.prompt.ask("find", self.view.words)

    def action_goto(self) -> None:
        """Ask for a step."""
        if self.view is not None and self.view.steps:
            self.prompt.ask("step")
            first, last = self.view.steps[0].step, self.view.steps[-1].step
            self.prompt.note(t("run.prompt.steps", first=first, last=last))

    def _find(self, words: str) -> None:
        if self.view is not None:
            self.view.find(words)
            self.head.retranslate()
            self.text.mark(words)
            self.look()

    @on(LogPrompt.Typed)
    def _typed(self, event: LogPrompt.Typed) -> None:
        event.stop()
        self._find(event.text)

    @on(LogPrompt.Submitted)
    def _submitted(self, event: LogPrompt.Submitted) -> None:
        event.stop()
        if event.purpose == "step":
            step = int(event.text.strip()[:12]) if event.text.strip().isdecimal() else -1
            if self.view is None or not self.view.go(step):
                self.prompt.note(t("rollouts.no_step", step=event.text[:12]), bad=True)
                return
            self.post_message(self.StepChosen(step))
            self.look()
        elif not event.leave:
            self.action_next(event.direction)
            return
        self.prompt.close()
        self.focus_inside()

    @on(LogPrompt.Closed)
    def _prompt_closed(self, event: LogPrompt.Closed) -> None:
        event.stop()
        if event.purpose == "find":
            self._find("")
        self.focus_inside()

    # -- copy and save ---------------------------------------------------------------------------------------------

    def action_copy(self) -> None:
        """Copy what was selected with the mouse, else the whole trajectory."""
        rollout = self._read_now()
        if rollout is None:
            return
        try:
            key, values = copy_text(cast("App[Any]", self.app), text_of(rollout), self._file())  # pyright: ignore[reportUnknownMemberType]
            self.notify(t(key, **values), markup=False)
        except OSError as error:
            self.notify(t("run.not_saved", reason=error), severity="error", markup=False)

    def action_save(self) -> None:
        """Write the trajectory to a file."""
        rollout = self._read_now()
        if rollout is None:
            return
        lines = text_of(rollout).split("\n")
        try:
            path = write_lines(lines, self._file())
        except OSError as error:
            self.notify(t("run.not_saved", reason=error), severity="error", markup=False)
            return
        self.notify(t("run.saved", lines=len(lines), path=path), markup=False)

    def _read_now(self) -> Rollout | None:
        return self.text.rollout if self.text.entry == self.list.entry else None

    def _file(self) -> str:
        entry = self.list.entry
        return f"{self.file_name}-step-{entry.step}-rollout-{entry.index}" if entry else self.file_name


def _of(entry: Entry, view: RolloutView) -> bool:
    return view.info is not None and (entry.step, entry.validation) == (view.info.step, view.info.validation)
