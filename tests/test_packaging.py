"""The package as a user installs it: not editable, from any directory, beside a foreign package called runner."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import tomllib

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_package_of_the_tree_is_listed():
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    found = set()
    for top in ("runner", "wizard", "templates"):
        for init in (ROOT / top).rglob("__init__.py"):
            found.add("agentic_rl_wizard." + ".".join(init.parent.relative_to(ROOT).parts))
    assert listed == found


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """A fresh environment with the built wheel; the dependencies come from the environment of the tests."""
    box = tmp_path_factory.mktemp("install")
    env = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    env.pop("PYTHONPATH", None)
    # The tree is copied: a build in place would leave build/ behind.
    source = box / "source"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(source)], check=True)
    wheel = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(box), str(source)]
    subprocess.run(wheel, check=True, env=env)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(box / "venv")], check=True)
    python = box / "venv" / "bin" / "python"
    built = next(box.glob("*.whl"))
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", str(built)],
        check=True,
        env=env,
    )
    (box / "elsewhere" / "runner").mkdir(parents=True)
    (box / "elsewhere" / "runner" / "__init__.py").write_text("raise RuntimeError('the foreign runner was imported')\n")
    (box / "elsewhere" / "templates").mkdir()
    (box / "elsewhere" / "templates" / "__init__.py").write_text("raise RuntimeError('foreign templates')\n")
    shared = [p for p in sys.path if p.endswith("site-packages")]
    pth = next((box / "venv").rglob("site-packages")) / "shared.pth"
    pth.write_text("\n".join(_dependencies(box, shared)) + "\n")
    return box


def _dependencies(box, shared):
    """Folders with the dependencies but without the editable install of this project: links to their packages."""
    folder = box / "dependencies"
    folder.mkdir()
    for place in shared:
        for entry in Path(place).iterdir():
            if "agentic_rl_wizard" in entry.name or entry.suffix == ".pth" or entry.name.startswith("__editable__"):
                continue
            link = folder / entry.name
            if not link.exists():
                link.symlink_to(entry)
        for pth in Path(place).glob("*.pth"):
            for line in pth.read_text().splitlines():
                if line.startswith("/") and Path(line).is_dir():
                    for entry in Path(line).iterdir():
                        link = folder / entry.name
                        if not link.exists() and "agentic_rl_wizard" not in entry.name and entry.suffix != ".pth":
                            link.symlink_to(entry)
    return [str(folder)]


def call(box, *argv, **env):
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH",)}
    return subprocess.run(
        [str(box / "venv" / "bin" / argv[0]), *argv[1:]],
        cwd=box / "elsewhere",
        env={**clean, "PYTHONPATH": str(box / "elsewhere"), "LC_ALL": "C.UTF-8", **env},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_wheel_holds_the_data(installed):
    import zipfile

    names = set(zipfile.ZipFile(next(installed.glob("*.whl"))).namelist())
    for room in ("parameters", "problems", "configs", "backends"):
        files = [path for path in (ROOT / "templates" / room).rglob("*") if path.is_file()]
        assert {f"agentic_rl_wizard/{path.relative_to(ROOT).as_posix()}" for path in files} <= names
    inside = {p.name for p in (ROOT / "runner/inside/agentic_rl_inside").iterdir() if p.is_file()}
    assert {f"agentic_rl_wizard/runner/inside/agentic_rl_inside/{n}" for n in inside} <= names
    top = {n.split("/")[0] for n in names}
    assert top == {"agentic_rl_wizard", f"agentic_rl_wizard-{PROJECT['project']['version']}.dist-info"}


def test_commands_run_from_anywhere_beside_a_foreign_runner(installed):
    made = call(installed, "agentic-rl", "new", "agentsdk-verl", "-o", "mine.yaml")
    assert made.returncode == 0, made.stderr
    checked = call(installed, "agentic-rl", "check", "--no-paths", "mine.yaml")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert call(installed, "agentic-rl", "explain", "lr").returncode == 0
    assert "0." in call(installed, "agentic-rl", "--version").stdout


FORBIDDEN = ("textual", "rich", "questionary", "prompt_toolkit", "torch", "ray", "verl", "vllm", "numpy", "pandas")


@pytest.mark.parametrize(
    "argv",
    [["--help"], ["check", "--no-paths", "mine.yaml"], ["explain", "lr"], ["runs"], ["templates"]],
    ids=lambda a: a[0],
)
def test_headless_commands_load_no_screen_and_no_engine(installed, argv):
    call(installed, "agentic-rl", "new", "agentsdk-verl", "-o", "mine.yaml")
    code = (
        "import sys\nfrom agentic_rl_wizard.runner.cli.main import main\n"
        f"try:\n    main({argv!r})\nexcept SystemExit:\n    pass\n"
        f"print('LOADED', sorted(set(sys.modules) & set({FORBIDDEN!r})))"
    )
    said = call(installed, "python", "-c", code, XDG_STATE_HOME=str(installed / "state"))
    assert said.stdout.rstrip().endswith("LOADED []"), said.stdout + said.stderr
