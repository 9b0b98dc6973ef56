# ruff: noqa: E501 - a table
"""Values of the configurations that MindSpeed-RL ships (2.3.0 and master): what differs from the base file."""

from __future__ import annotations

from typing import Any

from mindspeed_rows import GBS, NPUS, RL, A, G, T

A3 = {"devices": 16, "present": 16, "cpus": 320}
A2 = {"devices": 8, "present": 8, "cpus": 192}
SAMPLING = "generate_config.sampling_config.max_tokens"

# Values as MindSpeed-RL ships them (2.3.0 and master), in our own words: what differs from BASE; machines; versions.
SHIPPED: list[tuple[str, dict[str, Any], dict[str, int], int, tuple[str, ...]]] = [
    ("grpo-qwen25-7b-A3", {}, A3, 1, ("2.3.0", "master")),
    (
        "grpo-qwen25-32b-A2",
        {
            T + "model": "qwen25_32b", GBS: 64, T + "seq_length": 1024, T + "no_pad_to_seq_lengths": True,
            T + "reset_attention_mask": True, A + "micro_batch_size": 2, A + "tensor_model_parallel_size": 4,
            A + "pipeline_model_parallel_size": 4, RL + "use_remove_padding": True, RL + "reward_dispatch_size": 64,
            RL + "adv_dispatch_size": 32, RL + "actor_update_dispatch_size": 1024, RL + "mini_batch_size": 64,
            RL + "n_samples_per_prompt": 16, G + "infer_tensor_parallel_size": 2, G + "max_model_len": 2048,
        },
        A2, 2, ("2.3.0", "master"),
    ),
    (
        "grpo-qwen3-235b-A2",
        {
            T + "model": "qwen3_235b_a22b", GBS: 256, T + "seq_length": 8192, T + "no_pad_to_seq_lengths": True,
            T + "reset_attention_mask": True, A + "moe_tp_extend_ep": True, A + "micro_batch_size": 1,
            A + "expert_model_parallel_size": 4, A + "pipeline_model_parallel_size": 16, A + "noop_layers": "5,95",
            RL + "use_remove_padding": True, RL + "mini_batch_size": 256, RL + "max_prompt_length": 8192, NPUS: 128,
            G + "enable_expert_parallel": True, G + "infer_tensor_parallel_size": 4, G + "infer_expert_parallel_size": 8,
            G + "max_model_len": 16384, G + "max_num_batched_tokens": 16384, SAMPLING: 8192,
        },
        A2, 16, ("2.3.0", "master"),
    ),
    (
        "grpo-deepseek-671b-A3",
        {
            T + "model": "deepseekv3_671b", GBS: 512, T + "seq_length": 1024, T + "no_pad_to_seq_lengths": True,
            T + "reset_attention_mask": True, A + "micro_batch_size": 1, A + "tensor_model_parallel_size": 4,
            A + "pipeline_model_parallel_size": 8, A + "expert_model_parallel_size": 8, A + "moe_tp_extend_ep": True,
            A + "num_layer_list": "7,7,8,8,8,8,8,7", RL + "use_remove_padding": True, RL + "mini_batch_size": 512,
            RL + "max_prompt_length": 1024, RL + "n_samples_per_prompt": 16, NPUS: 256, G + "enable_expert_parallel": True,
            G + "infer_tensor_parallel_size": 4, G + "infer_expert_parallel_size": 64, G + "max_model_len": 3072,
            G + "max_num_batched_tokens": 1024,
        },
        A3, 16, ("2.3.0", "master"),
    ),
    (
        "dapo-qwen3-30b-A3",
        {
            T + "model": "qwen3_30b_a3b", T + "stage": "ray_dapo", A + "micro_batch_size": 1, A + "moe_tp_extend_ep": True,
            A + "tensor_model_parallel_size": 4, A + "pipeline_model_parallel_size": 1, A + "expert_model_parallel_size": 2,
            RL + "verifier_function": ["acc_for_dapo"], RL + "verifier_weight": [1.0], RL + "clip_higher_enable": True,
            RL + "clip_ratio_low": 0.2, RL + "clip_ratio_high": 0.28, RL + "overlong_buffer_enable": True,
            RL + "rollout_max_tokens": 2048, RL + "overlong_buffer": 512, RL + "filter_groups_enable": True,
            RL + "filter_groups_metric": "acc_for_dapo", RL + "filter_groups_max_batches": -1,
            RL + "filter_groups_train_batch_size": 32, G + "enable_expert_parallel": True,
            G + "infer_expert_parallel_size": 8,
        },
        A3, 1, ("2.2.0", "2.3.0", "master"),
    ),
    (
        "dapo-qwen25-32b-32k-A3",
        {
            T + "model": "qwen25_32b", T + "stage": "ray_dapo", GBS: 256, T + "no_pad_to_seq_lengths": True,
            T + "reset_attention_mask": True, A + "micro_batch_size": 1, A + "tensor_model_parallel_size": 8,
            A + "context_parallel_size": 2, A + "context_parallel_algo": "megatron_cp_algo", NPUS: 64,
            RL + "use_remove_padding": True, RL + "use_dynamic_bsz": True, RL + "n_samples_per_prompt": 16,
            RL + "overlong_buffer_enable": True, RL + "overlong_buffer": 4096, RL + "rollout_max_tokens": 30720,
            G + "infer_tensor_parallel_size": 4, G + "max_model_len": 32768, G + "max_num_batched_tokens": 32768,
            SAMPLING: 30720,
        },
        A3, 4, ("2.3.0", "master"),
    ),
    (
        "ppo-qwen25-32b-A3",
        {
            T + "model": "qwen25_32b", T + "stage": "ray_ppo", GBS: 128, A + "micro_batch_size": 1,
            A + "tensor_model_parallel_size": 8, A + "pipeline_model_parallel_size": 1, NPUS: 32,
            "critic_config.tensor_model_parallel_size": 8, "critic_config.micro_batch_size": 1,
            RL + "critic_resource.num_npus": 32, RL + "adv_estimator": "gae", RL + "kl_penalty": "kl",
            RL + "mini_batch_size": 128, G + "infer_tensor_parallel_size": 8,
        },
        A3, 2, ("2.2.0", "2.3.0", "master"),
    ),
    (
        "grpo-lora-qwen25-32b-A2",
        {
            T + "model": "qwen25_32b", T + "reset_attention_mask": True, T + "no_pad_to_seq_lengths": True,
            T + "lora_r": 128, T + "lora_target_modules": ["linear_qkv", "linear_proj"], A + "micro_batch_size": 1,
            A + "tensor_model_parallel_size": 4, A + "pipeline_model_parallel_size": 4, A + "num_layer_list": "16,16,16,16",
            RL + "use_remove_padding": True, RL + "share_backbone": True, RL + "reward_dispatch_size": 256,
            RL + "adv_dispatch_size": 256, RL + "actor_update_dispatch_size": 256, G + "infer_tensor_parallel_size": 4,
        },
        A2, 2, ("master",),
    ),
    (
        "dapo-multi-turn-A2",
        {
            T + "stage": "ray_dapo", A + "micro_batch_size": 1, A + "tensor_model_parallel_size": 4, NPUS: 8,
            A + "pipeline_model_parallel_size": 1, RL + "guarantee_order": True, RL + "multi_turn_enable": True,
            RL + "async_engine": True, RL + "max_total_response_length": 2048, RL + "max_prompt_length": 2048,
            RL + "verifier_function": ["retool_reward"], RL + "filter_groups_metric": "acc_for_dapo",
            RL + "filter_groups_max_batches": -1,
        },
        A2, 1, ("master",),
    ),
]  # fmt: skip
