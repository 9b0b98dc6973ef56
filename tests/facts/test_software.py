"""What the training interpreter has: metadata, source trees, development installs, two copies, and no answer at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.facts import software
from agentic_rl_wizard.runner.facts.software import Software, look_at_software, try_import


def distribution(folder: Path, name: str, version: str, *, requires: tuple[str, ...] = (), url: str = "") -> Path:
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    (info / "METADATA").write_text("\n".join(lines + [f"Requires-Dist: {one}" for one in requires]) + "\n")
    if url:
        (info / "direct_url.json").write_text(json.dumps({"url": f"file://{url}", "dir_info": {"editable": True}}))
    return folder


def package(folder: Path, name: str, text: str = "") -> Path:
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(text)
    return folder


@pytest.fixture
def ask(tmp_path, monkeypatch):
    def run(*folders: Path, python: str = sys.executable) -> Software:
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, folders)))
        return look_at_software(python, timeout=60)

    return run


def test_versions_and_requirements(tmp_path, ask):
    distribution(tmp_path, "vllm_ascend", "0.13.0", requires=("torch-npu==2.8.0.post2", 'x; extra == "dev"'))
    distribution(tmp_path, "torch_npu", "2.8.0.post2")
    found = ask(tmp_path)
    assert found.problem == ""
    assert found.version == ".".join(map(str, sys.version_info[:3]))
    assert found.version_of("vllm-ascend") == "0.13.0"
    assert found.version_of("torch-npu") == "2.8.0.post2"
    assert found.copy("vllm-ascend").requires == ("torch-npu==2.8.0.post2",)
    assert found.version_of("mindspeed-rl") == ""


def test_the_first_of_two_copies_is_the_one_that_is_imported(tmp_path, ask):
    tree = package(tmp_path / "checkout", "verl")
    (tree / "verl" / "version").mkdir()
    (tree / "verl" / "version" / "version").write_text("0.6.0.dev0\n")
    site = package(distribution(tmp_path / "site", "verl", "0.5.0"), "verl")
    assert [copy.version for copy in ask(tree, site).found["verl"]][:2] == ["0.6.0.dev0", "0.5.0"]
    assert [copy.version for copy in ask(site, tree).found["verl"]][:2] == ["0.5.0", "0.6.0.dev0"]


def test_a_git_checkout_tells_its_commit(tmp_path, ask):
    tree = package(tmp_path / "checkout", "verl")
    git = ["git", "-C", str(tree), "-c", "user.email=a@b", "-c", "user.name=n"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    distribution(tmp_path / "site", "verl", "0.7.0.dev0", url=str(tree))
    copy = ask(tmp_path / "site", tree).copy("verl")
    assert (copy.version, copy.editable, copy.commit) == ("0.7.0.dev0", str(tree), head)
    subprocess.run([*git, "pack-refs", "--all"], check=True)
    assert ask(tmp_path / "site", tree).copy("verl").commit == head
    assert len(ask(tmp_path / "site", tree).found["verl"]) == len(ask(tmp_path / "site").found["verl"])


def test_source_trees_without_metadata(tmp_path, ask):
    package(tmp_path, "megatron/core")
    (tmp_path / "megatron" / "core" / "package_info.py").write_text("MAJOR = 0\nMINOR = 12\nPATCH = 1  # x\n")
    package(tmp_path, "mindspeed_rl")
    (tmp_path / "setup.py").write_text("__version__ = '2.2.0'\n")
    found = ask(tmp_path)
    assert found.version_of("megatron-core") == "0.12.1"
    assert found.version_of("mindspeed-rl") == "2.2.0"
    assert found.copy("mindspeed-rl").place == str(tmp_path)


def test_pythonpath(tmp_path, ask):
    (tmp_path / "logging.py").write_text("")
    # Nothing of it may be imported by the probe itself, or it could not answer.
    (tmp_path / "shadow").mkdir()
    found = ask(tmp_path / "absent", tmp_path / "shadow")
    assert [(entry.exists, entry.shadows) for entry in found.pythonpath] == [(False, ()), (True, ())]


def test_a_module_that_hides_the_standard_library_is_told_of(tmp_path, ask):
    package(tmp_path, "queue")
    assert ask(tmp_path).pythonpath[0].shadows == ("queue",)


def test_broken_metadata_hides_nothing_else(tmp_path, ask):
    distribution(tmp_path, "torch_npu", "2.8.0")
    (tmp_path / "vllm-1.dist-info").mkdir()
    found = ask(tmp_path)
    assert found.version_of("torch-npu") == "2.8.0"
    assert found.broken


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("print('hello')", "nonsense"),
        ("print('{')", "nonsense"),
        ("print('{\"found\": 3}')", "nonsense"),
        ("import sys; sys.exit('Traceback\\nwhy')", "failed"),
        ("import time; time.sleep(60)", "timeout"),
    ],
    ids=["no-json", "half-json", "other-json", "fails", "hangs"],
)
def test_no_answer(tmp_path, text, problem):
    probe = tmp_path / "probe.py"
    probe.write_text(text)
    found = look_at_software(sys.executable, 1 if problem == "timeout" else 60, probe)
    assert found.problem == problem
    assert found.versions == {}
    assert problem != "failed" or found.detail == "why"


def test_no_interpreter(tmp_path):
    assert look_at_software(str(tmp_path / "python3")).problem == "missing"
    assert look_at_software("py\0thon").problem in ("missing", "not_started")


def test_an_interpreter_that_is_too_old(tmp_path):
    probe = tmp_path / "probe.py"
    probe.write_text(software.PROBE.read_text().replace("sys.version_info >= (3, 8)", "sys.version_info >= (9,)"))
    found = look_at_software(sys.executable, 60, probe)
    assert found.too_old
    assert found.version


def test_the_probe_has_no_syntax_that_python_3_8_lacks():
    import ast

    assert ast.parse(software.PROBE.read_text(), feature_version=(3, 6))


def test_imports(tmp_path, monkeypatch):
    package(tmp_path, "torch_npu", "raise ImportError('libhccl.so: cannot open shared object file')")
    package(tmp_path, "slow_one", "import time; time.sleep(60)")
    package(tmp_path, "fine_one", "print('banner')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    trial = try_import(sys.executable, "torch_npu", 60)
    assert (trial.outcome, trial.detail) == ("failed", "ImportError: libhccl.so: cannot open shared object file")
    assert try_import(sys.executable, "slow_one", 1).outcome == "timeout"
    assert try_import(sys.executable, "fine_one", 60).outcome == "good"
