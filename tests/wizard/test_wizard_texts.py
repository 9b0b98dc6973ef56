"""Every text that the wizard asks for exists, and no text is left over."""

import re
from pathlib import Path

from agentic_rl_wizard.wizard import i18n
from agentic_rl_wizard.wizard.keys import FORM_KEYS, START_KEYS

ASKED = re.compile(r'["\']wizard\.([a-zA-Z_0-9]+)(\{)?')
BINDINGS = {"leave", "undo", "suspend"}  # ids of bindings look the same


def test_texts_and_code_agree() -> None:
    texts = set(i18n.load_texts("wizard"))
    exact: set[str] = set()
    begun: set[str] = set()
    for file in Path(i18n.__file__).parent.rglob("*.py"):
        for name, brace in ASKED.findall(file.read_text(encoding="utf-8")):
            (begun if brace else exact).add(name)
    exact -= BINDINGS | {"tcss"}
    assert exact <= texts
    assert {name for name in texts - exact if not any(name.startswith(one) for one in begun)} == set()


def test_every_key_has_its_words() -> None:
    texts = set(i18n.load_texts("wizard"))
    for key in (*FORM_KEYS, *START_KEYS):
        assert f"key_{key.name}" in texts or not key.footer
    assert all(f"does_{key.name}" in texts for key in FORM_KEYS)
