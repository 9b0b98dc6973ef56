# ruff: noqa: E501 - a table
"""One row for each relation of MindSpeed-RL: what breaks it, what keeps it just right, the versions that judge it."""

from __future__ import annotations

from typing import Any

T, A, RL, G, S = (
    "megatron_training.", "actor_config.", "rl_config.", "generate_config.", "generate_config.sampling_config."
)  # fmt: skip
NPUS = RL + "actor_resource.num_npus"
BASE: dict[str, Any] = {
    T + "model": "qwen25_7b", T + "stage": "ray_grpo", T + "global_batch_size": 32, T + "seq_length": 2048,
    A + "micro_batch_size": 4, A + "tensor_model_parallel_size": 2, A + "pipeline_model_parallel_size": 2,
    RL + "n_samples_per_prompt": 8, RL + "mini_batch_size": 32, NPUS: 16,
    G + "infer_tensor_parallel_size": 1, G + "max_model_len": 4096, G + "max_num_batched_tokens": 8192,
    S + "max_tokens": 2048,
}  # fmt: skip
TP, PP, MICRO = A + "tensor_model_parallel_size", A + "pipeline_model_parallel_size", A + "micro_batch_size"
GBS, N, ITP = T + "global_batch_size", RL + "n_samples_per_prompt", G + "infer_tensor_parallel_size"
APART = {RL + "use_integrated_worker": False, "ref_config.micro_batch_size": 4, "reward_config.micro_batch_size": 4}
REFERENCE = APART | {RL + "reference_resource.num_npus": 8, "ref_config.tensor_model_parallel_size": 2}
REWARD = REFERENCE | {RL + "reward_resource.num_npus": 8}
PPO = {T + "stage": "ray_ppo", RL + "critic_resource.num_npus": 8, "critic_config.tensor_model_parallel_size": 2}
FILTER = {
    RL + "filter_groups_enable": True, RL + "filter_groups_metric": "base_acc", RL + "filter_groups_train_batch_size": 32,
}  # fmt: skip
OVERLONG = {RL + "overlong_buffer_enable": True, RL + "overlong_buffer": 512, RL + "rollout_max_tokens": 2048}
REMOVE = {RL + "use_remove_padding": True}
POSITIONS = {T + "reset_position_ids": True}
MASK = {T + "reset_attention_mask": True}
RING = {A + "context_parallel_size": 2, A + "context_parallel_algo": "megatron_cp_algo"}
TURNS = {RL + "multi_turn_enable": True, RL + "async_engine": True, RL + "max_total_response_length": 2048}
MOE = {
    T + "model": "qwen3_30b_a3b", A + "expert_model_parallel_size": 2, A + "moe_tp_extend_ep": True,
    G + "infer_expert_parallel_size": 8,
}  # fmt: skip

ALL, V21, V22, V23, MASTER = (
    ("2.0.0", "2.1.0", "2.2.0", "2.3.0", "master"),
    ("2.1.0", "2.2.0", "2.3.0", "master"), ("2.2.0", "2.3.0", "master"), ("2.3.0", "master"), ("master",),
)  # fmt: skip

