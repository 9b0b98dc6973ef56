"""A copy of the stand-in for MindSpeed-RL's repository, with the config classes of one version."""

from __future__ import annotations

import shutil
from pathlib import Path

from agentic_rl_wizard.runner.native.mindspeed_keys import mindspeed_keys

STANDIN = Path(__file__).resolve().parent.parent / "standins" / "mindspeed_rl"
_FILES = {
    "megatron": ("megatron_config.py", "MegatronConfig"),
    "rl": ("rl_config.py", "RLConfig"),
    "generate": ("generate_config.py", "GenerateConfig"),
}
_SAMPLING = {"rl": (), "generate": ("sampling_config",), "megatron": ()}


def make_tree(folder: Path, version: str = "2.2.0", *, runtime_env: str = "", libraries: bool = True) -> Path:
    """Put the repository into ``folder`` and return it."""
    shutil.copytree(STANDIN, folder, ignore=shutil.ignore_patterns("__pycache__"))
    classes = folder / "mindspeed_rl" / "config_cls"
    classes.mkdir(parents=True)
    for table, (file, name) in _FILES.items():
        keys = {key: default for (kind, key), default in mindspeed_keys(version).items() if kind == table}
        keys |= dict.fromkeys(_SAMPLING[table], "{}")
        lines = [f"class {name}:", "    def __init__(self):", *(f"        self.{k} = {v}" for k, v in keys.items())]
        (classes / file).write_text("\n".join([*lines, ""]))
    for script in ("train_dapo.py", "train_ppo.py") if version in ("2.0.0", "2.1.0") else ():
        (folder / "cli" / script).unlink()
    (folder / "configs" / "model").mkdir(parents=True)
    if runtime_env:
        (folder / "configs" / "envs").mkdir()
        (folder / "configs" / "envs" / "runtime_env.yaml").write_text(runtime_env)
    for library in ("megatron", "mindspeed", "mindspeed_llm") if libraries else ():
        (folder / library).mkdir()
    return folder
