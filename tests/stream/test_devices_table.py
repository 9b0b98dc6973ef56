"""The table of `npu-smi info` in every layout that is known. All tables here are drawn by this file."""

import pytest

from agentic_rl_wizard.runner.stream.devices import DeviceProcess, read_devices

A2 = (
    ("NPU   Name", "Health", "Power(W)    Temp(C)           Hugepages-Usage(page)"),
    (
        "Chip",
        "Bus-Id",
        "AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)",
    ),
)
A3 = A2[0], ("Chip  Phy-ID", *A2[1][1:])
P310 = A2[0], ("Chip  Device", "Bus-Id", "AICore(%)   Memory-Usage(MB)")
D950 = ("NPU ID", "Name", *A2[0][1:]), ("", "", "Bus-Id", "NPU Util(%)  Memory-Usage(MB)  HBM-Usage(MB)")
PROCESSES = ("NPU     Chip", "Process id", "Process name", "Process memory(MB)")
IN_CONTAINER = (*PROCESSES, "Process id in container")


def draw(*rows, layout=A2, processes=None, columns=PROCESSES, version="25.0.1", widths=(27, 15, 52), rule=None):
    """A table as the tool draws it; `rows` are pairs of cell tuples, text rows are put in as they are."""
    if len(layout[0]) == 4:
        widths = (8, 18, 15, 70)
    lines = [f"| npu-smi {version}     Version: {version}  |"]
    for head in layout:
        lines.append(line(head, widths))
    lines.append("+" + "+".join("=" * width for width in widths) + "+")
    for pair in rows:
        lines += [pair] if isinstance(pair, str) else [line(cells, widths) for cells in pair]
        lines.append(rule or "+" + "+".join("=" * width for width in widths) + "+")
    if processes is not None:
        lines.append(line(columns, (27, 15, 26, 25, 25)))
        for row in processes:
            lines += [f"| {row}  |" if isinstance(row, str) else line(row, (27, 15, 26, 25, 25)), "+=====+=====+"]
    return "\n".join(lines) + "\n"


def line(cells, widths):
    return "|" + "|".join(f" {cell}".ljust(width) for cell, width in zip(cells, widths, strict=False)) + "|"


def a2(npu, hbm="3321 / 65536", health="OK", power="91.4", busy="7", name="910B3", bus="0000:41:00.0"):
    first = (f"{npu}     {name}", health, f"{power}        44                0    / 0")
    return first, ("0", bus, f"{busy}           0    / 0          {hbm}")


def only(text):
    table = read_devices(text)
    assert table.source == "npu-smi"
    assert len(table.devices) == 1
    return table.devices[0]


def test_a2_one_chip_a_card():
    table = read_devices(draw(a2(0), a2(3, busy="100", power="402.0"), version="25.0.1"))
    assert (table.source, table.driver, table.problems) == ("npu-smi", "25.0.1", ())
    first, second = table.devices
    assert first.as_json() == {
        "npu": 0, "chip": 0, "name": "910B3", "health": "OK", "power_w": 91.4, "temperature_c": 44,
        "utilization_pct": 7, "memory_used_mib": 3321, "memory_total_mib": 65536, "bus_id": "0000:41:00.0",
        "processes": [],
    }  # fmt: skip
    assert (second.npu, second.utilization_pct, second.power_w) == (3, 100, 402.0)


@pytest.mark.parametrize("hbm", ["59356/ 65536", "59356/65536", "59356 / 65536", "59356     /     65536"])
def test_glued_pairs(hbm):
    device = only(draw(a2(0, hbm=hbm)))
    assert (device.memory_used_mib, device.memory_total_mib) == (59356, 65536)


