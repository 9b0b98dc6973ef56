# Long sequences, dynamic batches, two machines
# versions: 0.4.1 0.5.0 0.6.1 0.7.1 0.8.0 0.9.1
set -x
DATA=$HOME/data/set

python3 -m verl.trainer.main_ppo \
    data.train_files=$DATA/train.parquet \
    data.val_files=$DATA/test.parquet \
    actor_rollout_ref.model.path=$MODELS/Qwen2.5-7B-Instruct \
    algorithm.adv_estimator=grpo \
    data.train_batch_size=512 \
    data.max_prompt_length=4096 \
    data.max_response_length=4096 \
    actor_rollout_ref.model.use_remove_padding=True \
    actor_rollout_ref.actor.ppo_mini_batch_size=128 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=24000 \
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=2 \
    actor_rollout_ref.actor.use_kl_loss=True \
    actor_rollout_ref.rollout.tensor_model_parallel_size=2 \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=24000 \
    actor_rollout_ref.rollout.n=8 \
    actor_rollout_ref.ref.log_prob_max_token_len_per_gpu=24000 \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=2 $@
