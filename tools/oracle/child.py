"""One verl release judges configurations: read from stdin, a JSON line each; verdicts go to stdout.

Started by `judge.py` with the folder of an unpacked release. That release, not the installed one, is imported: the
folder comes first on the module path. Nothing here knows agentic-rl.

What runs is verl's own code: its packaged Hydra configuration, Hydra's own parser and merge of overrides, then what
main_ppo does before any worker exists, in its order (see `Release`). Not run: Ray, tokenizers, models, data sets.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import inspect
import json
import os
import pickle
import sys
import traceback
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import stubs

Verdict = dict[str, Any]
_HEAD = 160  # characters of a message that are kept


class Release:
    """One release and its packaged configurations."""

    def __init__(self, tree: Path) -> None:
        from hydra import initialize_config_dir

        self.tree = tree
        self.packaged = str(tree / "verl" / "trainer" / "config")
        self.hydra = initialize_config_dir(config_dir=self.packaged, version_base=None)
        self.hydra.__enter__()  # for the life of the process
        self.bases: dict[str, bytes] = {}
        from verl.utils import config as module

        self.config_module = module
        self.has_function = hasattr(module, "validate_config")
        if self.has_function:
            try:
                from verl.trainer.ppo.utils import need_critic, need_reference_policy
            except ImportError:
                from verl.trainer.ppo.ray_trainer import need_critic, need_reference_policy
            self.need_critic, self.need_reference_policy = need_critic, need_reference_policy
        self.migrate = None
        with contextlib.suppress(ImportError):
            from verl.experimental.reward_loop import migrate_legacy_reward_impl

            self.migrate = migrate_legacy_reward_impl
        self.runner = None
        with contextlib.suppress(ImportError):
            from verl.trainer.main_ppo import TaskRunner

            if hasattr(TaskRunner, "init_resource_pool_mgr"):  # 0.6 to 0.8
                self.runner = TaskRunner

    def judge(
        self, name: str, base: list[str], overrides: list[str], folder: str = "", compose_only: bool = False
    ) -> Verdict:
        """Compose and validate; the first refusal ends it, as it does in verl."""
        stage = "compose"
        try:
            if folder:
                self.learn(name, base, folder)
            config = self.compose(name, base, overrides)
            stage = "validate"
            from omegaconf import OmegaConf

            OmegaConf.resolve(config)
            if compose_only:
                return {"stage": "accept"}
            if self.has_function:
                config = self.migrate(config) if self.migrate is not None else config
                self.config_module.validate_config(
                    config=config,
                    use_reference_policy=self.reference(config),
                    use_critic=self.need_critic(config),
                )
            else:
                self.old_trainer(config)
            stage = "launch"
            if self.runner is not None:
                self.runner().init_resource_pool_mgr(config)
            stage = "dataclass"
            self.dataclasses(config)
        except Exception as error:  # whatever verl raises is its verdict
            while type(error).__name__ == "InstantiationException" and isinstance(error.__cause__, Exception):
                error = error.__cause__  # Hydra wraps what a dataclass raises
            return {"stage": stage, "type": type(error).__name__, "message": head(error)}
        return {"stage": "accept"}

    def learn(self, name: str, base: list[str], folder: str) -> None:
        """Compose a configuration of another folder (of a trainer beside main_ppo), with verl's own on its path."""
        from hydra import compose, initialize_config_dir
        from hydra.core.global_hydra import GlobalHydra

        key = " ".join((name, *base))
        if key in self.bases:
            return
        GlobalHydra.instance().clear()
        with initialize_config_dir(config_dir=str(self.tree / folder), version_base=None):
            found = compose(name, overrides=[f"hydra.searchpath=[file://{self.packaged}]", *base])
        self.bases[key] = pickle.dumps(found)
        self.hydra = initialize_config_dir(config_dir=self.packaged, version_base=None)
        self.hydra.__enter__()

    def compose(self, name: str, base: list[str], overrides: list[str]) -> Any:
        """Compose once for each base and merge the overrides into a copy by Hydra's own code; 50 times as fast."""
        from hydra import compose
        from hydra._internal.config_loader_impl import ConfigLoaderImpl
        from hydra.core.override_parser.overrides_parser import OverridesParser

        key = " ".join((name, *base))
        if key not in self.bases:
            self.bases[key] = pickle.dumps(compose(name, overrides=base))
        config = pickle.loads(self.bases[key])  # an eighth of what a deep copy takes
        ConfigLoaderImpl._apply_overrides_to_config(OverridesParser.create().parse_overrides(overrides), config)
        return config

    def same(self, name: str, base: list[str], overrides: list[str]) -> bool:
        """Whether that short way gives what a whole composition gives."""
        from hydra import compose
        from omegaconf import OmegaConf

        whole = OmegaConf.to_container(compose(name, overrides=[*base, *overrides]), resolve=False)
        return whole == OmegaConf.to_container(self.compose(name, base, overrides), resolve=False)

    def old_trainer(self, config: Any) -> None:
        """0.4 and 0.5 validate in the trainer's constructor, for the roles that main_ppo has filled in."""
        from verl.trainer.ppo import ray_trainer

        role = ray_trainer.Role
        roles = {role.ActorRollout: None, role.Critic: None}
        if config.reward_model.enable:
            roles[role.RewardModel] = None
        if config.algorithm.use_kl_in_reward or config.actor_rollout_ref.actor.use_kl_loss:
            roles[role.RefPolicy] = None
        ray_trainer.RayPPOTrainer._create_dataloader = lambda *_: None
        ray_trainer.RayPPOTrainer(config, None, roles, None, device_name=config.trainer.device)

    def reference(self, config: Any) -> bool:
        """Whether there is a reference policy; 0.6 asks the roles that main_ppo has filled in."""
        if "role_worker_mapping" not in inspect.signature(self.need_reference_policy).parameters:
            return self.need_reference_policy(config)
        runner = self.runner()
        runner.add_ref_policy_worker(config, type("Worker", (), {}))
        return self.need_reference_policy(runner.role_worker_mapping)

    def dataclasses(self, config: Any) -> None:
        """What the rollout workers build of their section (0.6 on); it refuses some values by itself."""
        if "_target_" in config.actor_rollout_ref.rollout:
            self.config_module.omega_conf_to_dataclass(config.actor_rollout_ref.rollout)


