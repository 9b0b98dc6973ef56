"""Hand configurations to one release of verl, in one child process, and collect its verdicts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agentic_rl_wizard.runner.backends.errors import PlanError
from agentic_rl_wizard.runner.backends.plan import Plan
from agentic_rl_wizard.runner.backends.request import Request
from agentic_rl_wizard.runner.backends.verl import make_plan
from agentic_rl_wizard.runner.catalogue import load_catalogue
from agentic_rl_wizard.runner.catalogue.versions import version_holds
from agentic_rl_wizard.runner.document.model import Document
from agentic_rl_wizard.runner.native.hydra_text import override

from . import wheels
from .records import NATIVE_REQUIRED, Configuration, Verdict
from .space_agentsdk import values_of

_COMPARE_EVERY = 60  # of these the short way of composing is held against Hydra's whole one


def overrides_of(configuration: Configuration, release: str) -> list[str]:
    """What verl would be started with: our plan for an AgentSDK file, the keys themselves for a native one.

    Raises:
        PlanError: we refuse to start the file.
    """
    if configuration.native:
        pairs = {**NATIVE_REQUIRED, **configuration.stored["set"]}
        return [override(key, value, declared=True) for key, value in pairs.items()]
    return list(plan_of(configuration, release).argv[3:-1])  # between "python -m MODULE" and Hydra's own directory


def plan_of(configuration: Configuration, release: str) -> Plan:
    """Our plan to start an AgentSDK file on NPUs with a release of verl."""
    box = Path("/w")
    request = Request("npu", release, "python", base=box, workdir=box, run_dir=box / "run", inside=box / "inside")
    return make_plan(Document(None, "", values_of(configuration.stored)), load_catalogue(), request)


def base_of(configuration: Configuration) -> str:
    """The packaged configuration it is composed with."""
    return "ppo_megatron_trainer" if configuration.stored.get("engine") == "megatron" else "ppo_trainer"


def judge(release: str, configurations: Iterable[Configuration]) -> tuple[dict[str, Any], dict[str, Verdict]]:
    """What the child says of itself, and its verdicts.

    Raises:
        RuntimeError: the child died, or its short way of composing differs from Hydra's whole one.
    """
    verdicts: dict[str, Verdict] = {}
    wishes: list[dict[str, Any]] = []
    for configuration in configurations:
        if not version_holds(configuration.only, release):
            continue
        try:
            overrides = overrides_of(configuration, release)
        except PlanError as error:
            verdicts[configuration.name] = Verdict("plan", "PlanError", error.code)
            continue
        wish = {"id": configuration.name, "config": base_of(configuration), "base": [], "overrides": overrides}
        wishes.append({**wish, "compare": len(wishes) % _COMPARE_EVERY == 0})
    return ask(release, wishes, verdicts)


def ask(
    release: str, wishes: list[dict[str, Any]], verdicts: dict[str, Verdict]
) -> tuple[dict[str, Any], dict[str, Verdict]]:
    """Put what the child of a release is to judge; its verdicts join those that are known.

    Raises:
        RuntimeError: the child died, or its short way of composing differs from Hydra's whole one.
    """
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}
    child = [sys.executable, str(Path(__file__).with_name("child.py")), str(wheels.tree(release))]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as noise:
        text = "".join(json.dumps(wish) + "\n" for wish in wishes)
        done = subprocess.run(child, input=text, stdout=subprocess.PIPE, stderr=noise, text=True, env=env, check=False)
        noise.seek(0)
        if done.returncode:
            raise RuntimeError(f"the child of verl {release} died ({done.returncode}):\n{noise.read()[-3000:]}")
    about, *answers = (json.loads(line) for line in done.stdout.splitlines())
    for answer in answers:
        if answer.get("same") is False:
            raise RuntimeError(f"verl {release}: {answer['id']} composes otherwise by Hydra's whole way")
        verdicts[answer["id"]] = Verdict(answer["stage"], answer.get("type", ""), answer.get("message", ""))
    if len(answers) != len(wishes):
        raise RuntimeError(f"verl {release} judged {len(answers)} of {len(wishes)}")
    return about, verdicts
