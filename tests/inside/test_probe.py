"""The probe, run as the tool runs it: a plain script in the training interpreter."""

import json
import subprocess
import sys

import pytest

from agentic_rl_wizard.runner.facts import probe_training
from agentic_rl_wizard.runner.facts.training import PROBE

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROW = {
    "data_source": "mine/sums",
    "prompt": [{"role": "user", "content": "1+2"}],
    "reward_model": {"style": "rule", "ground_truth": "3"},
}


def test_parquet_columns_rows_and_nested_fields(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_pylist([ROW] * 5), path)
    facts = probe_training(sys.executable, [str(path)])
    assert facts.problem == ""
    data = facts.files[str(path)]
    assert (data.format, data.rows, data.error) == ("parquet", 5, "")
    assert {"prompt", "data_source", "reward_model", "reward_model.ground_truth"} <= set(data.columns)
    assert facts.rows(str(path)) == 5


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("gone.parquet", None, "No such file"),
        ("text.parquet", b"hello world", "no parquet file"),
        ("cut.parquet", b"PAR1\x00\x00", "Invalid"),
        ("empty.parquet", b"", "no parquet file"),
        ("bad.jsonl", b"{\n", "JSONDecodeError"),
        ("latin.jsonl", b'{"a": "\xff"}\n', "UnicodeDecodeError"),
    ],
)
def test_what_can_not_be_read_says_why(tmp_path, name, content, word):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    data = probe_training(sys.executable, [str(path)]).files[str(path)]
    assert word in data.error
    assert data.rows is None


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        ("a.jsonl", '{"problem": "x", "m": {"k": 1}}\n\n{"problem": "y"}\n', 2),
        ("a.json", '[{"problem": "x", "m": {"k": 1}}]', 1),
    ],
)
def test_json_and_json_lines(tmp_path, name, content, rows):
    path = tmp_path / name
    path.write_text(content)
    data = probe_training(sys.executable, [str(path)]).files[str(path)]
    assert (data.rows, data.columns) == (rows, ("problem", "m", "m.k"))


def test_versions_and_missing_modules_without_importing_them():
    code = (
        "import runpy, sys\nsys.argv = ['probe.py', '{}']\n"
        f"try:\n    runpy.run_path({str(PROBE)!r}, run_name='__main__')\nexcept SystemExit:\n    pass\n"
        "print(sorted(set(sys.modules) & {'torch', 'ray', 'verl', 'transformers', 'numpy', 'pyarrow'}))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert said[-1] == "[]"
    answer = json.loads(said[0])
    assert answer["python"] == sys.version.split()[0]
    assert answer["versions"]["pyarrow"] == pa.__version__
    assert "pyarrow" not in answer["missing"]
