"""The probe as the tool calls it: a script, one JSON object."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest


@pytest.fixture
def probe(inside: Path, tmp_path: Path) -> Any:
    def run(request: Any, python: str = sys.executable) -> dict[str, Any]:
        script = inside / "agentic_rl_inside" / "probe.py"
        done = subprocess.run(
            [python, script, json.dumps(request)], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_a_dataset_is_described_without_reading_it_all(probe: Any, prepared: Path) -> None:
    path = str(prepared / "train.parquet")
    facts = probe({"data": [path], "sample": 7})["data"][path]
    assert facts["error"] is None
    assert facts["rows"] == 384
    assert facts["columns"] == ["data_source", "prompt", "ability", "reward_model", "extra_info"]
    assert {"reward_model.ground_truth", "extra_info.index", "prompt[].content"} <= set(facts["nested"])
    assert facts["prompt_chars"] == [4] * 7


def test_versions_come_without_importing_anything_heavy(probe: Any) -> None:
    began = time.process_time(), time.monotonic()
    answer = probe({})
    assert answer["versions"]["verl"] == "0.9.1"
    assert answer["versions"]["torch_npu"] is None
    assert answer["missing_for_cpu"] == []
    assert Path(answer["verl_config_dir"], "ppo_trainer.yaml").is_file()
    assert time.monotonic() - began[1] < 10  # importing verl alone takes longer on a busy machine


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("cut.parquet", b"PAR1 and then nothing", "arquet"),
        ("empty.parquet", b"", "arquet"),
        ("broken.jsonl", b'{"a": 1}\n{"a": \n', "line 2"),
        ("list.jsonl", b"1\n2\n", "not a JSON object"),
        ("binary.jsonl", b"\xff\xfe\x00\x00", "codec"),
    ],
)
def test_a_broken_file_is_an_error_text_not_a_crash(
    probe: Any, tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    facts = probe({"data": [str(tmp_path / name)]})["data"][str(tmp_path / name)]
    assert says in facts["error"]
    assert facts["rows"] is None


def test_what_is_not_a_file_is_not_opened(probe: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    paths = [str(tmp_path / "absent"), str(tmp_path), str(tmp_path / "fifo")]
    errors = [probe({"data": paths})["data"][path]["error"] for path in paths]
    assert "No such file" in errors[0]
    assert errors[1:] == ["not a regular file"] * 2


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
