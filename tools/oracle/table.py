"""The tables of docs/en/agreement.md and docs/zh/agreement.md, made from the recordings; run by `make oracle`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from .compare import Outcome, count, outcomes
from .explained import explained
from .records import RELEASES

DOCS = Path(__file__).resolve().parents[2] / "docs"
BEGIN, END = "<!-- table: made by tools/oracle/table.py -->", "<!-- end of table -->"
_HEADS = {
    "en": ("verl", "configurations", "accepted", "refused", "of these unknown keys", "misses", "false alarms"),
    "zh": ("verl", "配置数", "接受", "拒绝", "其中未知键", "漏报", "误报"),
}
_LISTS = {
    "en": ("kind", "reason", "how many, by release", "why"),
    "zh": ("类型", "原因", "各版本数量", "解释"),
}
_KINDS = {"en": {"miss": "miss", "false-alarm": "false alarm"}, "zh": {"miss": "漏报", "false-alarm": "误报"}}


def text(lang: str, found: dict[str, list[Outcome]]) -> str:
    """Both tables in one language."""
    rows = [_HEADS[lang]]
    for release, all_of in found.items():
        stages = Counter(outcome.verdict.stage for outcome in all_of)
        accepted, unknown = stages["accept"], stages["compose"]
        misses, alarms = (sum(count(all_of, kind).values()) for kind in ("miss", "false-alarm"))
        rows.append(tuple(map(str, (release, len(all_of), accepted, len(all_of) - accepted, unknown, misses, alarms))))
    listed = [_LISTS[lang]]
    for entry in explained():
        numbers = ", ".join(f"{release}: {most}" for release, most in entry.most.items())
        listed.append((_KINDS[lang][entry.kind], f"`{entry.reason}`", numbers, entry.why[lang].strip()))
    return _markdown(rows) + ("\n" + _markdown(listed) if len(listed) > 1 else "")


def with_table(page: str, table: str) -> str:
    """A page with its tables replaced."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table}{END}{rest.partition(END)[2]}"


def pages() -> dict[Path, str]:
    """Both pages as they should be."""
    found = {release: list(outcomes(release)) for release in RELEASES}
    files = {lang: DOCS / lang / "agreement.md" for lang in ("en", "zh")}
    return {file: with_table(file.read_text(encoding="utf-8"), text(lang, found)) for lang, file in files.items()}


def _markdown(rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write both pages."""
    for file, page in pages().items():
        file.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
