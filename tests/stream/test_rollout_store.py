"""Dumps on disk: followed while they grow, whatever stands in them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from dumps import bridge_row, verl_row, write

from agentic_rl_wizard.runner.stream import rollout_index
from agentic_rl_wizard.runner.stream.rollout_summary import only_entries, sort_entries, summary_of
from agentic_rl_wizard.runner.stream.rollout_types import StepInfo
from agentic_rl_wizard.runner.stream.rollouts import Place, RolloutStore


def store_of(*folders: Path) -> RolloutStore:
    store = RolloutStore([[Place(folder)] for folder in folders])
    store.look()
    return store


def at(store: RolloutStore, step: int, validation: bool = False):
    return store.entries(StepInfo(step, validation))


def test_steps_come_from_names_in_the_order_of_numbers(tmp_path):
    for step in (10, 9, 1):
        write(tmp_path / f"{step}.jsonl", verl_row(step))
    write(tmp_path / "validation" / "10.jsonl", verl_row(10))
    assert store_of(tmp_path).steps() == [StepInfo(1), StepInfo(9), StepInfo(10), StepInfo(10, True)]


def test_a_folder_with_dumps_that_comes_later_is_found(tmp_path):
    store = store_of(tmp_path / "rollouts")
    assert store.steps() == []
    write(tmp_path / "rollouts" / "1.jsonl", verl_row(1))
    store.look()
    assert len(at(store, 1)) == 1


def test_what_is_appended_is_seen_once_it_is_whole(tmp_path):
    path = write(tmp_path / "1.jsonl", verl_row(1))
    store = store_of(tmp_path)
    assert len(at(store, 1)) == 1
    second = json.dumps(verl_row(1, score=0.0)).encode()
    with path.open("ab") as stream:
        stream.write(second[:-10])
        stream.flush()
        assert len(at(store, 1)) == 1
        stream.write(second[-10:])
        stream.flush()
        assert [one.reward for one in at(store, 1)] == [1.0, 0.0]
        stream.write(b"\n" + second + b"\n")
    assert [one.reward for one in at(store, 1)] == [1.0, 0.0, 0.0]
    assert store.read(at(store, 1)[2]).reward == 0.0


def test_a_dump_that_is_written_anew_replaces_the_old_one(tmp_path):
    path = write(tmp_path / "1.jsonl", *[verl_row(1)] * 3)
    store = store_of(tmp_path)
    assert len(at(store, 1)) == 3
    write(path, verl_row(1, input="other"))
    assert [one.asked for one in at(store, 1)] == ["other"]


@pytest.mark.parametrize(
    "line",
    ["{broken", "[1, 2]", '"text"', "null", "{" * 100_000, '{"a": ' * 5000, "\x00\xff\x1b[31m", '{"input": "cut off'],
    ids=["broken", "list", "text", "null", "deep", "nested", "binary", "cut"],
)
def test_a_line_that_is_no_trajectory_keeps_its_place_and_the_rest_is_read(line, tmp_path):
    write(tmp_path / "1.jsonl", verl_row(1), line, verl_row(1))
    entries = at(store_of(tmp_path), 1)
    assert [one.broken for one in entries] == [False, True, False]
    assert store_of(tmp_path).steps() == [StepInfo(1)]
    summary = summary_of(entries)
    assert (summary.count, summary.broken) == (2, 1)


def test_binary_bytes_are_no_trouble(tmp_path):
    (tmp_path / "1.jsonl").write_bytes(bytes(range(256)) * 50 + b"\n" + json.dumps(verl_row(1)).encode() + b"\n")
    entries = at(store_of(tmp_path), 1)
    assert [one.broken for one in entries][-1] is False
    assert all(one.broken for one in entries[:-1])


def test_a_huge_line_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr(rollout_index, "LONGEST", 1 << 20)
    huge = verl_row(1, output="x" * (3 << 20))
    write(tmp_path / "1.jsonl", verl_row(1), huge, verl_row(1, score=0.0))
    store = store_of(tmp_path)
    assert [(one.broken, one.reward) for one in at(store, 1)] == [(False, 1.0), (True, None), (False, 0.0)]
    assert store.raw(at(store, 1)[1], 10) == json.dumps(huge)[:10].encode()


def test_empty_lines_and_a_last_line_without_end(tmp_path):
    write(tmp_path / "1.jsonl", "", verl_row(1), "", verl_row(1), end="")
    assert len(at(store_of(tmp_path), 1)) == 2


def test_the_bridges_files_hold_many_steps_and_say_what_is_validation(tmp_path):
    write(tmp_path / "trajectories-0.jsonl", bridge_row(1), bridge_row(2), bridge_row(2, validate=True))
    write(tmp_path / "trajectories-1.jsonl", bridge_row(2, uid="u2"))
    store = store_of(tmp_path)
    assert store.steps() == [StepInfo(1), StepInfo(2), StepInfo(2, True)]
    assert [one.group for one in at(store, 2)] == [1, 2]
    assert len(at(store, 2, validation=True)) == 1


def test_the_bridge_is_believed_where_both_wrote(tmp_path):
    write(tmp_path / "2.jsonl", verl_row(2), verl_row(2))
    write(tmp_path / "trajectories-0.jsonl", bridge_row(2))
    entries = at(store_of(tmp_path), 2)
    assert [(one.reward, one.times.total) for one in entries] == [(1.5, 4.2)]


def test_mixed_versions_in_one_file(tmp_path):
    write(tmp_path / "1.jsonl", verl_row(1, gts=None), verl_row(1, uid="a_0_0"), {"nothing": "known"}, bridge_row(1))
    entries = at(store_of(tmp_path), 1)
    assert [one.reward for one in entries] == [1.0, 1.0, None, 1.5]
    assert [one.broken for one in entries] == [False, False, True, False]
    # A file that tells no step in its name, and holds no trajectory, is something else.
    write(tmp_path / "devices.jsonl", {"time": 1, "cpu": {}}, "{broken")
    store = store_of(tmp_path)
    assert store.steps() == [StepInfo(1)]
    write(tmp_path / "trajectories-0.jsonl", bridge_row(2), "{broken", bridge_row(2))
    store.look()
    assert [one.broken for one in at(store, 2)] == [False, True, False]


def test_a_later_attempt_wins_from_its_first_step_on(tmp_path):
    for step in (1, 2, 3, 4):
        write(tmp_path / "old" / f"{step}.jsonl", verl_row(step, score=0.0))
    write(tmp_path / "new" / "3.jsonl", verl_row(3, score=1.0))
    store = store_of(tmp_path / "old", tmp_path / "new")
    assert [info.step for info in store.steps()] == [1, 2, 3]
    assert [one.reward for one in at(store, 3)] == [1.0]


def test_order_and_choice(tmp_path):
    rewards = [0.2, None, 1.0, float("nan"), -1.0]
    rows = [verl_row(1, score=0) | {"score": reward} for reward in rewards]
    write(tmp_path / "1.jsonl", *rows, "{broken")
    entries = at(store_of(tmp_path), 1)

    def places(chosen):
        return [one.index for one in chosen]

    assert places(sort_entries(entries, "reward")) == [2, 0, 4, 1, 3, 5]
    assert places(sort_entries(entries, "worst")) == [4, 0, 2, 1, 3, 5]
    assert places(only_entries(entries, "failed")) == [0, 4, 5]
    assert places(only_entries(entries, "solved")) == [2]
    summary = summary_of(entries)
    assert (summary.low, summary.high, round(summary.mean, 3)) == (-1.0, 1.0, 0.067)


def test_summary_tells_groups_turns_and_the_share_of_tools(tmp_path):
    rows = [bridge_row(1, uid=uid, reward=reward) for uid, reward in (("a", 1), ("a", 1), ("b", 0), ("c", 0), ("c", 1))]
    write(tmp_path / "trajectories-0.jsonl", *rows)
    summary = summary_of(at(store_of(tmp_path), 1))
    assert (summary.groups, summary.all_solved, summary.none_solved) == (3, 1, 1)
    assert (summary.turns, summary.most_turns, summary.tool_calls) == (2.0, 2, 1.0)
    assert (summary.model_time, summary.tool_time, summary.tool_share) == (3.0, 1.0, 0.25)


def test_totals_of_every_step_in_bounded_memory(tmp_path):
    rows = [bridge_row(step, uid=uid, reward=reward) for step in range(1, 41) for uid, reward in
            (("a", 1), ("a", 1), ("b", 0), ("b", 0), ("c", 0), ("c", 1))]  # fmt: skip
    write(tmp_path / "trajectories-0.jsonl", *rows)
    store = store_of(tmp_path)
    assert sorted(store.totals()) == list(range(1, 41))
    count, data = store.totals()[2]
    assert count == 6
    assert data["rollouts/turns/mean"] == data["rollouts/turns/max"] == 2.0
    assert (data["rollouts/tool_time/mean"], data["rollouts/toolcall_reward/mean"]) == (1.0, 0.5)
    names = ("solve_all", "solve_partial", "solve_none")
    assert [data[f"rollouts/{name}"] for name in names] == [1.0, 1.0, 1.0]
    assert len(store._files[0]._entries) < 10
    first = at(store, 1)  # it was put away, and is read again
    assert [(one.step, one.index, one.group) for one in first] == [
        (1, 0, 1),
        (1, 1, 1),
        (1, 2, 2),
        (1, 3, 2),
        (1, 4, 3),
        (1, 5, 3),
    ]
    for step in range(1, 41):
        assert len(at(store, step)) == 6


def test_totals_of_verls_dumps_only_where_they_tell_more(tmp_path):
    write(tmp_path / "1.jsonl", verl_row(1))
    write(tmp_path / "2.jsonl", verl_row(2, traj_steps=3, traj_env_time=2.0, traj_llm_time=4.0))
    store = store_of(tmp_path)
    store.look_closer()
    assert list(store.totals()) == [2]
    assert store.totals()[2][1]["rollouts/tool_time/mean"] == 2.0
    assert [one.steps for one in at(store, 2)] == [3]


def test_reading_can_be_stopped_and_goes_on_later(tmp_path):
    write(tmp_path / "1.jsonl", *[verl_row(1)] * 10)
    store = store_of(tmp_path)
    assert len(store.entries(StepInfo(1), stopped=lambda: True)) <= 1
    assert len(store.entries(StepInfo(1))) == 10


def test_links_to_folders_are_not_followed(tmp_path):
    write(tmp_path / "elsewhere" / "7.jsonl", verl_row(7))
    (tmp_path / "rollouts").mkdir()
    (tmp_path / "rollouts" / "loop").symlink_to(tmp_path)
    assert store_of(tmp_path / "rollouts").steps() == []