def test_a3_two_dies_power_of_the_card_on_the_first():
    def die(npu, chip, phy, power):
        return (f"{npu}     Ascend910", "OK", f"{power}       38       0    / 0"), (
            f"{chip}     {phy}", f"0000:{phy:02X}:00.0", "0      0    / 0     2900 / 65536",
        )  # fmt: skip

    text = draw(die(6, 0, 12, "171.3"), die(6, 1, 13, "-"), die(7, 0, 14, "165.0"), die(7, 1, 15, "-"), layout=A3,
                rule="+" + "-" * 96 + "+", processes=[("7       1", "4711", "python", "51234")])  # fmt: skip
    devices = read_devices(text).devices
    assert [(d.npu, d.chip, d.phy_id, d.power_w) for d in devices] == [
        (6, 0, 12, 171.3), (6, 1, 13, None), (7, 0, 14, 165.0), (7, 1, 15, None),
    ]  # fmt: skip
    assert devices[3].processes == (DeviceProcess(4711, "python", 51234),)
    assert not any(d.processes for d in devices[:3])


def test_310p_has_no_hbm_and_ids_with_gaps():
    def card(npu, chip, device):
        return (f"{npu}   310P3", "OK", "NA      55      0    / 0"), (
            f"{chip}     {device}", "0000:02:00.0", "3       2105 / 21534",
        )  # fmt: skip

    devices = read_devices(draw(card(0, 0, 0), card(32, 0, 1), card(32768, 1, 2), layout=P310)).devices
    assert [(d.npu, d.chip) for d in devices] == [(0, 0), (32, 0), (32768, 1)]
    assert {(d.memory_used_mib, d.memory_total_mib, d.power_w, d.temperature_c) for d in devices} == {
        (2105, 21534, None, 55)
    }
    assert devices[2].phy_id is None  # that column is the Device, not the physical id


def test_310b_without_a_bus():
    row = ("0     310B4", "Alarm", "7.9      51      15    / 15"), ("0     0", "NA", "0      1644 / 7545")
    device = only(draw(row, layout=P310))
    assert (device.health, device.bus_id, device.power_w, device.memory_used_mib) == ("Alarm", None, 7.9, 1644)


def test_950_name_in_a_cell_of_its_own_no_chips():
    def card(npu):
        return (str(npu), "Ascend950PR", "OK", "301.5      47      0   / 0"), (
            "", "", "NA", "62       0   / 0      71680 / 131072",
        )  # fmt: skip

    columns = ("NPU ID", *IN_CONTAINER[1:])
    processes = [("4", "88", "python", "512", "12"), ("5", "NA", "NA", "NA", "NA")]
    devices = read_devices(draw(card(4), card(5), layout=D950, columns=columns, processes=processes)).devices
    assert [(d.npu, d.chip, d.name, d.bus_id) for d in devices] == [
        (4, None, "Ascend950PR", None), (5, None, "Ascend950PR", None),
    ]  # fmt: skip
    assert (devices[0].utilization_pct, devices[0].memory_total_mib, devices[0].power_w) == (62, 131072, 301.5)
    assert [d.processes for d in devices] == [(DeviceProcess(88, "python", 512),), ()]


def test_cells_that_overflow_their_column():
    row = ("2     910ProB-long-name-here", "Critical         ", "1090.8  103     1123  / 1123"), (
        "0", "0000:C1:00.0      ", "100   12345 / 15665   30710/ 32768",
    )  # fmt: skip
    device = only(draw(row, widths=(20, 6, 30)))
    assert (device.health, device.power_w, device.temperature_c) == ("Critical", 1090.8, 103)
    assert (device.memory_used_mib, device.memory_total_mib) == (30710, 32768)  # HBM, not the DDR before it


def test_wide_26_frame_and_different_versions_in_the_title():
    text = draw(a2(0), widths=(27, 15, 70)).replace("Version: 25.0.1", "Version: 26.1.0.b061", 1)
    assert read_devices(text).driver == "26.1.0.b061"


