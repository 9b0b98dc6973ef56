"""Which charts a run has: ``charts.yaml`` matched with the metrics that it really reports."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from pathlib import Path
from re import compile as compile_pattern
from typing import Any

from .metrics import MetricStore
from .series import Point

SPECS = Path(__file__).with_name("charts.yaml")

# What isn't part of a step, or the sum of the others.
_NO_STAGE = frozenset({"step", "all", "total"})
_STAGE_PREFIXES = ("timing_s/", "timing/")


@dataclass(frozen=True, slots=True)
class SeriesSpec:
    """One line of a chart: the key of its label, and the metrics that may supply it, best first."""

    label: str
    keys: tuple[str, ...]

    def key_in(self, known: list[str]) -> str | None:
        """The first of the metrics that is known."""
        present = set(known)
        for key in self.keys:
            if "*" not in key:
                if key in present:
                    return key
            else:
                pattern = _pattern(key)
                found = next((name for name in known if pattern.match(name)), None)
                if found is not None:
                    return found
        return None


@dataclass(frozen=True, slots=True)
class ChartSpec:
    """A chart: ``id`` is the key of its title."""

    id: str
    series: tuple[SeriesSpec, ...]


@dataclass(frozen=True, slots=True)
class SeriesData:
    """A line as it is to be drawn: its label's key, its metric, its points (nan where there is a gap)."""

    label: str
    key: str
    points: list[Point]


@cache
def _pattern(key: str) -> Any:
    return compile_pattern(translate(key))


@cache
def chart_specs() -> tuple[ChartSpec, ...]:
    """All charts there may be, in the order of charts.yaml."""
    import yaml

    data: Any = yaml.load(SPECS.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    return tuple(
        ChartSpec(
            str(chart["id"]),
            tuple(SeriesSpec(str(one["label"]), tuple(map(str, one["keys"]))) for one in chart["series"]),
        )
        for chart in data
    )


def series_of(spec: ChartSpec, metrics: MetricStore) -> list[SeriesData]:
    """The lines of a chart that have data."""
    known = metrics.keys
    found: list[SeriesData] = []
    for one in spec.series:
        key = one.key_in(known)
        if key is not None:
            found.append(SeriesData(one.label, key, metrics.points(key)))
    return found


def available(metrics: MetricStore) -> list[ChartSpec]:
    """The charts that have data."""
    known = metrics.keys
    return [spec for spec in chart_specs() if any(one.key_in(known) for one in spec.series)]


def stage_times(metrics: MetricStore, steps: int = 10, until: int | None = None) -> list[tuple[str, float, float]]:
    """Where the time of a step goes.

    Args:
        metrics: of the run.
        steps: how many of the last steps the mean is taken over.
        until: the last step to look at; by default the last there is.

    Returns:
        (stage, mean seconds, share of all stages 0..1), longest first.
    """
    chosen = [step for step in metrics.steps if until is None or step <= until][-steps:]
    sums: dict[str, float] = {}
    count = 0
    for step in chosen:
        row = metrics.row(step)
        stages = {_stage_of(key): value for key, value in row.items() if _stage_of(key)}
        count += 1 if stages else 0
        for stage, value in stages.items():
            if value > 0:
                sums[stage] = sums.get(stage, 0.0) + value
    total = sum(sums.values())
    if not count or total <= 0:
        return []
    rows = [(stage, value / count, value / total) for stage, value in sums.items()]
    return sorted(rows, key=lambda row: -row[1])


def _stage_of(key: str) -> str:
    for prefix in _STAGE_PREFIXES:
        if key.startswith(prefix):
            stage = key[len(prefix) :]
            # MindSpeed-RL's non_overlap_x repeats x; nested keys of verl are parts of another stage.
            return "" if stage in _NO_STAGE or "/" in stage or stage.startswith("non_overlap") else stage
    return ""
