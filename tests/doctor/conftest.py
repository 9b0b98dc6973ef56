"""A scene in which all is well on an Ascend machine of eight NPUs; tests change what they are about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agentic_rl_wizard.runner.doctor import Finding, Scene, judge
from agentic_rl_wizard.runner.facts.ascend import Ascend, DeviceFile, Toolkit
from agentic_rl_wizard.runner.facts.limits import Limits, Place
from agentic_rl_wizard.runner.facts.network import Interface, Network
from agentic_rl_wizard.runner.facts.software import Copy, Software
from agentic_rl_wizard.runner.facts.system import System
from agentic_rl_wizard.runner.stream.device_types import Device, DeviceTable

SET_ENV = "/usr/local/Ascend/cann-8.5.0/set_env.sh"


def installed(**versions: str) -> Software:
    """An interpreter with these packages, ``torch_npu="2.8.0"`` and so on."""
    found = {name.replace("_", "-"): (Copy(version, "/site"),) for name, version in versions.items()}
    return Software("/env/bin/python", "3.11.9", "/env/bin/python", "aarch64", found)


def table(*health: str) -> DeviceTable:
    devices = [Device(npu=number, chip=0, name="910B3", health=one) for number, one in enumerate(health)]
    return DeviceTable("npu-smi", "25.5.0", devices)


@pytest.fixture
def good() -> Scene:
    return Scene(
        software=installed(
            verl="0.7.1", torch="2.8.0", torch_npu="2.8.0.post2", vllm="0.13.0", vllm_ascend="0.13.0",
            triton_ascend="3.2.0", transformers="4.57.6", ray="2.48.0", numpy="1.26.4", setuptools="80.10.2",
        ),
        ascend=Ascend(
            driver="25.5.0", firmware="7.8.0", toolkits=(Toolkit("/usr/local/Ascend/cann-8.5.0", "8.5.0", SET_ENV),),
            sourced=True, home="/usr/local/Ascend/cann-8.5.0", atb_set_env="/a/set_env.sh", atb_sourced=True,
            devices=tuple(DeviceFile(f"davinci{n}", True, "HwHiAiUser") for n in range(8)),
            managers=tuple(DeviceFile(name, True) for name in ("davinci_manager", "devmm_svm", "hisi_hdc")),
        ),
        network=Network(
            (Interface("lo", True, ("127.0.0.1",)), Interface("eth0", True, ("10.0.0.5",)), Interface("eth1", False)),
            "node1", ("10.0.0.5",), False, ("10.0.0.5",), {},
        ),
        limits=Limits(
            0o027, {"nofile": (65536, 65536), "nproc": (-1, -1), "memlock": (-1, -1), "stack": (8 << 20, -1)},
            (Place("work", "/w", 900.0, 1000.0, 10.0, 10**7), Place("home", "/h", 90.0, 100.0, 10.0, 10**7),
             Place("ray", "/tmp", 90.0, 100.0, 10.0, 10**7), Place("shm", "/dev/shm", 60.0, 64.0, 1.0)), "/tmp",
        ),
        system=System("aarch64", "5.10", "openEuler 22.03", "3.11", "", 2e9, 1.9e9),
        devices=table(*["OK"] * 8),
        tool="npu-smi",
    )  # fmt: skip


@pytest.fixture
def findings():
    """Findings of a scene by id; ``ok`` ones only when asked for."""

    def by_id(scene: Scene, *, all: bool = False) -> dict[str, Finding]:
        return {one.id: one for one in judge(scene) if all or one.level != "ok"}

    return by_id


@pytest.fixture
def with_env():
    def change(scene: Scene, **env: str) -> Scene:
        return replace(scene, network=replace(scene.network, env=env))

    return change
