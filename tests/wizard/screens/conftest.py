"""An app on a drawing board, with drafts and state of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Input
from wizard_driving import TEXT

from agentic_rl_wizard.wizard import i18n
from agentic_rl_wizard.wizard.app import WizardApp
from agentic_rl_wizard.wizard.form.drafts import Drafts


@pytest.fixture(autouse=True)
def _surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(Input, "cursor_blink", False)
    monkeypatch.chdir(tmp_path)
    before = i18n.language()
    i18n.set_language("en")
    yield
    i18n.set_language(before)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "c.yaml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def app(file: Path, tmp_path: Path) -> WizardApp:
    return WizardApp(file, "", Drafts(tmp_path / "drafts"))


@pytest.fixture
def start(tmp_path: Path) -> WizardApp:
    return WizardApp(None, "", Drafts(tmp_path / "drafts"))
