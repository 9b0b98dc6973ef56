"""Real output of npu-smi, where this checkout lies beside it; it is other people's text and not kept here."""

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.stream.devices import read_devices

ROOTS = [p / "shared/cases/npu_smi" for p in Path(__file__).resolve().parents]
CASES = next((p for p in ROOTS if p.is_dir()), None)
pytestmark = pytest.mark.skipif(CASES is None, reason="no real samples here")

# file -> source, driver, and (npu, chip, health, watts, busy, used, total, processes) of each device
EXPECTED = {
    "26.0.rc1_910B2_full_load_424W.txt": ("26.0.rc1", [(0, 0, "OK", 424.0, 100, 38711, 65536, 0)]),
    "310P3_duo_one_npu_two_chips_hugepages_process.txt": (
        "24.1.0.1", [(1, 0, "OK", None, 0, 16302, 44280, 1), (1, 1, "OK", None, 0, 35270, 43693, 0)],
    ),
    "mindcluster_23.0.5_health_Warning.txt": (
        "23.0.5", [(0, 0, "Warning", 73.1, 0, 0, 32768, 0), (7, 0, "OK", 67.0, 0, 0, 32768, 0)],
    ),
    "npu-smi_-t_ecc.txt": (None, [(1, 0, None, None, None, None, None, 0)]),
    "npu-smi_info_watch.txt": (None, [(2, 0, None, 90.1, 0, None, None, 0)]),
    "npu-smi_proc-mem.txt": (None, [(0, 0, None, None, None, None, None, 1)]),
    "npu-smi_usages_A2_newer_driver.txt": (None, [(0, 0, None, None, 0, None, 65536, 0)]),
    "nputop_23.0.2.1_910B2C_2npu_proc.txt": (
        "23.0.2.1", [(0, 0, "OK", 88.6, 0, 20701, 65536, 1), (1, 0, "OK", 99.6, 0, 20687, 65536, 0)],
    ),
    "nputop_25.2.0_A3_2npu_2chips_proc.txt": (
        "25.2.0",
        [(0, 0, "OK", 162.8, 0, 3133, 65536, 0), (0, 1, "OK", None, 0, 2876, 65536, 0),
         (1, 0, "OK", 167.1, 0, 3116, 65536, 0), (1, 1, "OK", None, 0, 10568, 65536, 1)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_sample(name):
    assert CASES is not None
    path = CASES / name
    if not path.exists():
        pytest.skip("not here")
    table = read_devices(path.read_bytes())
    driver, rows = EXPECTED[name]
    assert (table.source, table.driver, table.problems) == ("npu-smi", driver, ())
    assert rows == [
        (d.npu, d.chip, d.health, d.power_w, d.utilization_pct, d.memory_used_mib, d.memory_total_mib, len(d.processes))
        for d in table.devices
    ]


def test_every_sample_is_recognised():
    assert CASES is not None
    for path in sorted(CASES.glob("*.txt")):
        if not path.name.startswith("hccn_tool"):
            assert read_devices(path.read_bytes()).source == "npu-smi", path.name
