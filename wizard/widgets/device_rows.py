"""The table of accelerators; with several machines, under the name of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual.content import Content

from ..i18n import t
from ..store.devices import Device, Node, Sample
from ..store.series import duration, number

STALE = 30.0
PROBLEMS = frozenset({"timeout", "stuck", "failed", "not_started", "flood"})
NODE_PROBLEMS = PROBLEMS | {"no_tool", "no_device", "device_taken", "driver", "library", "no_answer"}
Cell = list[tuple[str, str]]
COLUMNS = ("device", "model", "health", "use", "hbm", "size", "temperature", "power")
# Given up in this order where there is no room.
_LESS_IMPORTANT = ("power", "model", "temperature", "size")


def device_rows(devices: Sequence[Device], width: int, stale: Callable[[Device], bool]) -> list[Content]:
    """The table of accelerators, its columns under each other whatever the language: the titles, then a line each.

    Args:
        devices: of a sample.
        width: in cells; less important columns are left out until the rest fits.
        stale: whether a device's numbers are old, which is to be seen.
    """
    columns = list(COLUMNS)
    table = [{name: [(t(f"run.devices.{name}"), "$muted")] for name in columns}, *(_cells(one) for one in devices)]
    widths = {name: max(_size(row[name]) for row in table) + 2 for name in columns}
    for name in _LESS_IMPORTANT:
        if sum(widths[column] for column in columns) - 2 > width:
            columns.remove(name)
    lines: list[Content] = []
    for place, row in enumerate(table):
        parts: Cell = []
        for name in columns:
            parts += [*row[name], (" " * (widths[name] - _size(row[name])), "")]
        if place and stale(devices[place - 1]):
            parts = [(text, style if "error" in style else "$muted") for text, style in parts]
        lines.append(Content.assemble(*parts))
    return lines


def _size(cell: Cell) -> int:
    return sum(cell_len(text) for text, _ in cell)


def _cells(one: Device) -> dict[str, Cell]:
    healthy = one.health.upper() in {"OK", ""}
    return {
        "device": [(one.name, "bold")],
        "model": [(one.model or "–", "")],
        "health": [(one.health or "–", "$state-live" if healthy else "bold $level-error")],
        "use": small_bar(one.utilization, "$series-1"),
        "hbm": small_bar(percent(one.memory_used, one.memory_total), "$series-3"),
        "size": [(gib(one.memory_used, one.memory_total).removesuffix(" GiB"), "$muted")],
        "temperature": [("–" if one.temperature is None else f"{one.temperature:.0f} °C", "")],
        "power": [("–" if one.power is None else f"{one.power:.0f} W", "")],
    }


def small_bar(share: float | None, style: str) -> Cell:
    """Eight cells and a number."""
    if share is None:
        return [(f"{'–':>13}", "$muted")]
    filled = round(min(max(share, 0), 100) / 100 * 8)
    return [("━" * filled, style), ("─" * (8 - filled), "$rule"), (f" {share:>3.0f}%", "")]


def node_rows(sample: Sample, width: int, line_age: float) -> list[Content]:
    """The table in groups: for each machine its address, the age of its numbers and what is wrong, then its devices.

    Args:
        sample: of a run on several machines.
        width: in cells.
        line_age: seconds since the sample was written; 0.0 where that does not matter any more.
    """

    def stale(device: Device) -> bool:
        return line_age + sample.age_of(device) > STALE

    title, *lines = device_rows(sample.devices, width, stale) if sample.devices else [Content("")]
    result = [title] if sample.devices else []
    for node in sample.nodes:
        own = [line for line, one in zip(lines, sample.devices, strict=True) if one.node == node.address]
        result += [_node_head(node, line_age), *_node_problems(node, sample.source), *own]
    known = {node.address for node in sample.nodes}
    return result + [line for line, one in zip(lines, sample.devices, strict=True) if one.node not in known]


def _node_head(node: Node, line_age: float) -> Content:
    name = (t("run.devices.node", node=node.address), "bold $accent")
    if node.age is None:
        return Content.assemble(name, (f"  ⚠ {t('run.devices.silent')}", "bold $level-warning"))
    age = t("run.devices.age", age=duration(line_age + node.age))
    if line_age + node.age > STALE:
        return Content.assemble(name, (f"  {age}  ⚠ {t('run.devices.stale')}", "bold $level-warning"))
    return Content.assemble(name, (f"  {age}", "$muted"))


def _node_problems(node: Node, source: str) -> list[Content]:
    tool = source if source.endswith("-smi") else "npu-smi"
    known = [code for code in node.problems if code in NODE_PROBLEMS]
    return [Content.assemble((f"✗ {t(f'run.devices.problem.{code}', tool=tool)}", "$level-error")) for code in known]


def percent(used: float | None, total: float | None) -> float | None:
    """Share in percent; None where it can't be told."""
    return None if used is None or not total else 100 * used / total


def gib(used: float | None, total: float | None) -> str:
    """MiB as GiB: ``12.3/64 GiB``."""
    if used is None:
        return "–"
    return f"{number(used / 1024)}/{number(total / 1024)} GiB" if total else f"{number(used / 1024)} GiB"
