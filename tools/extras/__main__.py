"""Resolve the extras with pip, installing nothing, and show which versions came out.

gpu is resolved for this machine. npu is resolved for aarch64 with Python 3.11, whatever this machine is: vllm is built
without a device first (its published wheels ask for CUDA's torch, which no vllm-ascend accepts), and packages without
wheels stand in by their metadata.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import tomllib

from .stub import stub_wheel

ROOT = Path(__file__).resolve().parents[2]
PIP = [sys.executable, "-m", "pip"]
# Pure Python without a published wheel, and (the second) compiled code without one.
BUILT = ("antlr4-python3-runtime", "pylatexenc")
STUBBED = ("arctic-inference",)
NPU_MACHINE, NPU_PYTHON = "aarch64", "311"
OLDEST_GLIBC, NEWEST_GLIBC = 17, 31


def extra(name: str) -> list[str]:
    """Requirements of an extra, as pyproject.toml has them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return project["project"]["optional-dependencies"][name]


def pins(name: str) -> dict[str, str]:
    """Package -> version of a constraints file."""
    lines = (ROOT / "requirements" / f"constraints-{name}.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    return {package.strip().lower(): version.strip() for package, version in pairs}


def resolve_gpu(box: Path) -> Path:
    """Resolve for this machine; the report."""
    report = box / "gpu.json"
    constraints = ROOT / "requirements" / "constraints-gpu.txt"
    run([*PIP, "install", *options(report), "-c", str(constraints), *extra("gpu")])
    return report


def resolve_npu(box: Path) -> Path:
    """Resolve for aarch64; the report."""
    report, wheels = box / "npu.json", box / "wheels"
    wheels.mkdir()
    pinned = pins("npu")
    wanted = next(one for one in extra("npu") if one.startswith("vllm=="))
    version = wanted.partition("==")[2]
    device = {**os.environ, "VLLM_TARGET_DEVICE": "empty", "VLLM_VERSION_OVERRIDE": version}
    build = [*PIP, "wheel", "-q", "--no-deps", "-w", str(wheels)]
    run([*build, "--no-build-isolation", "--no-binary", "vllm", wanted], device)
    run([*build, *(f"{name}=={pinned[name]}" for name in BUILT)])
    for name in STUBBED:
        exact = f"{name}=={pinned[name]}"
        fetch = ["download", "-q", "--no-deps", "--no-build-isolation", "--no-binary", ":all:", "-d", str(box), exact]
        run([*PIP, *fetch])
        stub_wheel(next(box.glob(f"{name.replace('-', '_')}*.tar.gz")), wheels)
    vllm = next(wheels.glob("vllm-*.whl"))
    asked = [one for one in extra("npu") if one != wanted]
    constraints = ROOT / "requirements" / "constraints-npu.txt"
    command = [sys.executable, str(Path(__file__).with_name("pip_as.py")), NPU_MACHINE, "install", *options(report)]
    command += ["--target", str(box / "none"), *platform_options(), "--only-binary", ":all:"]
    run([*command, "--find-links", str(wheels), "-c", str(constraints), str(vllm), *asked])
    return report


def platform_options() -> list[str]:
    """What makes pip choose wheels of the NPU machine."""
    found = ["--python-version", f"{NPU_PYTHON[0]}.{NPU_PYTHON[1:]}", "--implementation", "cp"]
    for abi in (f"cp{NPU_PYTHON}", "abi3", "none"):
        found += ["--abi", abi]
    for number in range(OLDEST_GLIBC, NEWEST_GLIBC + 1):
        found += ["--platform", f"manylinux_2_{number}_{NPU_MACHINE}"]
    return [*found, "--platform", f"manylinux2014_{NPU_MACHINE}"]


def options(report: Path) -> list[str]:
    """A resolution that looks at nothing that is installed and installs nothing."""
    return ["-q", "--dry-run", "--ignore-installed", "--report", str(report)]


def run(command: list[str], env: dict[str, str] | None = None) -> None:
    """Run a command; its output is the user's.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    subprocess.run(command, check=True, env=env)


def show(name: str, report: Path) -> None:
    """Print what was resolved."""
    installs = json.loads(report.read_text(encoding="utf-8"))["install"]
    found = {one["metadata"]["name"].lower().replace("_", "-"): one["metadata"]["version"] for one in installs}
    asked = [one.partition("=")[0].partition(">")[0].partition("[")[0].lower() for one in extra(name)]
    print(f"{name}: {len(found)} packages; " + ", ".join(f"{one} {found.get(one, '?')}" for one in asked))


def main(names: list[str]) -> int:
    """Resolve the named extras, or both; 1 when one of them does not resolve."""
    failed = False
    for name in names or ["gpu", "npu"]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                show(name, {"gpu": resolve_gpu, "npu": resolve_npu}[name](Path(folder)))
            except subprocess.CalledProcessError as error:
                print(f"{name}: does not resolve ({' '.join(error.cmd[:6])} ... ended with {error.returncode})")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
