"""One row -> one trajectory, in every form that a back end writes."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from dumps import PROMPT, SPOKEN, bridge_row, verl_row

from agentic_rl_wizard.runner.stream.rollout_row import rollout_of
from agentic_rl_wizard.runner.stream.rollout_turns import pieces_of, turns_of


def told(rollout):
    return [(turn.role, turn.text.strip(), turn.model) for turn in rollout.turns]


def test_a_dump_of_verl_is_split_where_the_template_left_its_roles():
    rollout = rollout_of(verl_row(acc=True, pred="7", format_reward=0.25))
    assert [(role, model) for role, _, model in told(rollout)] == [
        ("system", False), ("user", False), ("assistant", True), ("tool", False), ("assistant", True),
    ]  # fmt: skip
    assert (rollout.steps, rollout.tool_calls, rollout.reward, rollout.solved) == (2, 1, 1.0, True)
    assert dict(rollout.parts) == {"acc": 1.0, "format_reward": 0.25}
    assert (rollout.ground_truth, rollout.info["pred"]) == ("7", "7")


@pytest.mark.parametrize("row", [verl_row(gts=None), verl_row(), verl_row(uid="ab-1_3_0"), verl_row(request_id="r")],
                         ids=["0.4", "0.6", "0.9", "request"])  # fmt: skip
def test_every_version_of_verl_is_read(row):
    rollout = rollout_of(row)
    assert (rollout.step, rollout.reward, len(rollout.turns)) == (3, 1.0, 5)


def test_trajectories_of_one_prompt_share_a_group():
    first, second = (rollout_of(verl_row(uid=f"ab-1_{n}_0")) for n in (0, 1))
    other = rollout_of(verl_row(uid="cd-2_0_0"))
    assert first.group == second.group != other.group
    assert rollout_of(verl_row()).group == rollout_of(verl_row(output="x")).group


@pytest.mark.parametrize("form", ["own", "in verl's row"])
def test_the_bridge_tells_turns_times_and_parts(form):
    row = bridge_row()
    if form != "own":
        metrics = {f"traj_{key}": value for key, value in row["metrics"].items()}
        row = {**verl_row(score=1.5), **metrics, "traj_messages": json.dumps(row["messages"])}
    rollout = rollout_of(row)
    assert [role for role, _, _ in told(rollout)] == ["user", "assistant", "tool", "assistant"]
    assert (rollout.steps, rollout.tool_calls, rollout.reward) == (2, 1, 1.5)
    times = rollout.times
    assert (times.model, times.tool, times.reward, times.total) == (3.0, 1.0, 0.1, 4.2)
    assert dict(rollout.parts) == {"res_reward": 1.0, "toolcall_reward": 0.5}


def test_messages_of_several_kinds_become_text():
    row = bridge_row(messages=[
        {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "what is it?"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "content": {"seen": "cat"}}, "noise", None,
    ])  # fmt: skip
    rollout = rollout_of(row)
    assert told(rollout)[0][1] == "[image]\nwhat is it?"
    assert "look" in rollout.turns[1].text
    assert rollout.tool_calls == 1
    assert json.loads(rollout.turns[2].text) == {"seen": "cat"}


@pytest.mark.parametrize(
    ("prompt", "response", "roles"),
    [
        ("<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n", "a<|im_end|>\n<|im_start|>user\nb<|im_end|>\n",
         ["user", "assistant", "user"]),
        ("<|start_header_id|>user<|end_header_id|>\n\nhi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
         "a<|eot_id|>", ["user", "assistant"]),
        ("<｜User｜>hi<｜Assistant｜>", "a", ["user", "assistant"]),
        ("What is 2+3?", "5", ["", "assistant"]),
        ("user\nWrite\nassistant\nand stop\nassistant\n", "ok", ["user", "assistant"]),
        ("user\nhi\nassistant\n", "the word\nuser\nis a role", ["user", "assistant"]),
        ("", "", []),
        ("What?", "Let me.<tool_call>{}</tool_call>\n<tool_response>5</tool_response>\nFive.",
         ["", "assistant", "tool", "assistant"]),
    ],
    ids=["chatml", "llama", "deepseek", "plain", "word-in-prompt", "word-in-answer", "empty", "tags"],
)  # fmt: skip
def test_templates(prompt, response, roles):
    assert [turn.role for turn in turns_of(prompt, response)] == roles


@given(st.text(alphabet="usertoolaistn\n<>|_/", max_size=200), st.text(alphabet="usertoolaistn\n<>|_/", max_size=200))
@settings(max_examples=150, deadline=None)
def test_no_text_is_lost_and_nothing_raises(prompt, response):
    turns = turns_of(PROMPT + prompt, response)
    shown = "".join(turn.text for turn in turns)
    for word in {w for w in response.split() if w not in {"user", "assistant", "tool"}}:
        assert word in shown


def test_parts_of_a_turn():
    pieces = pieces_of(f"<think>\nhm\n</think>\n\n{SPOKEN.split(chr(10) + 'user')[0]}\n<answer>7")
    assert [kind for kind, _ in pieces] == ["think", "text", "tool_call", "answer"]


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from([*verl_row(), *bridge_row(), "traj_messages", "traj_steps", "acc", "other"])


@given(st.dictionaries(KEYS, JSON, max_size=10))
@settings(max_examples=200, deadline=None)
def test_values_of_odd_types_are_left_out_not_refused(row):
    rollout = rollout_of(row, step=9)
    assert isinstance(rollout.step, int)
    assert rollout.reward is None or isinstance(rollout.reward, float)
    assert all(isinstance(value, float) for value in rollout.parts.values())


def test_a_reward_that_is_no_number_stays_visible():
    rollout = rollout_of(json.loads('{"input": "a", "output": "b", "score": NaN, "step": Infinity}'), step=4)
    assert math.isnan(rollout.reward)
    assert rollout.solved is None
    assert rollout.step == 4


def test_what_the_bridge_dropped_says_which_rule_was_broken():
    problem = {"rule": "mask-length", "task": "7", "message": "4 masks for 5 tokens", "detail": ""}
    rollout = rollout_of({"time": 1.5, "step": 2, "uid": "u", "session": 0, "validate": None, "task": "7",
                          "problem": problem})  # fmt: skip
    assert (rollout.problem, rollout.solved, rollout.validation) == ("mask-length: 4 masks for 5 tokens", False, False)
    assert dict(rollout.parts) == {}


def test_counts_of_the_bridge_are_no_parts_of_the_reward():
    rollout = rollout_of(bridge_row(time=1.5, turns=4, task="7", prompt_tokens=9, response_tokens=8, trained_tokens=5))
    assert set(rollout.parts) == {"res_reward", "toolcall_reward"}
    assert rollout.info["trained_tokens"] == "5"
