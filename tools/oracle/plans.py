"""`PYTHONPATH=tools python -m oracle.plans`: our plans of every variant, judged by every release of verl and recorded.

The variants are those of document 004's templates, one of each trainer beside main_ppo, and AgentSDK files. Up to 0.7.0
the other trainers stand in `recipe/`, which the wheels leave out: their configuration is written here from the keys
that `templates/backends/verl_entries.yaml` knows of them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agentic_rl_wizard.runner.backends.errors import PlanError
from agentic_rl_wizard.runner.backends.plan import Plan
from agentic_rl_wizard.runner.backends.request import Request
from agentic_rl_wizard.runner.backends.verl import make_plan
from agentic_rl_wizard.runner.backends.verl.entry import Entry, entry_of
from agentic_rl_wizard.runner.catalogue import load_catalogue, render_template
from agentic_rl_wizard.runner.catalogue.versions import version_holds
from agentic_rl_wizard.runner.document import add_key, parse_document, remove_key, set_value
from agentic_rl_wizard.runner.native.settings import settings_of_tree

from . import judge, records
from .records import DATA, RELEASES, Verdict

RECORDED = DATA / "plans.json"
_BOX = Path("/w")
_FACTORY = ("grpo", "ppo", "multimodal", "agent", "lora", "long-sequence", "resume", "one-step-off")
_FULLY_ASYNC = {
    "backend_config.rollout.total_rollout_steps": 512,
    "backend_config.rollout.n": 8,
    "backend_config.async_training.staleness_threshold": 0.5,
    "backend_config.async_training.trigger_parameter_sync_step": 2,
}
_MEGATRON = """af_output_dir: /out
backend_config:
  data: {train_files: /d/train.parquet, val_files: /d/val.parquet, train_batch_size: 32, return_raw_chat: true}
  actor_rollout_ref:
    model: {path: /m/model}
    actor: {strategy: megatron, ppo_mini_batch_size: 16, ppo_micro_batch_size_per_gpu: 1,
      megatron: {tensor_model_parallel_size: 2, pipeline_model_parallel_size: 2}}
    rollout: {name: vllm, n: 4, mode: async, log_prob_micro_batch_size_per_gpu: 1, tensor_model_parallel_size: 2}
    ref: {log_prob_micro_batch_size_per_gpu: 1}
  critic: {strategy: megatron}
  algorithm: {adv_estimator: grpo}
  trainer: {n_gpus_per_node: 8, nnodes: 1}
"""
_AGENTSDK: Mapping[str, Mapping[str, Any]] = {
    "agentsdk-verl": {},
    "agentsdk-kl": {"verl.use_kl_loss": True, "verl.kl_loss_coef": 0.01, "kl_penalty": "low_var_kl"},
    "agentsdk-cov": {"verl.policy_loss_mode": "clip-cov", "verl.ckpt_content": ["model", "hf_model"]},
    "agentsdk-nodes": {"verl.nnodes": 2, "num_node": 2, "use_tensorboard": True, "verl.train_batch_size": 64},
}


def variants() -> Iterator[tuple[str, str]]:
    """(name, text of the file)."""
    for name in _FACTORY:
        yield name, render_template(f"ascendfactory-{name}")
    separate = render_template("ascendfactory-one-step-off")
    yield "fully-async", _changed(separate, _FULLY_ASYNC)
    yield "megatron", _MEGATRON
    yield "one-step-off-megatron", f"{_MEGATRON}  rollout: {{nnodes: 1, n_gpus_per_node: 8}}\n"
    for name, changes in _AGENTSDK.items():
        text = render_template("agentsdk-verl", "en", {})
        yield name, _changed(remove_key(text, "agent_engine_wrapper_path"), changes)


def plan_of(text: str, release: str, device: str) -> Plan:
    """Our plan of a file.

    Raises:
        PlanError: that version can't run it.
    """
    request = Request(
        "npu" if device == "npu" else "gpu", release, "python", _BOX, _BOX, _BOX / "run", _BOX / "inside",
        verl_source="/verl",
    )  # fmt: skip
    return make_plan(parse_document(text), load_catalogue(), request)


def digest(plan: Plan) -> str:
    """Short form of the arguments, for the recording."""
    return hashlib.sha256("\n".join(plan.argv).encode()).hexdigest()[:16]


def wish_of(plan: Plan, text: str, release: str, own: Path) -> dict[str, Any]:
    """What the child is to compose and judge."""
    names = [a.partition("=")[2] for a in plan.argv if a.startswith("--config-name=")]
    overrides = [a for a in plan.argv[3:] if not a.startswith(("--", "hydra."))]
    entry = Entry()
    if plan.argv[2] != entry.module:
        keys = settings_of_tree(parse_document(text)).values
        entry = entry_of(keys, release, device="npu", has_source=True)
    name = names[0] if names else entry.config or "ppo_trainer"
    wish: dict[str, Any] = {"config": name, "base": [], "overrides": overrides}
    # 0.5 validates in the constructor of each trainer; only the ordinary one is at hand.
    wish["compose_only"] = bool(entry.name) and version_holds("<0.6", release)
    if entry.source:
        (own / f"{name}.yaml").write_text(_own_text(entry, name))
        wish["folder"] = str(own)
    elif entry.name:
        wish["folder"] = "/".join(entry.module.split(".")[:-1]) + "/config"
    return wish


def _own_text(entry: Entry, name: str) -> str:
    base = "ppo_megatron_trainer" if "megatron" in name else "ppo_trainer"
    lines = [f"defaults: [{base}, _self_]"]
    root: dict[str, Any] = {}
    for key in sorted(entry.keys):
        node = root
        *outer, last = key.split(".")
        for part in outer:
            node = node.setdefault(part, {})
        node[last] = 1
    return "\n".join([*lines, *(f"{k}: {json.dumps(v)}" for k, v in root.items()), ""])


def _changed(text: str, changes: Mapping[str, Any]) -> str:
    for key, value in changes.items():
        change = set_value if parse_document(text).has(key) else add_key
        text = change(text, key, value)
    return text


def judged(release: str) -> dict[str, dict[str, str]]:
    """Variant and device -> digest of the arguments and the release's verdict, or the code of our refusal."""
    found: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        wishes: list[dict[str, Any]] = []
        for name, text in variants():
            for device in ("npu", "gpu"):
                key = f"{name} {device}"
                try:
                    plan = plan_of(text, release, device)
                except PlanError as error:
                    found[key] = {"refused": error.code}
                    continue
                found[key] = {"argv": digest(plan)}
                wishes.append({"id": key, **wish_of(plan, text, release, Path(folder))})
        verdicts: dict[str, Verdict] = {}
        judge.ask(release, wishes, verdicts)
    for key, verdict in verdicts.items():
        found[key]["stage"] = verdict.stage
        if verdict.message:
            found[key]["message"] = verdict.message
    return found


def main() -> int:
    """Renew the recording, all of it or some releases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="*", default=RELEASES)
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    for release in parser.parse_args().releases:
        recorded[release] = judged(release)
        bad = {key: one for key, one in recorded[release].items() if one.get("stage") not in ("accept", None)}
        print(release, len(recorded[release]), "judged", bad)
    ordered = {release: recorded[release] for release in records.RELEASES if release in recorded}
    RECORDED.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
