# Tools over several turns
# versions: 0.5.0 0.6.1 0.7.1 0.8.0 0.9.1
set -x
DATA=$HOME/data/set

python3 -m verl.trainer.main_ppo \
    data.train_files=$DATA/train.parquet \
    data.val_files=$DATA/test.parquet \
    actor_rollout_ref.model.path=$MODELS/Qwen2.5-7B-Instruct \
    algorithm.adv_estimator=grpo \
    data.train_batch_size=256 \
    data.max_prompt_length=1024 \
    data.max_response_length=1024 \
    data.return_raw_chat=True \
    actor_rollout_ref.actor.ppo_mini_batch_size=256 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=32 \
    actor_rollout_ref.actor.use_kl_loss=True \
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=32 \
    actor_rollout_ref.rollout.tensor_model_parallel_size=2 \
    actor_rollout_ref.rollout.name=sglang \
    actor_rollout_ref.rollout.mode=async \
    actor_rollout_ref.rollout.n=16 \
    actor_rollout_ref.rollout.multi_turn.enable=True \
    actor_rollout_ref.rollout.multi_turn.tool_config_path=$HERE/tools.yaml \
    actor_rollout_ref.rollout.multi_turn.max_assistant_turns=5 \
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=32 \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=1 $@
