"""`agentic-rl devices`: saved output, live tools, exit codes, both languages."""

import io
import json
import re
import string
import sys

import pytest

from agentic_rl_wizard.runner.cli.devices import command as commands_devices
from agentic_rl_wizard.runner.cli.devices.texts import TEXTS
from agentic_rl_wizard.runner.cli.main import main
from agentic_rl_wizard.runner.facts import devices as facts
from agentic_rl_wizard.runner.stream.device_faults import FAULTS

TABLE = """
| npu-smi 26.0.0     Version: 26.0.0 |
| NPU   Name   | Health | Power(W)  Temp(C)  Hugepages-Usage(page)     |
| Chip  Phy-ID | Bus-Id | AICore(%) Memory-Usage(MB) HBM-Usage(MB)     |
| 2     Ascend910 | OK | 170.5  41  0 / 0 |
| 0     4         | 0000:9C:00.0 | 88  0 / 0  60000/ 65536 |
| 2     Ascend910 | Alarm | -  45  0 / 0 |
| 1     5         | 0000:9E:00.0 | 0  0 / 0  2900 / 65536 |
| NPU Chip | Process id | Process name | Process memory(MB) |
| 2   0    | 31         | python3.11   | 57000              |
"""
CHINESE = re.compile("[\u3000-\u9fff]")


@pytest.fixture(autouse=True)
def quiet(monkeypatch, tmp_path):
    """English, and a machine without tools."""
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(facts, "TOOL_FOLDERS", ())
    (tmp_path / "bin").mkdir()


@pytest.fixture
def tool(tmp_path):
    def make(code, name="npu-smi"):
        path = tmp_path / "bin" / name
        path.write_text(f"#!{sys.executable} -IS\nimport sys, time\n{code}\n")
        path.chmod(0o755)

    return make


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "saved.txt"
    path.write_text(TABLE)
    return str(path)


def test_words_of_a_failing_tool_hold_no_secret(tool, monkeypatch, capsys):
    monkeypatch.setenv("HF_TOKEN", "hf_0123456789")
    tool("import os; print('failed for', os.environ['HF_TOKEN'], 'DB_PASSWORD=x', file=sys.stderr); sys.exit(9)")
    assert main(["devices"]) == 3
    assert "failed for *** DB_PASSWORD=***" in capsys.readouterr().err


