"""AscendFactory files whose back end is MindSpeed-RL: the same rules, below ``backend_config``."""

from __future__ import annotations

import pytest
from files import check, only

from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.document import apply_edits, parse_document

TREE = """\
megatron_training:
  model: qwen25_7b
  global_batch_size: 64
  seq_length: 4096
  micro_batch_size: 1
  tensor_model_parallel_size: 4
rl_config:
  actor_resource: {num_npus: 8}
  n_samples_per_prompt: 8
generate_config: {max_model_len: 4096}
"""


def factory(tree: str) -> str:
    return "af_output_dir: /out\nbackend_config:\n" + "".join(f"  {line}\n" for line in tree.splitlines())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("seq_length", "seq_lenth"),
        ("micro_batch_size: 1", "micro_batch_size: '1'"),
        ("tensor_model_parallel_size: 4", "tensor_model_parallel_size: 3"),
        ("num_npus: 8", "num_npus: 2"),
        ("rl_config", "rl_conf"),
    ],
    ids=["right", "name", "type", "tp", "devices", "section"],
)
def test_the_same_problems_two_lines_below(old: str, new: str) -> None:
    tree = TREE.replace(old, new) if old else TREE
    alone = {(p.level, p.code, f"backend_config.{p.key}", p.line + 2) for p in check(tree)}
    inside = {(p.level, p.code, p.key, p.line) for p in check(factory(tree))}
    assert inside == alone
    assert bool(alone) == bool(old)


def test_names_and_repairs_are_those_of_the_file() -> None:
    text = factory(TREE.replace("seq_length", "seq_lenth"))
    problem = only(check(text), "mindspeed-unknown-key")
    assert apply_edits(text, problem.edits) == factory(TREE)
    text = factory(TREE.replace("num_npus: 8", "num_npus: 2"))
    for problem in check(text):
        assert all(key.startswith("backend_config.") for key in (problem.key, *problem.related))
        assert problem_text(problem, "en").message


def test_what_stands_beside_the_tree() -> None:
    assert only(check(factory(TREE).replace("af_output_dir: /out\n", "")), "native-output-missing").level == "warning"
    assert only(check(factory(TREE) + "rl_config: {}\n"), "native-key-outside").level == "warning"


def test_another_starter() -> None:
    from agentic_rl_wizard.runner.check import check_document

    problems = check_document(parse_document(factory(TREE)), None, "verl")
    assert [p.code for p in problems if p.level == "error"] == ["shape-not-for-target"]
