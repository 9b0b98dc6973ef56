"""What the wizard's screens look like (snapshots/screens/wizard_*.svg)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from pictures import compare
from textual.pilot import Pilot
from wizard_driving import SMALL, TEXT, WIDE, form_of, form_screen, go, opened, retype, until

from agentic_rl_wizard.wizard import theme
from agentic_rl_wizard.wizard.app import WizardApp
from agentic_rl_wizard.wizard.form import describe
from agentic_rl_wizard.wizard.form.drafts import Draft, Drafts
from agentic_rl_wizard.wizard.i18n import set_language as use_lang
from agentic_rl_wizard.wizard.screens import form_actions
from agentic_rl_wizard.wizard.screens.ask import AskScreen
from agentic_rl_wizard.wizard.screens.start import StartScreen
from agentic_rl_wizard.wizard.widgets.fields_pane import FieldsPane

DARK, LIGHT = theme.DARK, theme.LIGHT
SCRIPT = """#!/bin/bash
export HYDRA_FULL_ERROR=1
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.rollout.n=8 \\
    data.train_files=$DATA/train.parquet
"""
HYDRA = """defaults:
  - verl_conf: grpo
agentic_ai:
  agent_name: math
  lr: 1.0e-6
  reward_weights: [1, 2]
"""
GONE = 2**22 + 7
CASES = [
    ("form_120x40_dark_en", WIDE, DARK, "en"),
    ("form_120x40_light_en", WIDE, LIGHT, "en"),
    ("form_120x40_dark_zh", WIDE, DARK, "zh"),
    ("form_120x40_light_zh", WIDE, LIGHT, "zh"),
    ("form_80x24_dark_en", SMALL, DARK, "en"),
    ("form_80x24_light_zh", SMALL, LIGHT, "zh"),
    ("errors_120x40_dark_zh", WIDE, DARK, "zh"),
    ("errors_80x24_dark_en", SMALL, DARK, "en"),
    ("yaml_120x40_dark_en", WIDE, DARK, "en"),
    ("yaml_80x24_dark_zh", SMALL, DARK, "zh"),
    ("help_80x24_dark_en", SMALL, DARK, "en"),
    ("search_120x40_dark_zh", WIDE, DARK, "zh"),
    ("search_80x24_light_en", SMALL, LIGHT, "en"),
    ("problems_120x40_dark_en", WIDE, DARK, "en"),
    ("problems_80x24_dark_zh", SMALL, DARK, "zh"),
    ("diff_120x40_dark_en", WIDE, DARK, "en"),
    ("diff_80x24_light_zh", SMALL, LIGHT, "zh"),
    ("save_80x24_dark_en", SMALL, DARK, "en"),
    ("save_120x40_dark_zh", WIDE, DARK, "zh"),
    ("conflict_80x24_dark_en", SMALL, DARK, "en"),
    ("conflict_120x40_dark_zh", WIDE, DARK, "zh"),
    ("keys_80x24_dark_zh", SMALL, DARK, "zh"),
    ("keys_120x40_dark_en", WIDE, DARK, "en"),
    ("start_80x24_dark_en", SMALL, DARK, "en"),
    ("start_80x24_light_zh", SMALL, LIGHT, "zh"),
    ("start_120x40_dark_zh", WIDE, DARK, "zh"),
    ("controls_120x40_dark_en", WIDE, DARK, "en"),
    ("ascendfactory_80x24_dark_zh", SMALL, DARK, "zh"),
    ("ascendfactory_80x24_dark_en", SMALL, DARK, "en"),
    ("imported_80x24_dark_en", SMALL, DARK, "en"),
    ("imported_120x40_dark_zh", WIDE, DARK, "zh"),
    ("undescribed_120x40_dark_en", WIDE, DARK, "en"),
    ("tiny_20x5_dark_en", (20, 5), DARK, "en"),
]

PRESSED = {
    "yaml": ["f6", "f6"],
    "help": ["f6"],
    "search": ["ctrl+f"],
    "problems": ["f4"],
    "diff": ["f7"],
    "keys": ["f1"],
}


@pytest.mark.parametrize(("name", "size", "colours", "lang"), CASES, ids=[case[0] for case in CASES])
async def test_picture(
    name: str, size: tuple[int, int], colours: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Relative paths only: pictures must not depend on where the tests run.
    monkeypatch.setattr(form_actions, "DISK_LOOK", 3600)
    monkeypatch.setattr(describe.time, "localtime", lambda *_: time.gmtime(1_764_400_000))
    Path("c.yaml").write_text(TEXT.replace("/path/to", "/nowhere").replace("/data", "/nowhere"))
    Path("c.yaml").chmod(0o640)
    app = begun(name.partition("_")[0], lang, Drafts(tmp_path / "drafts"))
    if name.startswith("start"):
        app.drafts.write(Draft("top_k: 2\n", "top_k: 1\n", path="/srv/team/qwen3.yaml", pid=GONE))
    async with app.run_test(size=size) as pilot:
        app.theme = colours
        app.use_language(lang)
        await scene(name.partition("_")[0], app, pilot)
        await pilot.pause(0.3)
        await pilot.pause()
        compare(app, f"wizard_{name}", tmp_path)


def begun(what: str, lang: str, drafts: Drafts) -> WizardApp:
    """The app with what the picture shows opened."""
    use_lang(lang)  # a template's comments and an import's report are in the language of the moment
    if what == "start":
        return WizardApp(None, "", drafts)
    if what == "ascendfactory":
        return WizardApp(None, "ascendfactory-grpo", drafts)
    if what == "imported":
        Path("run_qwen.sh").write_text(SCRIPT)
        return WizardApp(Path("run_qwen.sh"), "", drafts)
    if what == "undescribed":
        Path("c.yaml").write_text(HYDRA)
    return WizardApp(Path("c.yaml"), "", drafts)


async def scene(what: str, app: WizardApp, pilot: Pilot[str]) -> None:
    """Bring the screen about."""
    if what == "start":
        await until(pilot, lambda: isinstance(app.screen, StartScreen) and app.screen._waiting)
        return
    screen = await opened(app, pilot)
    await screen.check_now()
    if what == "ascendfactory":
        await go(pilot, screen, "backend_config.actor_rollout_ref.rollout.n")
        await retype(pilot, "8")
        await screen.check_now()
        await pilot.pause(0.3)
        assert screen.field is not None  # where it stands on the page depends on when the problems above it came
        screen.query_one(FieldsPane).scroll_to_widget(screen.field, animate=False, top=True)
    if what == "imported":
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        screen.query_one(FieldsPane).display = False  # how far it has scrolled behind the dialog is a matter of time
    if what in ("form", "tiny", "help"):
        await go(pilot, screen, "lr")
    if what == "errors":
        await go(pilot, screen, "top_k")
        await retype(pilot, "many")
        await go(pilot, screen, "temperature")
        await retype(pilot, "-1")
    if what in ("yaml", "diff", "save", "conflict"):
        await go(pilot, screen, "top_k")
        await retype(pilot, "25")
    if what == "controls":
        await go(pilot, screen, "verl.ckpt_content")
        form_of(app).set("train_backend", "mindspeed_rl")
        await pilot.pause(0.3)
        await go(pilot, form_screen(app), "dataset_additional_keys")
        await pilot.press(*"problem", "enter", *"answer", "enter")
    await pilot.press(*PRESSED.get(what, []))
    if what == "search":
        await pilot.press(*("学习率" if app.size.width > 100 else "rate"))
    if what == "save":
        Path("c.yaml").chmod(0o440)
        await pilot.press("f9")
    if what == "conflict":
        Path("c.yaml").write_text("theirs: 1\n")
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
    await screen.check_now()
