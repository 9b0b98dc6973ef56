"""Everything but the table: key/value outputs, mapping, watch, faults, nvidia-smi, garbage."""

import random

import pytest

from agentic_rl_wizard.runner.stream.devices import DeviceProcess, read_devices
from agentic_rl_wizard.runner.stream.npu_rows import WatchReader


def keys(*pairs, indent="\t", width=30):
    return "".join("\n" if pair is None else f"{indent}{pair[0]:<{width}} : {pair[1]}\n" for pair in pairs)


USAGES = [("DDR Capacity(MB)", 0), ("DDR Usage Rate(%)", 0), ("HBM Capacity(MB)", 32768), ("HBM Usage Rate(%)", 91),
          ("Aicore Usage Rate(%)", 77), ("Aicpu Usage Rate(%)", 0), ("NPU Utilization(%)", 80)]  # fmt: skip
COMMON = [("Memory Usage Rate(%)", 6), ("HBM Usage Rate(%)", 9), ("Aicore Usage Rate(%)", 55), ("Aicore Count", 24),
          ("Temperature(C)", 46), ("NPU Real-time Power(W)", "69.5")]  # fmt: skip


@pytest.mark.parametrize(("indent", "width"), [("\t", 30), ("", 40), ("        ", 30)])
def test_usages_with_the_chip_id_at_the_end(indent, width):
    text = keys(("NPU ID", 4), ("Chip Count", 2), None, *USAGES, ("Chip ID", 0), None, *USAGES[:4],
                ("Aicore Usage Rate(%)", 12), ("Chip ID", 1), indent=indent, width=width)  # fmt: skip
    table = read_devices(text)
    assert [(d.npu, d.chip, d.utilization_pct) for d in table.devices] == [(4, 0, 77), (4, 1, 12)]
    first = table.devices[0]
    assert (first.memory_total_mib, first.memory_used_mib, first.memory_pct) == (32768, None, 91)


def test_common_with_the_chip_id_first_and_a_management_chip():
    text = keys(("NPU ID", 2), ("Chip Count", 2), None, ("Chip ID", 0), *COMMON, None, ("Chip ID", 1), *COMMON[:4],
                ("Temperature(C)", 50), None, ("Chip Name", "mcu"), ("Temperature(C)", 33),
                ("NPU Real-time Power(W)", "12.0"))  # fmt: skip
    devices = read_devices(text).devices
    assert [(d.chip, d.temperature_c, d.power_w) for d in devices] == [(0, 46, 69.5), (1, 50, None)]


def test_temperature_with_the_management_chip_named_last():
    text = keys(("NPU ID", 0), ("Chip Count", 1), None, ("NPU Temperature (C)", 39), ("Chip ID", 0), None,
                ("LM75A_TE (C)", 36), ("Temperature(C)", 99), ("Chip Name", "MCU"))  # fmt: skip
    assert [(d.npu, d.chip, d.temperature_c) for d in read_devices(text).devices] == [(0, 0, 39)]


def test_query_of_one_chip_that_names_no_chip():
    device = read_devices(keys(("HBM Capacity(MB)", 131072), ("HBM Usage Rate(%)", 4), ("Aicore Usage Rate(%)", 37)))
    assert [(d.npu, d.chip, d.memory_total_mib, d.utilization_pct) for d in device.devices] == [
        (None, None, 131072, 37)
    ]


def test_command_lines_in_the_text_name_the_device():
    text = "# npu-smi info -t health -i 3 -c 1\n" + keys(("Health Status", "Warning"), ("Error Code", "80E01801"))
    assert [(d.npu, d.chip, d.health) for d in read_devices(text).devices] == [(3, 1, "Warning")]


def test_health_alone():
    assert [d.health for d in read_devices(keys(("Health", "OK"))).devices] == ["OK"]
    assert read_devices("health: OK\n").source is None  # anybody's YAML


def test_several_commands_after_each_other_are_one_device():
    text = (
        "\tNPU ID        Chip ID       Chip Logic ID       Chip Name\n"
        "\t0             0             0                   Ascend 910A\n"
        "\t0             1             -                   Mcu\n\n"
        + keys(("NPU ID", 0), ("Chip Count", 1), None, *USAGES, ("Chip ID", 0))
        + keys(("NPU ID", 0), ("Product Name", "board-x"), ("Software Version", "24.1.0"),
               ("PCIe Bus Info", "0000:3D:00.0"), ("Chip Count", 1))
        + keys(("NPU ID", 0), ("Chip Count", 1), None, ("Health", "OK"), ("Chip ID", 0))
    )  # fmt: skip
    table = read_devices(text)
    assert table.driver == "24.1.0"
    (device,) = table.devices
    assert (device.npu, device.chip, device.name) == (0, 0, "Ascend 910A")
    assert (device.health, device.bus_id, device.utilization_pct) == ("OK", "0000:3D:00.0", 77)


def test_mapping_of_a_950_and_of_dies():
    text = ("Slot ID     NPU ID     Chip Phy-ID     Chip Logic ID     Chip Name\n"
            "1           5          9               0                 Ascend950PR\n")  # fmt: skip
    assert [(d.npu, d.chip, d.phy_id, d.name) for d in read_devices(text).devices] == [(5, None, 9, "Ascend950PR")]


