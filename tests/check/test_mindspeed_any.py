"""No file of MindSpeed-RL's shape, however odd, makes a check raise; every problem has its sentences and a place."""

from __future__ import annotations

import contextlib
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mindspeed_rows import BASE

from agentic_rl_wizard.runner.catalogue import problem_text
from agentic_rl_wizard.runner.check import World, check_document
from agentic_rl_wizard.runner.document import EditError, apply_edits, parse_document
from agentic_rl_wizard.runner.facts.machine import Machine
from agentic_rl_wizard.runner.native import mindspeed_keys

SECTIONS = {"megatron": "actor_config.", "rl": "rl_config.", "generate": "generate_config."}
KEYS = sorted({SECTIONS[t] + name for t, name in mindspeed_keys("master") if t in SECTIONS} | set(BASE))
odd = (
    st.none() | st.booleans() | st.integers(-3, 40) | st.just(10**30) | st.floats() | st.text(max_size=5)
    | st.lists(st.integers() | st.text(max_size=2), max_size=3)
    | st.sampled_from(["${a.b}", "${.x}", "${oc.env:X}", "²,3", "1e400"])
    | st.dictionaries(st.text(max_size=3) | st.integers(), st.integers(), max_size=2)
)  # fmt: skip
versions = st.sampled_from(["", "2.0.0", "2.1", "2.2.0", "2.3.0", "main", "nonsense"])
machines = st.sampled_from([None, Machine("npu", 8, 8, cpus=64, nodes=2), Machine("cpu", 0), Machine(None, None)])


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(KEYS), odd, max_size=8), versions, machines, st.booleans())
def test_any_values(values: dict[str, Any], version: str, machine: Machine | None, nested: bool) -> None:
    tree: dict[str, Any] = dict(BASE) | values
    if nested:
        tree = {}
        for key, value in (BASE | values).items():
            section, _, name = key.partition(".")
            tree.setdefault(section, {})[name] = value
    text = yaml.safe_dump(tree, allow_unicode=True)
    document = parse_document(text)
    for problem in check_document(document, World(backend_version=version, machine=machine)):
        assert 0 <= problem.line <= text.count("\n") + 1
        for lang in ("en", "zh"):
            assert problem_text(problem, lang).message
        with contextlib.suppress(EditError):  # refused is not wrong
            apply_edits(text, problem.edits)


def test_endless_files_and_numbers_take_no_time() -> None:
    # Each would take a minute if every unknown key were compared with all known ones.
    keys = "".join(f"  mini_batch_siz{i:x}: 1\n" for i in range(20_000))
    sections = "".join(f"rl_configs{i:x}: 1\n" for i in range(20_000))
    digits = f"  kl_horizon: {'9' * 4000}\n  clip_ratio_low: {'9' * 4000}\n  clip_higher_enable: true\n"
    for text in (f"rl_config:\n{keys}", f"rl_config: {{}}\n{sections}", f"rl_config:\n{digits}"):
        assert check_document(parse_document(text))
