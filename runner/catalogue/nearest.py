"""Which known words look like a mistyped one: edit distance with swaps, so that ``kl_ceof`` is near ``kl_coef``."""

from __future__ import annotations

from collections.abc import Iterable


def edit_distance(left: str, right: str, limit: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours between two words; above ``limit`` is limit + 1."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    above = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before, above = above, row
    return min(above[-1], limit + 1)


def closest(word: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """The known words that ``word`` may be a slip of, the nearest first; [] when none is near.

    A third of the letters may differ. Words that share all parts in another order (``coef_kl``), or that only lack or
    add whole parts (``gpu_utilization`` for ``gpu_memory_utilization``), count as near too.
    """
    probe = _normal(word)
    parts = set(probe.split("_"))
    scored: list[tuple[float, int, str]] = []
    for position, name in enumerate(known):
        candidate = _normal(name)
        allowed = max(1, min(4, max(len(probe), len(candidate)) // 3))
        distance = float(edit_distance(probe, candidate, allowed))
        if distance > allowed:
            others = set(candidate.split("_"))
            shared = len(parts & others)
            if shared < 2 or (shared < len(parts) and shared < len(others)):
                continue
            distance = allowed + 0.5 + (len(parts | others) - shared)
        scored.append((distance, position, name))
    return [name for _, _, name in sorted(scored)[:limit]]


def _normal(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")
