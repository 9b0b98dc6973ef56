"""Healthy tables: what is read here is what the public parser of ascend-nputop reads from the same text."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from agentic_rl_wizard.runner.stream.devices import read_devices

libascend = pytest.importorskip("nputop.api.libascend")
ROOTS = [p / "shared/cases/npu_smi" for p in Path(__file__).resolve().parents]
CASES = next((p for p in ROOTS if p.is_dir()), None)
NAMES = {"A2": ("910B1", "910B3", "910B4-1"), "A3": ("Ascend910", "9382")}


def line(*cells: str, widths: tuple[int, ...] = (27, 15, 52)) -> str:
    return "|" + "|".join(f" {cell}".ljust(width) for cell, width in zip(cells, widths, strict=True)) + "|"


def table(layout: str, seed: int) -> str:
    """A healthy table of a machine that does not exist: an A2 with one chip a card, or an A3 with two dies."""
    draw = random.Random(seed)
    rule = "+" + "+".join("=" * width for width in (27, 15, 52)) + "+"
    version = draw.choice(["23.0.6", "24.1.rc2", "25.0.rc1.1", "25.2.0", "26.0.rc1"])
    chip = "Chip  Phy-ID" if layout == "A3" else "Chip"
    lines = [f"| npu-smi {version}     Version: {version}  |", rule]
    lines += [line("NPU   Name", "Health", "Power(W)    Temp(C)           Hugepages-Usage(page)"),
              line(chip, "Bus-Id", "AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)"), rule]  # fmt: skip
    cards = sorted(draw.sample(range(8), draw.randint(1, 8)))
    processes: list[tuple[int, int, int, int]] = []
    name = draw.choice(NAMES[layout])
    for card in cards:
        for die in range(2 if layout == "A3" else 1):
            power = "-" if die else f"{draw.uniform(60, 480):.1f}"
            glue = draw.choice([" / ", "/ ", "/"])
            hbm = f"{draw.randint(0, 65536)}{glue}65536"
            first = f"{die}     {2 * card + die}" if layout == "A3" else "0"
            lines += [
                line(f"{card}     {name}", "OK", f"{power}        {draw.randint(20, 90)}                0    / 0"),
                line(
                    first,
                    f"0000:{draw.randrange(256):02X}:00.0",
                    f"{draw.randint(0, 100)}           0    / 0          {hbm}",
                ),
                rule,
            ]
            for _ in range(draw.randint(0, 2)):
                processes.append((card, die, draw.randint(100, 4_000_000), draw.randint(1, 60000)))
    widths = (27, 15, 26, 25)
    lines += [line("NPU     Chip", "Process id", "Process name", "Process memory(MB)", widths=widths), rule]
    for card, die, pid, memory in processes:
        lines += [
            line(
                f"{card}       {die}",
                str(pid),
                draw.choice(["python", "ray::WorkerDic"]),
                str(memory),
                widths=widths,
            )
        ]
    return "\n".join(lines) + "\n"


def by_nputop(text: str) -> list[tuple[Any, ...]]:
    libascend._update_cache(text)
    return sorted(
        (one["npu_id"], one["chip_id"], one["name"], one["health"],
         round(one["power"] / 1000, 3) if isinstance(one["power"], float) else None, one["temp"], one["aicore"],
         one["hbm_used"] // 2**20, one["hbm_total"] // 2**20,
         tuple(sorted((pid, m // 2**20) for pid, m in one["procs"])))
        for one in libascend._CACHE.values()
    )  # fmt: skip


def by_us(text: str) -> list[tuple[Any, ...]]:
    return sorted(
        (one.npu, one.chip, one.name, one.health, one.power_w, one.temperature_c, one.utilization_pct,
         one.memory_used_mib, one.memory_total_mib, tuple(sorted((p.pid, p.memory_mib) for p in one.processes)))
        for one in read_devices(text).devices
    )  # fmt: skip


@pytest.mark.parametrize("layout", list(NAMES))
def test_both_read_the_same(layout: str) -> None:
    for seed in range(200):
        text = table(layout, seed)
        assert by_us(text) == by_nputop(text), (layout, seed)
        assert by_us(text), (layout, seed)


@pytest.mark.skipif(CASES is None, reason="no real samples here")
def test_both_read_the_same_of_real_tables() -> None:
    assert CASES is not None
    compared = 0
    for path in sorted(CASES.glob("nputop_*.txt")):
        text = path.read_text(encoding="utf-8", errors="replace")
        assert by_us(text) == by_nputop(text), path.name
        compared += 1
    assert compared or not any(CASES.glob("nputop_*.txt"))
