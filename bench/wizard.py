"""The wizard against an empty Textual app: first screen, key press with its checks, change of the section.

    python bench/wizard.py [--runs N]

First screens are drawn on a real pseudo-terminal by processes of their own; wall-clock and CPU until a word of the
screen arrives. Keys and sections are measured in CPU milliseconds, because the machine is shared. Only the ratios mean
something; nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from fcntl import ioctl
from pathlib import Path

from textual import events
from textual.app import App
from textual.widgets import Input

EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("READY")
Empty().run()
"""
WIZARD = "import sys; from agentic_rl_wizard.wizard.main import main; sys.exit(main(sys.argv[1:]))"


def first_screen(code: str, argv: list[str], word: bytes) -> tuple[float, float]:
    """Seconds until ``word`` is drawn, and CPU seconds used by then."""
    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8")
        os.execv(sys.executable, [sys.executable, "-c", code, *argv])
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen = b""
    while word not in seen and time.perf_counter() - start < 30:
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 65536)
    wall = time.perf_counter() - start
    cpu = cpu_of(child)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)
    return wall, cpu


def cpu_of(pid: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def press(app: App[str], number: int) -> None:
    """A key as the driver sends it: four digits, then as many times backspace, so that hardly a text comes twice."""
    digit = str(1 + number % 9)
    key = events.Key(digit, digit) if number % 8 < 4 else events.Key("backspace", None)
    key.set_sender(app)
    app.post_message(key)


async def in_bare_inputs(presses: int) -> float:
    """CPU milliseconds of a key press in an app of eighteen bare inputs: what Textual itself takes."""
    app: App[str] = App()
    async with app.run_test(size=(120, 40)) as pilot:
        await app.mount_all(Input(compact=True) for _ in range(18))
        app.query(Input).first().focus()
        await pilot.pause(0.5)
        keys: list[float] = []
        for number in range(presses):
            before = time.process_time()
            press(app, number)
            await asyncio.sleep(0.25)
            keys.append(time.process_time() - before)
    return 1000 * statistics.median(keys)


async def in_the_app(template: str, presses: int) -> tuple[float, float]:
    """CPU milliseconds of a key press in a field, and of a change of the section."""
    from agentic_rl_wizard.wizard.app import WizardApp
    from agentic_rl_wizard.wizard.form.drafts import Drafts
    from agentic_rl_wizard.wizard.screens.form import FormScreen

    app = WizardApp(None, template, Drafts(Path(tempfile.mkdtemp())))
    async with app.run_test(size=(120, 40)) as pilot:
        while not isinstance(app.screen, FormScreen) or app.screen.field is None:
            await pilot.pause(0.05)
        screen = app.screen
        await screen.go_to("max_num_seqs")
        await pilot.press("1")  # from here on no key brings the template's value back
        await pilot.pause(1.0)
        keys: list[float] = []
        for number in range(presses):
            before = time.process_time()
            # Not by `pilot.press`: that asks every widget whether it is done, which costs more than the key.
            press(app, number)
            await asyncio.sleep(0.25)
            keys.append(time.process_time() - before)
        sections: list[float] = []
        for _ in range(2 * len(screen.form.sections)):
            await pilot.pause(0.6)
            before = time.process_time()
            await screen.action_next_section()
            await asyncio.sleep(0.25)
            sections.append(time.process_time() - before)
    return 1000 * statistics.median(keys), 1000 * statistics.median(sections)


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs: int = parser.parse_args().runs
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp()
    empty: list[tuple[float, float]] = []
    start: list[tuple[float, float]] = []
    form: list[tuple[float, float]] = []
    for _ in range(runs + 1):  # the first of each warms the caches
        empty.append(first_screen(EMPTY, [], b"READY"))
        start.append(first_screen(WIZARD, ["--lang", "en"], b"Start from a template"))
        form.append(first_screen(WIZARD, ["--lang", "en", "--template", "agentsdk-verl"], b"Training back end"))

    def middle(values: list[tuple[float, float]], place: int) -> float:
        return 1000 * statistics.median(value[place] for value in values[1:])

    bare = asyncio.run(in_bare_inputs(40))
    keys, sections = asyncio.run(in_the_app("agentsdk-verl", 40))
    print(f"{'':34}{'wall ms':>9}{'CPU ms':>9}{'x empty (CPU)':>15}{'goal':>10}")
    base = middle(empty, 1)
    for name, values, goal in (
        ("empty Textual app, first screen", empty, ""),
        ("wizard, start screen", start, "<= 2 x"),
        ("wizard, form of a template", form, ""),
    ):
        print(f"{name:34}{middle(values, 0):9.0f}{middle(values, 1):9.0f}{middle(values, 1) / base:15.2f}{goal:>10}")
    print(f"{'key press in a bare Input':34}{'':9}{bare:9.1f}")
    print(f"{'key press with its checks':34}{'':9}{keys:9.1f}{'':15}{'<= 30':>10}")
    print(f"{'change of the section':34}{'':9}{sections:9.1f}{'':15}{'<= 150':>10}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
