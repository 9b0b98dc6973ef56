"""Launch scripts are read without running them."""

import pytest

from agentic_rl_wizard.runner.native.script import looks_like_script, read_script

SCRIPT = r"""#!/bin/bash
# trains the thing
set -xeuo pipefail
export VLLM_USE_V1=1 RUN_NAME="night shift"
N=${N:-4}                       # a default
tp=2; LEN=$((1024 * (N - 2)))
gpus=$(nvidia-smi -L | wc -l)
cat > notes.txt <<EOF
trainer.nnodes=99
EOF
if [ "$MODE" = long ]; then
    LEN=65536
    EXTRA_LEN=7
fi
DATA=(
    # where it lies
    data.train_files=$HOME/a\ b.parquet
    "data.val_files=['x.parquet','y.parquet']"
)
DATA+=(data.max_prompt_length=${LEN})
MORE=()
PYTHONUNBUFFERED=1 nohup python3 -m verl.trainer.main_ppo --config-name=ppo_trainer \
    "${DATA[@]}" "${MORE[@]}" \
    actor_rollout_ref.rollout.n="$N" \
    actor_rollout_ref.rollout.tensor_model_parallel_size=${tp} \
    +actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space=4 \
    trainer.logger='["console","tensorboard"]' \
    trainer.project_name="${RUN_NAME}" \
    trainer.default_local_dir=${CKPT}/x \
    trainer.n_gpus_per_node=$gpus $@ 2>&1 | tee train.log
"""


@pytest.fixture
def script():
    return read_script(SCRIPT, {"HOME": "/home/u"})


def test_overrides_come_in_order_with_their_values(script):
    assert script.module == "verl.trainer.main_ppo"
    assert [(o.mark + o.key, o.value) for o in script.overrides] == [
        ("data.train_files", "/home/u/a b.parquet"),
        ("data.val_files", ["x.parquet", "y.parquet"]),
        ("data.max_prompt_length", 2048),
        ("actor_rollout_ref.rollout.n", 4),
        ("actor_rollout_ref.rollout.tensor_model_parallel_size", 2),
        ("+actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space", 4),
        ("trainer.logger", ["console", "tensorboard"]),
        ("trainer.project_name", "night shift"),
        ("trainer.default_local_dir", "${oc.env:CKPT}/x"),
        ("trainer.n_gpus_per_node", "$(nvidia-smi -L | wc -l)"),
    ]


def test_what_was_not_followed_is_named(script):
    assert script.unknown == ["CKPT"]
    assert script.commands == ["nvidia-smi -L | wc -l"]
    assert script.branches == {"LEN": 12, "EXTRA_LEN": 13}
    assert script.options == ["--config-name=ppo_trainer"]
    assert script.environment == {"VLLM_USE_V1": "1", "RUN_NAME": "night shift"}


def test_the_line_of_the_launch_is_told(script):
    assert SCRIPT.splitlines()[script.line - 1].startswith("PYTHONUNBUFFERED=1 nohup")


def test_a_bare_list_of_overrides_is_a_script():
    text = "trainer.nnodes=2 trainer.n_gpus_per_node=8\n# more\n+x.y='a b' \\\ndata.shuffle=false\n"
    assert looks_like_script(text)
    assert {o.key: o.value for o in read_script(text).overrides} == {
        "trainer.nnodes": 2, "trainer.n_gpus_per_node": 8, "x.y": "a b", "data.shuffle": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["trainer:\n  nnodes: 2\n", "lr: 1\n", "", "# only a comment\n", "a: b=c\n", "trainer.nnodes: 2\n"],
    ids=["tree", "first-level", "empty", "comment", "equals", "flat"],
)
def test_yaml_is_no_script(text):
    assert not looks_like_script(text)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("$((7/2))", 3), ("$((-7/2))", -3), ("$((2+3*4))", 14), ("$((9%4))", 1), ("${X:+set}", ""),
        ("${A:-${B:-b}}", "b"), ("'$A'", "$A"), ('"a"b\'c\'', "abc"), ("${P##*/}", "m"), ("${P%%/*}", "o"),
        ("$((1/0))", "${oc.env:((1/0))}"),
    ],
    ids=["divide", "negative", "precedence", "modulo", "if-set", "nested-default", "single", "joined", "base", "head",
         "by-zero"],
)  # fmt: skip
def test_expansions(word, value):
    script = read_script(f"P=o/n/m\npython -m verl.trainer.main_ppo trainer.x={word}\n")
    assert script.overrides[0].value == value


@pytest.mark.parametrize(
    "text",
    [
        "python -m verl.trainer.main_ppo 'a.b=1",
        "A=(x",
        "${",
        "$((",
        'python -m m a.b="${X:-"',
        "\\",
        "<<EOF\nx",
        "((((" * 500,
    ],
    ids=["quote", "array", "brace", "sum", "nested", "backslash", "heredoc", "deep"],
)
def test_broken_scripts_end_without_an_accident(text):
    assert read_script(text).module in ("", "verl.trainer.main_ppo", "m")
