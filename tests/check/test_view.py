"""One view of every shape of file: verl's keys, their values, and where each came from."""

from agentic_rl_wizard.runner.check.view_verl import verl_view
from agentic_rl_wizard.runner.check.world import World
from agentic_rl_wizard.runner.document import parse_document

N, TP, DYNAMIC = (
    "actor_rollout_ref.rollout.n",
    "actor_rollout_ref.rollout.tensor_model_parallel_size",
    "actor_rollout_ref.actor.use_dynamic_bsz",
)


def view(text: str, target: str, version: str = ""):
    return verl_view(parse_document(text), World(verl_version=version), target)


def test_an_agentsdk_file_shows_its_parameters_under_the_keys_of_verl():
    seen = view("train_backend: verl\nrollout_n: 4\nverl:\n  policy_loss_mode: clip-cov\n", "agentsdk")
    assert seen.version == "0.5.0"
    assert seen.value(N) == 4 and seen.given(N) and seen.file_key(N) == "rollout_n"
    assert seen.value("actor_rollout_ref.actor.policy_loss.loss_mode") == "clip_cov"


def test_constants_of_the_launcher_are_in_force_and_not_given():
    seen = view("train_backend: verl\n", "agentsdk")
    assert seen.value(DYNAMIC) is True and not seen.given(DYNAMIC)


def test_an_absent_key_counts_with_the_default_of_the_version():
    assert view("trainer: {nnodes: 1}\n", "verl", "0.8.0").value("actor_rollout_ref.rollout.max_num_seqs") == 1024
    assert view("trainer: {nnodes: 1}\n", "verl").value("actor_rollout_ref.rollout.max_num_seqs") == 256
    assert not view("trainer: {nnodes: 1}\n", "verl", "0.5.0").declared("actor_rollout_ref.rollout.nnodes")


def test_flat_keys_and_trees_are_one():
    seen = view(f"{N}: 3\nactor_rollout_ref:\n  actor: {{use_dynamic_bsz: true}}\n", "verl")
    assert (seen.value(N), seen.value(DYNAMIC), seen.file_key(N)) == (3, True, N)


def test_an_ascendfactory_file_keeps_its_prefix_in_the_names():
    seen = view(f"af_output_dir: /o\nbackend_config:\n  {N}: 3\n", "ascendfactory")
    assert seen.value(N) == 3 and seen.file_key(N) == f"backend_config.{N}"
    assert seen.file_key(TP) == f"backend_config.{TP}"


def test_interpolations_are_followed():
    micro = "actor_rollout_ref.rollout.log_prob_use_dynamic_bsz"
    assert view("trainer: {nnodes: 1}\n", "verl").value(micro) is False
    assert view("actor_rollout_ref.actor.use_dynamic_bsz: true\n", "verl").value(micro) is True
    assert (
        view("data:\n  train_batch_size: ${trainer.nnodes}\ntrainer: {nnodes: 7}\n", "verl").number(
            "data.train_batch_size"
        )
        == 7
    )
    assert view("trainer: {nnodes: '${trainer.nnodes}'}\n", "verl").number("trainer.nnodes") is None


def test_a_problem_stands_at_the_first_key_of_the_file():
    seen = view("actor_rollout_ref:\n  rollout:\n    n: 3\n", "verl")
    problem = seen.problem("error", "x", (TP, N), edits=((N, 4), (TP, 1)))
    assert (problem.key, problem.line, problem.column) == (N, 3, 8)
    assert problem.related == (TP,) and [(e.key, e.value) for e in problem.edits] == [(N, 4)]
    assert problem.params["first"] == TP
