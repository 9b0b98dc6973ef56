"""Every parameter that AgentSDK's schema knows is in the catalogue, documented or not."""

from __future__ import annotations

import pytest

from agentic_rl_wizard.runner.catalogue import load_catalogue

# The schema's names by section, read from AgentSDK's sources (generations B and C together).
NAMES = {
    "": """
    tokenizer_name_or_path model_name agent_name agent_engine_wrapper_path train_backend use_stepwise_advantage
    max_steps use_tensorboard test_before_train test_only infer_tensor_parallel_size infer_pipeline_parallel_size
    infer_expert_parallel_size max_num_seqs max_num_batched_tokens max_model_len gpu_memory_utilization max_tokens
    enable_prefix_caching num_scheduler_steps offload_train_optimizer offload_train_grad offload_train_param
    enable_expert_parallel trust_remote_code dtype top_k top_p min_p temperature enforce_eager use_kl_in_reward
    clip_ratio entropy_coeff kl_penalty kl_coef gamma lam kl_horizon kl_target kl_ctrl_type lr min_lr
    lr_warmup_fraction clip_grad weight_decay num_gpus_per_node num_node max_prompt_length rollout_n
    actor_rollout_dispatch_size dataset_additional_keys
    """,
    "mindspeed_rl": """
    data_path test_data_path load_params_path save_params_path epochs seq_length global_batch_size save_interval
    train_iters mini_batch_size micro_batch_size tensor_model_parallel_size pipeline_model_parallel_size
    adv_estimator actor_rollout_dispatch_size expert_model_parallel_size recompute_num_layers
    recompute_granularity recompute_method shape_order moe_alltoall_overlap_comm swap_optimizer moe_tp_extend_ep
    gemm_gradient_accumulation_fusion variable_seq_lengths reset_position_ids use_remove_padding blocking
    """,
    "verl": """
    train_files val_files total_epochs total_training_steps save_freq ppo_mini_batch_size
    ppo_max_token_len_per_gpu ppo_epochs project_name experiment_name max_response_length train_batch_size
    val_batch_size dataloader_num_workers nnodes adv_estimator warmup_style min_lr_ratio num_cycles ckpt_content
    policy_loss_mode policy_loss_clip_cov_ratio policy_loss_clip_cov_lb policy_loss_clip_cov_ub
    policy_loss_kl_cov_ratio policy_loss_ppo_kl_coef fsdp_param_offload fsdp_optimizer_offload loss_agg_mode
    use_kl_loss kl_loss_coef kl_loss_type grad_clip entropy_from_logits_with_chunking balance_batch
    val_before_train val_only test_freq truncation
    """,
}
# 26.0.0 moved it to the first level.
MOVED = {"mindspeed_rl.actor_rollout_dispatch_size": "actor_rollout_dispatch_size"}


def keys() -> list[str]:
    return [f"{section}.{name}" if section else name for section, names in NAMES.items() for name in names.split()]


@pytest.mark.parametrize("key", keys())
def test_name_is_in_the_catalogue(key: str) -> None:
    catalogue = load_catalogue()
    if key in MOVED:
        assert catalogue.parameters[MOVED[key]].name_in("B") == key
    else:
        assert key in catalogue.parameters


def test_the_catalogue_holds_nothing_else() -> None:
    assert len(keys()) == 119
    assert {MOVED.get(key, key) for key in keys()} == set(load_catalogue().parameters)