def test_processes_blank_cut_and_in_a_container():
    rows = [
        ("0       0", "1001", "", "113", "NA"),
        ("0       0", "1002", "ray::WorkerDi", "40960", "77"),
        ("1       0", "1003", "a|b", "5", "NA"),
        "No running processes found in NPU 2",
    ]
    devices = read_devices(draw(a2(0), a2(1), a2(2), processes=rows, columns=IN_CONTAINER)).devices
    assert [d.processes for d in devices] == [
        (DeviceProcess(1001, None, 113), DeviceProcess(1002, "ray::WorkerDi", 40960)),
        (DeviceProcess(1003, "a|b", 5),),
        (),
    ]


def test_process_of_a_device_that_was_cut_off():
    table = read_devices(draw(a2(0), processes=[("5       0", "9", "python", "1")]))
    assert [p.code for p in table.problems] == ["process_without_device"]


def test_noise_before_the_table_and_in_the_frame():
    noise = "[limiter] INFO vnpu | pid 7 | quota 8192\n2025-01-01 | OK | loaded\nhealth : ok\n\n"
    table = read_devices(noise + draw(a2(0), rule="+=====-====+===+") + "bye\n")
    assert len(table.devices) == 1
    assert table.problems == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", " \n"),
        lambda text: text.replace("| 0", "\x1b[31m| 0").replace("OK", "\x1b[1mOK\x1b[0m"),
        lambda text: "".join(f"2026-01-01 10:00:00 {row}\n" for row in text.splitlines()),
        lambda text: text.replace("|\n", "\n"),
        lambda text: text.encode("utf-16"),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("910B3", "910B3").encode() + b"\xff\xfe\x00",
    ],
)
def test_ways_in_which_a_table_is_saved(change):
    device = only(change(draw(a2(0))))
    assert (device.name, device.health, device.memory_used_mib) == ("910B3", "OK", 3321)


def test_values_that_are_not_there():
    row = a2(0, power="NA", busy="NA", hbm="NA / NA", health="NA", bus="NA", name="")
    device = only(draw(row))
    assert device.as_json() | {"processes": 0} == {
        "npu": 0, "chip": 0, "name": None, "health": None, "power_w": None, "temperature_c": 44,
        "utilization_pct": None, "memory_used_mib": None, "memory_total_mib": None, "bus_id": None, "processes": 0,
    }  # fmt: skip


def test_a_blank_value_does_not_move_the_others():
    first = ("0     910B3", "OK", " " * len("Power(W)    ") + "44                0    / 0")
    device = only(draw((first, a2(0)[1])))
    assert (device.power_w, device.temperature_c) == (None, 44)


def test_the_hbm_column_counts_unless_it_is_empty():
    row = a2(0)[0], ("0", "0000:41:00.0", "0     1024 / 8192      0 / 0")
    assert only(draw(row)).memory_total_mib == 8192


def test_single_row_out_of_its_table():
    table = read_devices("# card that fails: | 5     910B3     | Alarm     | 95.0    42      0    / 0     |\n")
    device = table.devices[0]
    assert (device.npu, device.chip, device.name, device.health, device.power_w) == (5, None, "910B3", "Alarm", 95.0)
    assert [p.code for p in table.problems] == ["half_row"]


def test_rows_that_lost_their_half():
    whole = draw(a2(0), a2(1), a2(2)).splitlines(keepends=True)
    second_of_first = next(i for i, row in enumerate(whole) if "0000:41" in row)
    first_of_last = max(i for i, row in enumerate(whole) if "910B3" in row)
    table = read_devices("".join(row for i, row in enumerate(whole) if i not in (second_of_first, first_of_last)))
    assert [(d.npu, d.memory_total_mib) for d in table.devices] == [(0, None), (1, 65536)]
    assert [p.code for p in table.problems] == ["half_row", "bad_row"]


def test_the_last_of_several_tables():
    table = read_devices(draw(a2(0), version="24.1.0") + draw(a2(0, busy="50"), version="24.1.0"))
    assert [d.utilization_pct for d in table.devices] == [50]


def test_table_without_a_device():
    table = read_devices(draw())
    assert (table.source, table.devices) == ("npu-smi", ())
    assert [p.code for p in table.problems] == ["no_device"]