def test_ecc_names_its_devices():
    text = keys(("NPU ID", 1), ("Chip Count", 1), None, ("HBM Double Bit Error Count", 2), ("Chip ID", 0), width=40)
    assert [(d.npu, d.chip, d.memory_total_mib) for d in read_devices(text).devices] == [(1, 0, None)]


def test_process_memory_on_one_line():
    text = keys(("NPU ID", 6), ("Chip ID", 1)) + (
        "\tProcess id:42 Process name:python3.11        Process memory(MB):177\n"
        "\tProcess id:43 Process name:                  Process memory(MB):9\n"
    )
    (device,) = read_devices(text).devices
    assert (device.npu, device.chip) == (6, 1)
    assert device.processes == (DeviceProcess(42, "python3.11", 177), DeviceProcess(43, None, 9))


WATCH = (
    "NpuID(Idx)  ChipId(Idx) Pwr(W)      Temp(C)     AI Core(%)  AI Cpu(%)   Ctrl Cpu(%) Memory(%)   Memory BW(%)\n"
    "1           0           120.5       41          63          0           2           48          11          \n"
    "1           1           NA          43          64          0           2           49          11          \n"
)


def test_watch_keeps_the_newest_row_of_each_chip():
    devices = read_devices(WATCH + WATCH.splitlines(keepends=True)[1].replace("63", "90")).devices
    assert [(d.npu, d.chip, d.power_w, d.temperature_c, d.utilization_pct, d.memory_pct) for d in devices] == [
        (1, 0, 120.5, 41, 90, 48), (1, 1, None, 43, 64, 49),
    ]  # fmt: skip


def test_watch_with_fewer_columns():
    reader = WatchReader()
    assert reader.take("NpuID(Idx)  ChipId(Idx) Temp(C)") is None
    device = reader.take("0           0           39")
    assert device is not None
    assert (device.temperature_c, device.power_w) == (39, None)
    assert reader.take("cut off he") is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("DrvMngGetConsoleLogLevel failed. (ret=4)\ndcmi module initialize failed. ret is -8005\n", "no_device"),
        ("dcmi model initialized failed, because the device is used. ret is -8020\n", "device_taken"),
        ("dcmi module initialize failed. ret is -8001\n", "driver"),
        ("DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)\n", "driver"),
        ("Failed to query npu chip: 0 info.\n", "no_device"),
        ("npu-smi: error while loading shared libraries: libc_sec.so: cannot open shared object file\n", "library"),
        ("bash: npu-smi: command not found\n", "no_tool"),
        ("No devices were found\n", "no_device"),
        ("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", "driver"),
        ("\tNo process in device.\n", "no_device"),
    ],
)
def test_faults(text, code):
    table = read_devices(text)
    assert table.source in ("npu-smi", "nvidia-smi")
    assert (table.devices, table.problems[0].code) == ((), code)


def test_nvidia():
    text = (
        "0, GPU-1a, NVIDIA A100-SXM4-80GB, 00000000:07:00.0, 61.02, 33, 0, 4, 81920, 550.54.15\n"
        "1, GPU-2b, Some, Name, 00000000:0B:00.0, [N/A], 31, [Not Supported], 5000, 81920, 550.54.15\n"
        "\nGPU-2b, 4711, /usr/bin/python, 3.11, 4990\nGPU-2b, 4712, x, [N/A]\nGPU-ff, 1, y, 1\n"
    )
    table = read_devices(text)
    assert (table.source, table.driver) == ("nvidia-smi", "550.54.15")
    first, second = table.devices
    assert (first.npu, first.chip, first.health, first.power_w, first.memory_total_mib) == (0, None, None, 61.02, 81920)
    assert (second.name, second.power_w, second.utilization_pct) == ("Some, Name", None, None)
    assert [(p.pid, p.memory_mib) for p in second.processes] == [(4711, 4990), (4712, None)]


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "hello", "a: 1\nb: 2\n", "| x | y | z |\n" * 3, "{}", "\x00\x01", "link status: UP\n", "| " * 5000],
)
def test_what_is_none_of_it(text):
    table = read_devices(text)
    assert (table.source, table.devices) == (None, ())
    assert [p.code for p in table.problems] == ["nothing"]


def test_numbers_that_are_none():
    long = "9" * 5000
    text = keys(("NPU ID", 1), ("HBM Capacity(MB)", long), ("Temperature(C)", "1e999"), ("Chip ID", 0))
    (device,) = read_devices(text).devices
    assert (device.memory_total_mib, device.temperature_c) == (None, None)


def test_garbage_never_raises():
    seeds = [
        WATCH,
        keys(("NPU ID", 1), *USAGES, ("Chip ID", 0)),
        "| NPU Name | Health | Power(W) |\n| Chip | Bus-Id |",
        "| 0 910 | OK | 1 2 0/0 |\n| 0 | NA | 1 0/0 2/3 |\n",
        "| NPU Chip | Process id | Process name |\n| |1|",
    ]
    dice = random.Random(7)
    for _ in range(3000):
        text = list(dice.choice(seeds) + dice.choice(seeds))
        for _ in range(dice.randrange(1, 30)):
            text[dice.randrange(len(text))] = dice.choice("| \n:/-0٣9,\t\x1b(%)NA²")
        read_devices("".join(text))