def head(error: BaseException) -> str:
    """The first line of a message, cut; of one without a message the line of verl that raised it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        lines = [f"({frame.name}) {statement(Path(frame.filename), frame.lineno or 0)}"]
    return lines[0][:_HEAD]


def statement(file: Path, line: int) -> str:
    """The innermost statement of a file that reaches over a line, on one line."""
    nodes = [n for n in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(n, ast.stmt)]
    over = [n for n in nodes if n.lineno <= line <= (n.end_lineno or n.lineno)]
    return ast.unparse(min(over, key=lambda n: (n.end_lineno or 0) - n.lineno)) if over else ""


def main() -> int:
    """Answer one JSON line for each line read."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # verl prints; that belongs to nobody's answer
    tree = Path(sys.argv[1]).resolve()
    sys.path[0] = str(tree)  # in place of this folder, whose modules are nobody's business
    warnings.simplefilter("ignore")
    stubbed = stubs.put(tree)
    import omegaconf.base

    omegaconf.base.parse = lru_cache(maxsize=None)(omegaconf.base.parse)  # half of the time is one text parsed again
    import verl

    if Path(verl.__file__).resolve().parent.parent != tree:
        raise SystemExit(f"another verl was imported: {verl.__file__}")
    release = Release(tree)
    stubbed += [*stubs.put_vllm(tree), *stubs.put_models()]
    answers.write(json.dumps({"verl": str(getattr(verl, "__version__", "")), "stubbed": stubbed}) + "\n")
    gc.freeze()
    gc.disable()  # a collection looks at all of torch and ray
    for number, line in enumerate(sys.stdin):
        if number % 100 == 99:
            gc.collect()
        wish = json.loads(line)
        with contextlib.redirect_stdout(None):
            verdict = release.judge(
                wish["config"], wish["base"], wish["overrides"], wish.get("folder", ""), wish.get("compose_only", False)
            )
            if wish.get("compare") and verdict["stage"] != "compose":
                verdict["same"] = release.same(wish["config"], wish["base"], wish["overrides"])
        answers.write(json.dumps({"id": wish["id"], **verdict}) + "\n")
    answers.flush()
    return 0


if __name__ == "__main__":
    os.environ.update(CUDA_VISIBLE_DEVICES="", RAY_USAGE_STATS_ENABLED="0", TRANSFORMERS_VERBOSITY="error")
    raise SystemExit(main())
