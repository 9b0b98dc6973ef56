"""Steps that many tests of the screens take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from textual import events
from textual.pilot import Pilot

from agentic_rl_wizard.wizard.app import WizardApp
from agentic_rl_wizard.wizard.form.state import Form
from agentic_rl_wizard.wizard.screens.form import FormScreen
from agentic_rl_wizard.wizard.widgets.fields_pane import FieldsPane

WIDE, SMALL = (120, 40), (80, 24)

TEXT = """\
# my own comment
train_backend: verl
tokenizer_name_or_path: /path/to/model
model_name: qwen2.5-7b
agent_name: math
agent_engine_wrapper_path: /path/to/wrapper.py
lr: 1.0e-6   # rate
top_k: 10
verl:
  train_files: /data/train.parquet
  val_files: /data/test.parquet
  total_epochs: 2
"""


async def until(pilot: Pilot[str], true: Callable[[], object]) -> None:
    """Wait for something to become true; long enough for a machine that is busy with other things."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if true():
            return
        await pilot.pause(0.02)
    raise AssertionError("it never became true")


def form_screen(app: WizardApp) -> FormScreen:
    """The form's screen, below whatever lies over it."""
    return next(screen for screen in app.screen_stack if isinstance(screen, FormScreen))


def form_of(app: WizardApp) -> Form:
    return form_screen(app).form


async def opened(app: WizardApp, pilot: Pilot[str]) -> FormScreen:
    """Wait until the form is there."""
    await until(pilot, lambda: any(isinstance(one, FormScreen) for one in app.screen_stack))
    screen = form_screen(app)
    await until(pilot, lambda: screen.field is not None)
    return screen


async def go(pilot: Pilot[str], screen: FormScreen, key: str) -> None:
    """Put the cursor into a field."""
    await screen.go_to(key)
    await until(pilot, lambda: screen.field is not None and screen.field.parameter.key == key)


async def retype(pilot: Pilot[str], text: str) -> None:
    """Replace what stands in the focused line."""
    await pilot.press("end", "ctrl+u", *text)


async def paste(app: WizardApp, text: str) -> None:
    """Paste into the focused widget."""
    assert app.focused is not None
    app.focused.post_message(events.Paste(text))
    await asyncio.sleep(0.05)


def shown_text(app: WizardApp) -> str:
    """Everything on the screen, as lines of text."""
    width = app.size.width
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text[:width] for strip in strips)


def field_text(screen: FormScreen, key: str) -> str:
    """What a field shows."""
    field = screen.query_one(FieldsPane)._fields[key]
    region = field.region
    lines = shown_text(screen.app).split("\n")[region.y : region.bottom]
    return "\n".join(lines)
