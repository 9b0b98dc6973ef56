"""Driver, CANN and device files, read from a tree that stands for a machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.facts.ascend import look_at_ascend


@pytest.fixture
def machine(tmp_path):
    def put(path: str, text: str = "") -> Path:
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return place

    put.root = tmp_path
    return put


def test_a_machine_without_anything(machine):
    found = look_at_ascend(machine.root, {})
    assert not found.any
    assert (found.driver, found.firmware, found.toolkits, found.cann, found.in_group) == ("", "", (), "", None)


def test_versions_of_driver_and_firmware(machine):
    machine("usr/local/Ascend/driver/version.info", "Version=25.3.0\nascendhal_version=7.35.23\n")
    machine("usr/local/Ascend/firmware/version.info", "Version=7.8.0.2.212\n")
    found = look_at_ascend(machine.root, {})
    assert (found.driver, found.firmware) == ("25.3.0", "7.8.0.2.212")
    machine("usr/local/Ascend/driver/version.info", "garbage")
    assert look_at_ascend(machine.root, {}).driver == "?"


def test_an_older_cann_and_its_links(machine):
    base = machine.root / "usr/local/Ascend/ascend-toolkit"
    machine("usr/local/Ascend/ascend-toolkit/8.3.RC1/aarch64-linux/ascend_toolkit_install.info",
            "package_name=Ascend-cann-toolkit\nversion=8.3.RC1\narch=aarch64\n")  # fmt: skip
    machine("usr/local/Ascend/ascend-toolkit/set_env.sh")
    (base / "latest").symlink_to(base / "8.3.RC1")
    found = look_at_ascend(machine.root, {})
    assert [one.version for one in found.toolkits] == ["8.3.RC1"]
    assert found.toolkits[0].set_env == str(base / "set_env.sh")
    assert not found.sourced
    sourced = look_at_ascend(machine.root, {"ASCEND_TOOLKIT_HOME": str(base / "latest")})
    assert (sourced.sourced, sourced.cann) == (True, "8.3.RC1")


def test_several_and_the_one_that_is_sourced(machine):
    machine("usr/local/Ascend/cann-8.5.0/set_env.sh")
    machine("usr/local/Ascend/cann-9.0.0/set_env.sh")
    base = machine.root / "usr/local/Ascend"
    (base / "cann").symlink_to(base / "cann-9.0.0")
    found = look_at_ascend(machine.root, {"ASCEND_HOME_PATH": str(base / "cann-8.5.0")})
    assert [one.version for one in found.toolkits] == ["8.5.0", "9.0.0"]
    assert found.cann == "8.5.0"
    assert look_at_ascend(machine.root, {}).cann == ""  # two, and nothing says which
    gone = look_at_ascend(machine.root, {"ASCEND_HOME_PATH": "/removed"})
    assert (gone.sourced, gone.home) == (False, "/removed")


def test_atb(machine):
    script = machine("usr/local/Ascend/nnal/atb/set_env.sh")
    found = look_at_ascend(machine.root, {})
    assert (found.atb_set_env, found.atb_sourced) == (str(script), False)
    assert look_at_ascend(machine.root, {"ATB_HOME_PATH": str(script.parent)}).atb_sourced


def test_device_files_and_the_group(machine):
    for name in ("davinci0", "davinci10", "davinci2", "davinci_manager", "null"):
        machine(f"dev/{name}")
    machine("etc/group", f"root:x:0:\nHwHiAiUser:x:{os.getegid()}:\n")
    found = look_at_ascend(machine.root, {})
    assert [one.name for one in found.devices] == ["davinci0", "davinci2", "davinci10"]
    assert [one.name for one in found.managers] == ["davinci_manager"]
    assert all(one.usable for one in found.devices)
    assert found.in_group is True
    assert found.any
