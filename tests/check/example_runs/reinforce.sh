# REINFORCE++ with a reward function of one's own
# versions: 0.4.1 0.5.0 0.6.1 0.7.1 0.8.0 0.9.1
set -x
DATA=$HOME/data/set

python3 -m verl.trainer.main_ppo \
    data.train_files=$DATA/train.parquet \
    data.val_files=$DATA/test.parquet \
    actor_rollout_ref.model.path=$MODELS/Qwen2.5-7B-Instruct \
    algorithm.adv_estimator=reinforce_plus_plus \
    data.train_batch_size=1024 \
    actor_rollout_ref.actor.ppo_mini_batch_size=1024 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16 \
    actor_rollout_ref.actor.use_kl_loss=True \
    actor_rollout_ref.actor.kl_loss_type=mse \
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=16 \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.n=8 \
    actor_rollout_ref.rollout.max_num_batched_tokens=18432 \
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=16 \
    custom_reward_function.path=$HERE/reward.py \
    trainer.logger=console \
    trainer.n_gpus_per_node=16 \
    trainer.nnodes=1 $@
