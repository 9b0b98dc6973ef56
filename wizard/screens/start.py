"""The start screen: pick a template, go on with a draft, or open a file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, cast

from rich.cells import cell_len
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ..form import rooms
from ..form.changes import changed_lines
from ..form.describe import short_path, when
from ..form.drafts import Draft, Drafts
from ..form.saving import recent_files
from ..form.values import printable
from ..i18n import language, t
from ..keys import START_KEYS
from ..widgets.field_path import PathSuggester
from ..widgets.key_bar import KeyBar
from ..widgets.of_app import app_of
from ..widgets.one_line import OneLine
from ..widgets.signs import sign
from ..widgets.wrapping import fit

if TYPE_CHECKING:
    from ..form.rooms import TemplateInfo

NAME_WIDTH = 30  # the longest name of a template, and a gap


class Opens(Protocol):
    """An app that opens a form."""

    async def open(self, path: Path | None, template: str) -> None:
        """Open a file or a template."""
        ...

    def open_draft(self, draft: Draft) -> None:
        """Go on with a draft."""
        ...


class StartScreen(Screen[None]):
    """Drafts first (they are what may be lost), then templates, then a file by its path."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "keys", show=False, id="start.keys"),
        Binding("ctrl+o", "file", show=False, priority=True, id="start.file"),
        Binding("delete", "drop", show=False, id="start.drop"),
        Binding("escape", "list", show=False),
    ]

    def __init__(self, drafts: Drafts) -> None:
        """Offer the drafts of a user."""
        super().__init__()
        self._drafts = drafts
        self._waiting: dict[str, Draft] = {}
        self._recent: list[Path] = []
        self._templates: dict[str, TemplateInfo] = {}

    def compose(self) -> ComposeResult:
        """Name, list, path, description, keys."""
        yield Static(id="start-head")
        with Vertical(id="start-body"):
            yield OptionList(id="start-list", compact=True, markup=False)
            with Horizontal(id="start-open"):
                yield Static(id="start-open-label")
                yield OneLine(max_length=4096, suggester=PathSuggester(), id="start-path")
            yield Static(id="start-about")
        yield KeyBar(START_KEYS)

    def on_mount(self) -> None:
        """Fill the list."""
        self.retranslate()
        self.query_one(OptionList).focus()
        self.call_after_refresh(self._find)

    def on_screen_resume(self) -> None:
        """A draft may have come or gone."""
        if self._templates:
            self._find()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        head = Content.assemble((" agentic-rl ", "bold reverse $primary"), f"  {t('wizard.start_title')}")
        self.query_one("#start-head", Static).update(head)
        self.query_one("#start-open-label", Static).update(Content.styled(t("wizard.start_open"), "$label"))
        self.query_one(OneLine).placeholder = t("wizard.start_path")
        self._fill()

    @work(exclusive=True, exit_on_error=False)
    async def _find(self) -> None:
        """Look for templates, drafts and files off the UI thread, after the first picture."""
        if not self._templates:
            self._templates = {one.name: one for one in await asyncio.to_thread(rooms.templates)}
            self._fill()
        found = {draft.id: draft for draft in await asyncio.to_thread(self._drafts.waiting)}
        recent = await asyncio.to_thread(recent_files)
        if list(found) != list(self._waiting) or recent != self._recent:
            self._waiting, self._recent = found, recent
            self._fill()

    def _fill(self) -> None:
        """Show drafts and templates."""
        options = self.query_one(OptionList)
        now = options.highlighted_option.id if options.highlighted_option else ""
        rows: list[Option] = []
        if self._waiting:
            rows.append(_heading(t("wizard.start_drafts")))
            rows += [Option(_draft_row(one), id=f"draft:{one.id}") for one in self._waiting.values()]
            rows.append(Option("", disabled=True))
        rows.append(_heading(t("wizard.start_templates")))
        width = max(20, app_of(self).size.width - NAME_WIDTH - 10)
        for one in self._templates.values():
            title = fit(one.title.get(language(), ""), width)
            rows.append(Option(_row(one.name, title), id=f"template:{one.name}"))
        if self._recent:
            rows += [Option("", disabled=True), _heading(t("wizard.start_recent"))]
            shown = (printable(short_path(path)) for path in self._recent)
            rows += [Option(f"  {one}", id=f"file:{place}") for place, one in enumerate(shown)]
        options.clear_options()
        options.add_options(rows)
        ids = [row.id for row in rows]
        if len(rows) > 1:
            options.highlighted = ids.index(now) if now in ids else 1

    @on(OptionList.OptionHighlighted, "#start-list")
    def about(self, event: OptionList.OptionHighlighted) -> None:
        """Describe the highlighted entry."""
        kind, _, name = (event.option.id or "").partition(":")
        text = Content()
        if kind == "template":
            info = self._templates[name]
            text = Content.assemble((info.title.get(language(), name), "bold"), "\n", info.help.get(language(), ""))
        elif kind == "draft":
            draft = self._waiting[name]
            changed = len(changed_lines(draft.disk or draft.base, draft.text))
            said = t("wizard.draft_about", name=draft.path or _name_of(draft), when=when(draft.time), lines=changed)
            text = Content.assemble((printable(said), "bold"), "\n", t("wizard.draft_keys"))
        elif kind == "file":
            text = Content(printable(str(self._recent[int(name)])))
        self.query_one("#start-about", Static).update(text)

    @on(OptionList.OptionSelected, "#start-list")
    def chosen(self, event: OptionList.OptionSelected) -> None:
        """Open the chosen entry."""
        kind, _, name = (event.option.id or "").partition(":")
        if kind == "template":
            self._open(None, name)
        elif kind == "draft":
            cast("Opens", app_of(self)).open_draft(self._waiting[name])
        elif kind == "file":
            self._open(self._recent[int(name)], "")

    @on(Input.Submitted, "#start-path")
    def path_given(self, event: Input.Submitted) -> None:
        """Open the file that was named."""
        if event.value.strip() and "\0" not in event.value:
            self._open(Path(event.value.strip()), "")

    @work(exclusive=True, group="open")
    async def _open(self, path: Path | None, template: str) -> None:
        """Open a file or template; the app asks about drafts."""
        await cast("Opens", app_of(self)).open(path, template)

    def action_keys(self) -> None:
        """The help screen."""
        from .help import KeysScreen

        app_of(self).push_screen(KeysScreen())

    def action_file(self) -> None:
        """Into the line for a path."""
        self.query_one(OneLine).focus()

    def action_list(self) -> None:
        """Back to the list."""
        self.query_one(OptionList).focus()

    def action_drop(self) -> None:
        """Forget the highlighted draft."""
        option = self.query_one(OptionList).highlighted_option
        kind, _, name = (option.id or "").partition(":") if option else ("", "", "")
        if kind == "draft":
            self._drafts.remove(name)
            self._find()


def _name_of(draft: Draft) -> str:
    """What a draft without a file is called: the template, or nothing yet (an imported script)."""
    return draft.template or t("wizard.unnamed")


def _heading(text: str) -> Option:
    """A line of the list that can't be chosen."""
    return Option(Content.styled(text, "bold $label"), disabled=True)


def _row(name: str, title: str) -> Content:
    """Name and title of a template."""
    shown = fit(name, NAME_WIDTH - 2)
    return Content.assemble("  ", (shown, "$primary"), " " * (NAME_WIDTH - cell_len(shown)), title)


def _draft_row(draft: Draft) -> Content:
    """Name and time of a draft."""
    name = fit(printable(short_path(Path(draft.path)) if draft.path else _name_of(draft)), NAME_WIDTH - 2)
    gap = " " * (NAME_WIDTH - cell_len(name))
    return Content.assemble((f"{sign('edited')} ", "$warning"), name, gap, (when(draft.time), "$muted"))
