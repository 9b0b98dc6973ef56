"""Small configurations for the tests of checks, and a short form of problems."""

from __future__ import annotations

from agentic_rl_wizard.runner.catalogue import Problem
from agentic_rl_wizard.runner.check import World, check_document
from agentic_rl_wizard.runner.document import parse_document

VERL = """\
tokenizer_name_or_path: /m/model
model_name: qwen2.5-7b
agent_name: math
agent_engine_wrapper_path: /m/wrapper.py
train_backend: verl
num_gpus_per_node: 4
rollout_n: 2
verl:
  train_files: /d/train.parquet
  val_files: /d/test.parquet
"""

MINDSPEED = """\
tokenizer_name_or_path: /m/model
model_name: qwen2.5-7b
agent_name: math
agent_engine_wrapper_path: /m/wrapper.py
train_backend: mindspeed_rl
dataset_additional_keys: [problem]
mindspeed_rl:
  data_path: /d/train.jsonl
  load_params_path: /m/in
  save_params_path: /m/out
"""

LOCAL = """\
# agentic-rl: target=local
tokenizer_name_or_path: /m/model
train_backend: verl
verl:
  train_files: /d/train.parquet
  val_files: /d/test.parquet
"""


def check(text: str, world: World | None = None, target: str | None = None) -> list[Problem]:
    return check_document(parse_document(text), world, target)


def short(problems: list[Problem]) -> list[tuple[str, str, str, int]]:
    return [(p.level, p.code, p.key, p.line) for p in problems]


def codes(text: str, world: World | None = None, target: str | None = None) -> list[str]:
    return [p.code for p in check(text, world, target)]


def only(problems: list[Problem], code: str) -> Problem:
    (found,) = [p for p in problems if p.code == code]
    return found
