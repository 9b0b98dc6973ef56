"""The checkpoint that verl would resume from."""

from agentic_rl_wizard.runner.facts.checkpoints import look_at_checkpoints


def lay(directory, step, world, tracker=None):
    actor = directory / f"global_step_{step}" / "actor"
    actor.mkdir(parents=True)
    for rank in range(world):
        (actor / f"model_world_size_{world}_rank_{rank}.pt").write_bytes(b"")
    (directory / "latest_checkpointed_iteration.txt").write_text(str(step) if tracker is None else tracker)


def test_nothing_there(tmp_path):
    facts = look_at_checkpoints(tmp_path / "absent")
    assert (facts.step, facts.steps, facts.world_size) == (0, (), None)


def test_step_and_world_size(tmp_path):
    lay(tmp_path, 5, 1)
    lay(tmp_path, 20, 8)
    facts = look_at_checkpoints(tmp_path)
    assert (facts.step, facts.steps, facts.world_size, facts.complete) == (20, (5, 20), 8, True)


def test_folder_without_tracker_is_not_resumed(tmp_path):
    (tmp_path / "global_step_3" / "actor").mkdir(parents=True)
    facts = look_at_checkpoints(tmp_path)
    assert (facts.step, facts.steps) == (0, (3,))


def test_tracker_without_its_folder_or_with_garbage(tmp_path):
    (tmp_path / "latest_checkpointed_iteration.txt").write_text("7")
    assert look_at_checkpoints(tmp_path).complete is False
    (tmp_path / "latest_checkpointed_iteration.txt").write_text("seven")
    assert look_at_checkpoints(tmp_path).tracker_problem == "seven"
