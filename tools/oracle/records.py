"""The recordings: configurations as JSON lines, and for each release which of them it refuses with which words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RELEASES = ("0.4.1", "0.5.0", "0.6.1", "0.7.1", "0.8.0", "0.9.1")
DATA = Path(__file__).resolve().parents[2] / "tests" / "oracle"
CONFIGURATIONS = DATA / "configurations.jsonl"
# Every native configuration gets these too; they are not stored with it. No validation looks at them.
NATIVE_REQUIRED = {
    "data.train_files": "/d/train.parquet",
    "data.val_files": "/d/val.parquet",
    "data.return_raw_chat": True,  # async rollouts need it up to 0.6; their workers do, not the validation
    "actor_rollout_ref.model.path": "/m/model",
    "trainer.device": "npu",
}
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One configuration.

    Attributes:
        name: ``a17`` (AgentSDK file) or ``n17`` (native keys); the number is its place in the file of recordings.
        stored: what that line holds.
    """

    name: str
    stored: dict[str, Any]

    @property
    def native(self) -> bool:
        return self.name.startswith("n")

    @property
    def only(self) -> str:
        """Releases it is meant for; "" is all."""
        return str(self.stored.get("only", ""))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a release said: ``accept``, or where it stopped (compose, validate, launch, dataclass) and why."""

    stage: str
    type: str = ""
    message: str = ""


def verdict_file(release: str) -> Path:
    """Where the verdicts of a release are."""
    return DATA / "verdicts" / f"{release}.jsonl"


def read_configurations() -> list[Configuration]:
    """All recorded configurations."""
    lines = CONFIGURATIONS.read_text(encoding="utf-8").splitlines()
    stored = [json.loads(line) for line in lines]
    return [Configuration(f"{'n' if 'set' in s else 'a'}{i}", s) for i, s in enumerate(stored)]


def write_configurations(stored: Iterable[dict[str, Any]]) -> None:
    """Record the configurations."""
    DATA.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(s, ensure_ascii=False, separators=(",", ":")) + "\n" for s in stored)
    CONFIGURATIONS.write_text(text, encoding="utf-8")


def read_verdicts(release: str) -> dict[str, Verdict]:
    """Configuration -> verdict of a release; the first line of the file, about the recording itself, is left out."""
    found: dict[str, Verdict] = {}
    for line in verdict_file(release).read_text(encoding="utf-8").splitlines()[1:]:
        entry = json.loads(line)
        verdict = Verdict(entry["stage"], entry.get("type", ""), entry.get("message", ""))
        found.update(dict.fromkeys(_names(entry["of"]), verdict))
    return found


def write_verdicts(release: str, about: dict[str, Any], verdicts: dict[str, Verdict]) -> None:
    """Record the verdicts, those that differ only in numbers as one line with the first one's words."""
    groups: dict[tuple[str, str, str], tuple[Verdict, list[str]]] = {}
    for name, verdict in verdicts.items():
        key = (verdict.stage, verdict.type, _NUMBER.sub("N", verdict.message))
        groups.setdefault(key, (verdict, []))[1].append(name)
    lines = [json.dumps(about, ensure_ascii=False)]
    for _, (verdict, names) in sorted(groups.items()):
        entry = {"stage": verdict.stage, "type": verdict.type, "message": verdict.message, "of": " ".join(names)}
        lines.append(json.dumps({k: v for k, v in entry.items() if v}, ensure_ascii=False))
    verdict_file(release).parent.mkdir(parents=True, exist_ok=True)
    verdict_file(release).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _names(text: str) -> Iterator[str]:
    yield from text.split()
