"""A machine from a made-up root directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentic_rl_wizard.runner.facts import look_at_machine


def make(root: Path, *devices: str) -> Path:
    (root / "dev").mkdir()
    for name in devices:
        (root / "dev" / name).touch()
    (root / "proc").mkdir()
    (root / "proc" / "meminfo").write_text("MemTotal:       33554432 kB\nMemAvailable:   16777216 kB\n")
    return root


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASCEND_RT_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


def test_npus_count_without_their_manager(tmp_path: Path) -> None:
    machine = look_at_machine(tmp_path, make(tmp_path, "davinci0", "davinci1", "davinci_manager", "nvidia0"))
    assert (machine.accelerator, machine.devices, machine.present) == ("npu", 2, 2)
    assert (machine.memory_gib, machine.free_memory_gib) == (32, 16)
    assert machine.free_disk_gib > 0
    assert machine.cpus >= 1


def test_hidden_devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", "0")
    machine = look_at_machine(tmp_path, make(tmp_path, "davinci0", "davinci1"))
    assert (machine.devices, machine.present) == (1, 2)


def test_gpu_and_cpu(tmp_path: Path) -> None:
    assert look_at_machine(tmp_path, tmp_path / "nothing").accelerator == "cpu"
    machine = look_at_machine(tmp_path, make(tmp_path, "nvidia0", "nvidiactl", "nvidia-uvm"))
    assert (machine.accelerator, machine.devices) == ("gpu", 1)


def test_limits_of_a_container(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "sys/fs/cgroup").mkdir(parents=True)
    (tmp_path / "sys/fs/cgroup/memory.max").write_text(f"{8 * 2**30}\n")
    (tmp_path / "sys/fs/cgroup/memory.current").write_text(f"{2 * 2**30}\n")
    (tmp_path / "sys/fs/cgroup/cpu.max").write_text("100000 100000\n")
    machine = look_at_machine(tmp_path, tmp_path)
    assert (machine.memory_gib, machine.free_memory_gib, machine.cpus) == (8, 6, 1)
