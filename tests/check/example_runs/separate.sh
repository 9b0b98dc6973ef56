# Generation and training apart
# versions: 0.9.1
set -x
DATA=$HOME/data/set

python3 -m verl.trainer.main_ppo \
    data.train_files=$DATA/train.parquet \
    data.val_files=$DATA/test.parquet \
    actor_rollout_ref.model.path=$MODELS/Qwen2.5-7B-Instruct \
    algorithm.adv_estimator=grpo \
    data.train_batch_size=128 \
    actor_rollout_ref.actor.ppo_mini_batch_size=32 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    trainer.v1.trainer_mode=separate_async \
    trainer.v1.separate_async.parameter_sync_step=4 \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.nnodes=1 \
    actor_rollout_ref.rollout.n_gpus_per_node=8 \
    actor_rollout_ref.rollout.checkpoint_engine.backend=hccl \
    actor_rollout_ref.rollout.n=8 \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=1 $@
