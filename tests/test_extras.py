"""Extras, constraints, the table of known combinations and the install page say the same; nothing is fetched."""

import re
import zipfile
from pathlib import Path

import pytest
import tomllib
from extras.stub import stub_wheel

from agentic_rl_wizard.runner.catalogue.software_table import allows, combination_for

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def exact(name):
    """Package -> version of what an extra pins."""
    return {
        one.partition("==")[0].lower(): one.partition("==")[2] for one in EXTRAS[name] if "==" in one and "," not in one
    }


def constraints(name):
    lines = (ROOT / "requirements" / f"constraints-{name}.txt").read_text(encoding="utf-8").splitlines()
    return {line.partition("==")[0].lower(): line.partition("==")[2] for line in lines if not line.startswith("#")}


@pytest.mark.parametrize("name", ["gpu", "npu"])
def test_the_constraints_hold_what_the_extra_pins(name):
    pinned = constraints(name)
    assert len(pinned) > 100
    for package, version in exact(name).items():
        if (name, package) != ("npu", "vllm"):  # built without a device: the extra alone pins it
            assert pinned[package] == version, package
    assert "vllm" not in constraints("npu")
    assert all("@" not in version and version for version in pinned.values())


def test_the_npu_extra_is_a_known_combination_for_each_of_its_owners():
    pinned = exact("npu")
    for owner in ("verl", "vllm-ascend"):
        row = combination_for(owner, pinned[owner])
        known = {name: wanted for name, wanted in row.versions.items() if name in pinned}
        assert len(known) >= 4
        assert {name for name, wanted in known.items() if not allows(wanted, pinned[name])} == set()


def test_no_cuda_package_comes_with_the_npu_extra():
    assert [
        name for name in constraints("npu") if name.startswith(("nvidia-", "flashinfer", "triton=", "xformers"))
    ] == []
    assert any(name.startswith("nvidia-") for name in constraints("gpu"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_install_page_names_what_the_extras_pin(lang):
    page = (ROOT / "docs" / lang / "install.md").read_text(encoding="utf-8")
    for package in ("verl", "vllm", "torch", "torch-npu", "triton-ascend"):
        assert exact("npu")[package] in page, package
    for package in ("verl", "vllm", "torch"):
        assert exact("gpu")[package] in page, package
    assert f"VLLM_VERSION_OVERRIDE={exact('npu')['vllm']}" in page
    for word in ("'.[gpu]'", "'.[npu]'", "'.[local]'", "MindSpeed-RL.git", "agentsdk_26.0.0"):
        assert word in page


def test_the_two_install_pages_hold_the_same_commands():
    blocks = [
        re.findall(r"```\n(.*?)```", (ROOT / "docs" / lang / "install.md").read_text(encoding="utf-8"), re.DOTALL)
        for lang in ("en", "zh")
    ]
    bare = [[re.sub(r"\s+#.*", "", block) for block in one] for one in blocks]
    assert bare[0] == bare[1]
    assert len(bare[0]) >= 3


def test_a_stub_wheel_has_the_metadata_of_its_source(tmp_path):
    import tarfile

    info = tmp_path / "PKG-INFO"
    info.write_text("Metadata-Version: 2.1\nName: some-thing\nVersion: 1.2\nRequires-Dist: numpy<2\n")
    with tarfile.open(tmp_path / "some_thing-1.2.tar.gz", "w:gz") as archive:
        archive.add(info, "some_thing-1.2/PKG-INFO")
        archive.add(info, "some_thing-1.2/some_thing.egg-info/PKG-INFO")
    wheel = stub_wheel(tmp_path / "some_thing-1.2.tar.gz", tmp_path)
    assert wheel.name == "some_thing-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert b"Requires-Dist: numpy<2" in archive.read("some_thing-1.2.dist-info/METADATA")
