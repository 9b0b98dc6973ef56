"""The probe, run as the tool runs it: a plain script in the training interpreter."""

import json
import subprocess
import sys

import pytest

from agentic_rl_wizard.runner.facts import probe_training
from agentic_rl_wizard.runner.facts.training import PROBE

<<<<<<< HEAD
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
=======
@pytest.fixture
def probe(inside: Path, tmp_path: Path) -> Any:
    def run(request: Any, python: str = sys.executable) -> dict[str, Any]:
        script = inside / "agentic_rl_inside" / "probe.py"
        done = subprocess.run(
            [python, script, json.dumps(request)], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
>>>>>>> engine

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


<<<<<<< HEAD
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
=======
def test_jsonl_with_messages_and_text(probe: Any, tmp_path: Path) -> None:
    rows = [
        {"prompt": [{"role": "user", "content": "你好"}], "labels": "x"},
        {"prompt": "four", "more": {"k": 1}},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n", "utf-8")
    facts = probe({"data": [str(path)]})["data"][str(path)]
    assert facts["rows"] == 2
    assert facts["columns"] == ["prompt", "labels", "more"]
    assert facts["nested"] == ["prompt[].role", "prompt[].content", "more.k"]
    assert facts["prompt_chars"] == [2, 4]


def test_another_prompt_column(probe: Any, tmp_path: Path) -> None:
    path = tmp_path / "q.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"question": ["abc", "de"]}), path)
    facts = probe({"data": [str(path)], "prompt_key": "question"})["data"][str(path)]
    assert facts["prompt_chars"] == [3, 2]


def test_a_wrong_request_is_a_usage_error(inside: Path) -> None:
    script = inside / "agentic_rl_inside" / "probe.py"
    for request in ("not json", "[]"):
        done = subprocess.run([sys.executable, script, request], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
>>>>>>> engine