def test_json_of_a_saved_table(saved, capsys):
    assert main(["devices", "--from", saved, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert list(said) == ["source", "driver", "devices"]
    assert (said["source"], said["driver"]) == ("npu-smi", "26.0.0")
    assert said["devices"] == [
        {"npu": 2, "chip": 0, "name": "Ascend910", "health": "OK", "power_w": 170.5, "temperature_c": 41,
         "utilization_pct": 88, "memory_used_mib": 60000, "memory_total_mib": 65536, "bus_id": "0000:9C:00.0",
         "processes": [{"pid": 31, "name": "python3.11", "memory_mib": 57000}]},
        {"npu": 2, "chip": 1, "name": "Ascend910", "health": "Alarm", "power_w": None, "temperature_c": 45,
         "utilization_pct": 0, "memory_used_mib": 2900, "memory_total_mib": 65536, "bus_id": "0000:9E:00.0",
         "processes": []},
    ]  # fmt: skip


def test_table_is_aligned_and_without_escapes(saved, capsys):
    assert main(["devices", "--from", saved]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "npu-smi, driver 26.0.0"
    assert len({line.index("Ascend910") for line in lines if "Ascend910" in line}) == 1
    assert "60000 / 65536" in out
    assert "python3.11" in out
    assert "\x1b" not in out
    assert err == ""


def test_colour_on_a_terminal_only_for_what_is_not_healthy(saved, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert main(["devices", "--from", saved]) == 0
    marked = [line for line in capsys.readouterr().out.splitlines() if "\x1b[31m" in line]
    assert len(marked) == 1
    assert "Alarm" in marked[0]
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["devices", "--from", saved]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TABLE.encode())))
    assert main(["devices", "--from", "-", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["devices"]) == 2


def test_escape_codes_of_a_file_are_not_printed(tmp_path, capsys):
    path = tmp_path / "evil"
    path.write_text(TABLE.replace("python3.11", "py\x1b]0;title\x07thon\x9b31m"))
    assert main(["devices", "--from", str(path)]) == 0
    out = capsys.readouterr().out
    assert not set("\x1b\x07\x9b") & set(out)


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [("hello\n", 2, "no output of npu-smi"), ("", 2, "no output of npu-smi"),
     ("dcmi module initialize failed. ret is -8005\n", 3, "-8005"),
     ("Failed to query npu chip: 0 info.\n", 3, "no device")],
)  # fmt: skip
def test_files_without_devices(tmp_path, capsys, content, code, words):
    path = tmp_path / "file"
    path.write_text(content)
    assert main(["devices", "--from", str(path), "--json"]) == code
    out, err = capsys.readouterr()
    assert json.loads(out)["devices"] == []
    assert words in err


def test_files_that_can_not_be_read(tmp_path, capsys):
    for path in (str(tmp_path / "gone"), str(tmp_path), "a\0b"):
        assert main(["devices", "--from", path]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)


def test_a_row_that_is_odd_is_told_beside_the_table(tmp_path, capsys):
    path = tmp_path / "cut"
    path.write_text(TABLE.replace("| 2   0    | 31", "| 7   0    | 31"))
    assert main(["devices", "--from", str(path)]) == 0
    assert "not listed" in capsys.readouterr().err


def test_live(tool, capsys):
    tool(f"assert sys.argv[1:] == ['info']\nprint({TABLE!r})")
    assert main(["devices"]) == 0
    out = capsys.readouterr().out
    assert "Ascend910" in out
    assert "CPU: " in out


def test_live_gpus(tool, capsys):
    tool(
        """
if sys.argv[1].startswith('--query-gpu'):
    print('0, GPU-1, NVIDIA X, 00000000:07:00.0, 61.0, 33, 5, 4, 81920, 550.1')
else:
    print('GPU-1, 77, python, 4000')
""",
        "nvidia-smi",
    )
    assert main(["devices", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["source"], said["devices"][0]["processes"][0]["pid"]) == ("nvidia-smi", 77)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_tool(capsys, lang):
    assert main(["devices", "--json", "--lang", lang]) == 3
    out, err = capsys.readouterr()
    assert json.loads(out) == {"source": None, "driver": None, "devices": []}
    assert bool(CHINESE.search(err)) == (lang == "zh")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("sys.exit('dcmi module initialize failed. ret is -8005')", "no device"),
        ("print('what?'); sys.exit(7)", "exit code 7"),
        ("print('what?')", "nothing that is known"),
        ("time.sleep(60)", "did not answer"),
    ],
)
def test_live_faults(tool, capsys, monkeypatch, code, words):
    monkeypatch.setattr(commands_devices, "run_tool", lambda argv: facts.run_tool(argv, 1.5))
    tool(code)
    assert main(["devices"]) == 3
    assert words in capsys.readouterr().err


def test_watch(saved, capsys, monkeypatch):
    naps = []

    def nap(seconds):
        naps.append(seconds)
        if len(naps) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(commands_devices.time, "sleep", nap)
    assert main(["devices", "--from", saved, "--json", "--watch", "2"]) == 130
    lines = capsys.readouterr().out.splitlines()
    assert [len(json.loads(line)["devices"]) for line in lines] == [2, 2, 2]
    assert naps == [2.0] * 3


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "x", "1e9"])
def test_watch_needs_seconds(value, capsys):
    with pytest.raises(SystemExit) as error:
        main(["devices", f"--watch={value}"])
    assert error.value.code == 2
    assert "seconds" in capsys.readouterr().err


def test_watch_ends_where_waiting_changes_nothing(capsys):
    assert main(["devices", "--watch", "1"]) == 3
    assert main(["devices", "--from", "-", "--watch", "1"]) == 2
    capsys.readouterr()


def test_texts_are_in_both_languages():
    for key, words in TEXTS.items():
        assert set(words) == {"en", "zh"}, key
        assert not CHINESE.search(words["en"]), key
        fields = [{name for _, name, _, _ in string.Formatter().parse(words[lang]) if name} for lang in ("en", "zh")]
        assert fields[0] == fields[1], key
    row_problems = ("half_row", "bad_row", "process_without_device", "nothing")
    tool_problems = ("missing", "not_started", "timeout", "failed", "flood")
    for code in (*FAULTS, *row_problems, *tool_problems):
        assert code == "missing" or f"problem.{code}" in TEXTS