# M row, code, what breaks it, what keeps it just right, versions that judge it
Row = tuple[str, str, dict[str, Any], dict[str, Any], tuple[str, ...]]
ROWS: list[Row] = [
    ("M1", "mindspeed-framework", {A + "ai_framework": "jax"}, {A + "ai_framework": "mindspore"}, V21),
    ("M2", "dtype-not-supported", {G + "dtype": "float16"}, {G + "dtype": "bfloat16"}, V21),
    ("M2b", "mindspeed-bf16", {T + "bf16": False}, {T + "bf16": True}, V21),
    ("M3a", "mindspeed-integrated", {RL + "reference_resource.num_npus": 8}, {RL + "reference_resource": None}, ALL),
    ("M3b", "mindspeed-integrated", {RL + "reward_resource.num_npus": 8}, {RL + "reward_resource": None}, ALL),
    ("M3c", "mindspeed-integrated", {"ref_config.lr": 0.1}, {}, ALL),
    ("M3d", "mindspeed-integrated", {"reward_config.lr": 0.1}, {}, ALL),
    (
        "M3e", "mindspeed-integrated", REFERENCE | {RL + "integrated_mode_config.ref_model_load_path": "/m"},
        REFERENCE | {RL + "integrated_mode_config": None}, ALL,
    ),
    ("M4", "context-below-sequence", {G + "max_model_len": 2047}, {G + "max_model_len": 2048}, ALL),
    ("M5", "mindspeed-context-algorithm", RING | {A + "context_parallel_algo": "x"}, RING | {A + "context_parallel_algo": None}, V21),
    ("M5-2.1", "mindspeed-context-algorithm", RING, RING | {A + "context_parallel_algo": "ulysses_cp_algo"}, ("2.1.0",)),
    ("M5-one", "mindspeed-context-algorithm", RING | {A + "context_parallel_algo": "x"}, {A + "context_parallel_algo": "x"}, V21),
    ("M6-2.2", "remove-padding-needs", REMOVE | RING | POSITIONS | {T + "variable_seq_lengths": True}, REMOVE | RING | POSITIONS | MASK | {T + "variable_seq_lengths": True}, ("2.2.0",)),
    ("M6-mask", "mindspeed-mask-unused", MASK, {T + "reset_attention_mask": False}, ("2.2.0",)),
    ("M6-type", "mindspeed-mask-type", {A + "cp_attention_mask_type": "general"}, {A + "cp_attention_mask_type": "causal"}, ("2.2.0",)),
    ("M7-old", "remove-padding-needs", REMOVE | {PP: 1}, REMOVE | POSITIONS | {PP: 1}, ("2.1.0", "2.2.0")),
    ("M7-old-pp", "remove-padding-needs", REMOVE | POSITIONS, REMOVE | POSITIONS | {T + "variable_seq_lengths": True}, ("2.1.0", "2.2.0")),
    ("M7-new", "remove-padding-needs", REMOVE | {PP: 1}, REMOVE | MASK | {PP: 1}, V23),
    ("M7-new-pp", "remove-padding-needs", REMOVE | MASK, REMOVE | MASK | {T + "no_pad_to_seq_lengths": True}, V23),
    ("M7-mm", "mindspeed-padding-multimodal", REMOVE | {RL + "is_multimodal": True}, {RL + "is_multimodal": True}, V21),
    ("M8", "training-parallel-not-divisible", {NPUS: 14}, {NPUS: 12, GBS: 24}, ALL),
    ("M8-cp", "training-parallel-not-divisible", {NPUS: 12, GBS: 24, A + "context_parallel_size": 2}, {NPUS: 16, A + "context_parallel_size": 2}, ALL),
    ("M8-ref", "training-parallel-not-divisible", REFERENCE | {"ref_config.tensor_model_parallel_size": 3}, REFERENCE, ALL),
    ("M8-reward", "training-parallel-not-divisible", REWARD | {"reward_config.tensor_model_parallel_size": 3}, REWARD, ALL),
    ("M9", "micro-batch-not-divisible", {MICRO: 3}, {MICRO: 8}, ALL),
    ("M9-ref", "micro-batch-not-divisible", REFERENCE | {"ref_config.micro_batch_size": 3}, REFERENCE, ALL),
    ("M10", "global-batch-not-divisible", {GBS: 30}, {GBS: 48}, ALL),
    ("M10-micro", "micro-batch-not-divisible", {N: 1, MICRO: 16}, {N: 1, MICRO: 8}, ALL),
    ("M11", "global-batch-not-divisible", {GBS: 24}, {GBS: 24, ITP: 2}, ALL),
    ("M11-dispatch", "dispatch-not-divisible", {RL + "actor_rollout_dispatch_size": 3}, {RL + "actor_rollout_dispatch_size": 16}, ALL),
    ("M12", "rollout-pipeline-not-supported", {G + "infer_pipeline_parallel_size": 2}, {G + "infer_pipeline_parallel_size": 1}, ALL),
    ("M13-batch", "global-batch-not-divisible", FILTER | {RL + "filter_groups_train_batch_size": 30}, FILTER, V22),
    ("M13-micro", "micro-batch-not-divisible", FILTER | {N: 1, MICRO: 8, RL + "filter_groups_train_batch_size": 16}, FILTER | {N: 1, MICRO: 8}, V22),
    ("M13-dispatch", "mindspeed-dynamic-sampling", FILTER | {RL + "dynamic_sampling_dispatch_size": 4}, FILTER | {RL + "dynamic_sampling_dispatch_size": 16}, V22),
    ("M13-metric", "mindspeed-filter-metric", FILTER | {RL + "filter_groups_metric": "acc"}, {RL + "filter_groups_metric": "acc"}, V22),
    ("M15-logp", "mindspeed-dispatch-samples", {RL + "actor_logprob_dispatch_size": 48}, {RL + "actor_logprob_dispatch_size": 64}, ALL),
    ("M15-ref", "mindspeed-dispatch-samples", {RL + "ref_dispatch_size": 48}, {RL + "ref_dispatch_size": 64}, ALL),
    ("M15-reward", "mindspeed-dispatch-samples", {RL + "reward_dispatch_size": 48}, {RL + "reward_dispatch_size": 256}, ALL),
    ("M15-adv", "mindspeed-dispatch-samples", {RL + "adv_dispatch_size": 48}, {RL + "adv_dispatch_size": 256}, ALL),
    ("M15-update", "mindspeed-dispatch-samples", {RL + "actor_update_dispatch_size": 96}, {RL + "actor_update_dispatch_size": 64}, V22),
    ("M15-critic", "mindspeed-dispatch-samples", PPO | {RL + "critic_value_dispatch_size": 48}, PPO | {RL + "critic_value_dispatch_size": 64}, V22),
    ("M15-cap", "mindspeed-dispatch-cap", {RL + "actor_logprob_dispatch_size": 128}, {RL + "actor_logprob_dispatch_size": 64}, V23),
    ("M15-cap-kl", "mindspeed-dispatch-cap", PPO | {RL + "kl_dispatch_size": 512}, PPO | {RL + "kl_dispatch_size": 256}, V23),
    ("M15-cap-filter", "mindspeed-dispatch-cap", FILTER | {RL + "filter_groups_train_batch_size": 64}, FILTER, V23),
    ("M16", "mindspeed-update-dispatch", {RL + "actor_update_dispatch_size": 32}, {RL + "actor_update_dispatch_size": 64}, V22),
    ("M17", "mindspeed-share-backbone", {RL + "share_backbone": True}, {RL + "share_backbone": True, T + "lora_target_modules": ["linear_qkv"]}, MASTER),
    ("M17-dapo", "mindspeed-share-backbone", {RL + "share_backbone": True, T + "lora_target_modules": ["linear_qkv"], T + "stage": "ray_dapo"}, {T + "stage": "ray_dapo"}, MASTER),
    ("M18", "mindspeed-verifiers", {RL + "verifier_weight": [0.5, 0.5]}, {RL + "verifier_function": ["a", "b"], RL + "verifier_weight": [0.5, 0.5]}, ALL),
    ("M19", "mindspeed-overlong-buffer", OVERLONG | {RL + "overlong_buffer": 2048}, OVERLONG | {RL + "overlong_buffer": 2047}, V22),
    ("M19-tokens", "mindspeed-overlong-tokens", OVERLONG | {RL + "rollout_max_tokens": 4096}, OVERLONG, V22),
    ("M20", "mindspeed-clip-order", {RL + "clip_higher_enable": True, RL + "clip_ratio_low": 0.3, RL + "clip_ratio_high": 0.2}, {RL + "clip_higher_enable": True, RL + "clip_ratio_low": 0.2, RL + "clip_ratio_high": 0.2}, V22),
    ("M21", "mindspeed-partial-order", {RL + "partial_rollout_max_split": 2, RL + "guarantee_order": True}, {RL + "partial_rollout_max_split": 1, RL + "guarantee_order": True}, V22),
    ("M22", "mindspeed-turns-length", TURNS | {RL + "max_total_response_length": 2047}, TURNS, MASTER),
    ("M22-engine", "mindspeed-turns-engine", TURNS | {RL + "async_engine": False}, TURNS, MASTER),
    ("M23-cards", "mindspeed-rollout-parallel", {ITP: 3}, {ITP: 2}, ALL),
    ("M23-gather", "mindspeed-reshard-gather", {NPUS: 18, GBS: 36, TP: 9, PP: 1, ITP: 6}, {NPUS: 18, GBS: 36, TP: 9, PP: 1, ITP: 3}, ALL),
    ("M23-split", "mindspeed-reshard-split", {PP: 4, ITP: 8, TP: 2}, {PP: 2, ITP: 4, TP: 2}, ALL),
    ("M23-experts", "mindspeed-reshard-experts", MOE | {G + "infer_expert_parallel_size": 1}, MOE, V21),
    ("M23-extend", "mindspeed-experts-extended", MOE | {A + "moe_tp_extend_ep": False}, MOE, ALL),
    ("M23-layers", "mindspeed-layers", {T + "model": "qwen3_235b_a22b", PP: 4, ITP: 2}, {T + "model": "qwen3_235b_a22b", PP: 4, ITP: 2, A + "num_layer_list": "23,23,24,24"}, ALL),
    ("heads", "mindspeed-heads", {NPUS: 32, TP: 8, PP: 1}, {TP: 4, PP: 1}, ALL),
    ("heads-infer", "mindspeed-heads", {ITP: 8}, {ITP: 4}, ALL),
    ("experts", "mindspeed-heads", MOE | {A + "expert_model_parallel_size": 3}, MOE, ALL),
    ("dense", "mindspeed-no-experts", {A + "expert_model_parallel_size": 2}, {A + "expert_model_parallel_size": 1}, ALL),
    ("words", "mindspeed-word", {RL + "kl_ctrl_type": "adaptiv"}, {RL + "kl_ctrl_type": "adaptive"}, ALL),
    ("words-kl", "mindspeed-word", {RL + "kl_penalty": "full"}, {RL + "kl_penalty": "full", T + "stage": "ray_dapo"}, ALL),
    ("words-adv", "mindspeed-word", {RL + "adv_estimator": "grpo"}, {RL + "adv_estimator": "gae"}, ALL),
    ("horizon", "mindspeed-horizon", {RL + "kl_ctrl_type": "adaptive", RL + "kl_horizon": 0}, {RL + "kl_horizon": 0}, ALL),
    ("memory", "mindspeed-value-range", {G + "gpu_memory_utilization": 0}, {G + "gpu_memory_utilization": 1.0}, ALL),
    ("top-p", "mindspeed-value-range", {S + "top_p": 0.0}, {S + "top_p": 1}, ALL),
    ("top-k", "mindspeed-value-range", {S + "top_k": -2}, {S + "top_k": -1}, ALL),
]  # fmt: skip
