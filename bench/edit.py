"""One edit of a configuration against ruamel.yaml's round trip, in CPU milliseconds of the same run.

    python bench/edit.py [--runs N]

Texts: verl's own generated ppo_trainer.yaml where verl is installed, 2,000 lines of our own.
"typed" is what the wizard does on a key press: the text before it is known, a value changes, the new text is
read; "added" puts a key into a section, "removed" takes it out; "cold" knows nothing yet. All of ours verify their
result; ruamel.yaml's load and dump do not. Only the ratios mean something; nothing is asserted.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from ruamel.yaml import YAML

from agentic_rl_wizard.runner.document import add_key, parse_document, recent, remove_key, set_value


def texts() -> dict[str, tuple[str, str]]:
    """Name -> text and the key that is edited."""
    long = "".join(
        f"section{i}:\n  # about it\n" + "".join(f"  key{j}: {i * j}  # c\n" for j in range(8)) for i in range(200)
    )
    found = {"2,000 lines": (long, "section100.key4")}
    verl = importlib.util.find_spec("verl")
    if verl is not None and verl.origin:
        file = Path(verl.origin).parent / "trainer" / "config" / "_generated_ppo_trainer.yaml"
        text = file.read_text(encoding="utf-8")
        lines = len(text.splitlines())
        found[f"verl's generated ppo_trainer.yaml, {lines} lines"] = (text, "actor_rollout_ref.rollout.temperature")
    return found


def cpu(work: Callable[[], object], runs: int) -> float:
    """Median CPU milliseconds of a call."""
    took: list[float] = []
    for _ in range(runs):
        start = time.process_time()
        work()
        took.append((time.process_time() - start) * 1000)
    return statistics.median(took)


def round_trip(text: str, key: str) -> None:
    """The same edit with ruamel.yaml's round trip."""
    yaml = YAML()
    values = yaml.load(text)
    *sections, name = key.split(".")
    holder = values
    for section in sections:
        holder = holder[section]
    holder[name] = 7
    yaml.dump(values, io.StringIO())


def cold(text: str, key: str) -> None:
    """An edit when nothing is known of the text."""
    recent.forget()
    set_value(text, key, 7)


class Typist:
    """Somebody who types into a field: each key press edits what the one before left."""

    def __init__(self, text: str, key: str) -> None:
        self.text = text
        self.key = key
        self.count = 0
        parse_document(text)

    def press(self) -> None:
        """One key press: the edit, and the reading of its result."""
        self.count += 1
        self.text = set_value(self.text, self.key, "x" * self.count)
        parse_document(self.text)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30)
    runs = parser.parse_args().runs
    print(f"load {os.getloadavg()[0]:.1f}; CPU ms, median of {runs} (ruamel.yaml: 5)")
    for name, (text, key) in texts().items():
        base = cpu(lambda text=text, key=key: round_trip(text, key), 5)
        typist = Typist(text, key)
        parse_document(text)
        section = key.rpartition(".")[0]
        added = add_key(text, f"{section}.brand_new", 1)
        numbers = {
            "typed": cpu(typist.press, runs),
            "added": cpu(lambda text=text, section=section: _again(add_key, text, f"{section}.brand_new", 1), runs),
            "removed": cpu(
                lambda added=added, section=section: _again(remove_key, added, f"{section}.brand_new"), runs
            ),
            "cold": cpu(lambda text=text, key=key: cold(text, key), runs),
        }
        print(f"{name}: ruamel.yaml {base:.0f}")
        for what, took in numbers.items():
            print(f"  {what:8} {took:6.2f}  {base / took:6.0f} times as fast")


def _again(edit: Callable[..., str], text: str, *arguments: object) -> None:
    """An edit of a known text whose result is not known."""
    parse_document(text)
    result = edit(text, *arguments)
    recent.drop(result)


if __name__ == "__main__":
    main()
