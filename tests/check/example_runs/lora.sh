# LoRA
# versions: 0.4.1 0.5.0 0.6.1 0.7.1 0.8.0 0.9.1
set -x
DATA=$HOME/data/set

python3 -m verl.trainer.main_ppo \
    data.train_files=$DATA/train.parquet \
    data.val_files=$DATA/test.parquet \
    actor_rollout_ref.model.path=$MODELS/Qwen2.5-7B-Instruct \
    algorithm.adv_estimator=grpo \
    data.train_batch_size=64 \
    data.shuffle=False \
    actor_rollout_ref.model.lora_rank=64 \
    actor_rollout_ref.model.lora_alpha=32 \
    actor_rollout_ref.model.target_modules=all-linear \
    actor_rollout_ref.model.use_shm=True \
    actor_rollout_ref.actor.optim.lr=3e-5 \
    actor_rollout_ref.actor.ppo_mini_batch_size=64 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \
    actor_rollout_ref.actor.use_kl_loss=True \
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4 \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.n=5 \
    actor_rollout_ref.rollout.load_format=safetensors \
    actor_rollout_ref.rollout.layered_summon=True \
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=4 \
    trainer.n_gpus_per_node=2 \
    trainer.nnodes=1 $@
