# ruff: noqa: E501, SIM905 - a table
"""AgentSDK's schema row by row: each parameter with values on both sides of its edge (facts/agentsdk.md 1.4, 2)."""

from __future__ import annotations

from files import MINDSPEED, VERL

WHOLE = (  # int > 0
    "max_steps infer_tensor_parallel_size infer_pipeline_parallel_size infer_expert_parallel_size max_num_seqs "
    "max_num_batched_tokens max_model_len max_tokens kl_horizon num_gpus_per_node num_node max_prompt_length rollout_n "
    "actor_rollout_dispatch_size mindspeed_rl.epochs mindspeed_rl.seq_length mindspeed_rl.global_batch_size "
    "mindspeed_rl.save_interval mindspeed_rl.train_iters mindspeed_rl.mini_batch_size mindspeed_rl.micro_batch_size "
    "mindspeed_rl.tensor_model_parallel_size mindspeed_rl.pipeline_model_parallel_size "
    "mindspeed_rl.expert_model_parallel_size verl.total_epochs verl.save_freq verl.ppo_mini_batch_size "
    "verl.ppo_max_token_len_per_gpu verl.ppo_epochs verl.max_response_length verl.train_batch_size verl.val_batch_size "
    "verl.dataloader_num_workers verl.nnodes"
).split()
UNIT = (  # float in [0, 1]
    "min_p clip_ratio gamma lam lr_warmup_fraction weight_decay verl.min_lr_ratio verl.policy_loss_ppo_kl_coef "
    "verl.kl_loss_coef"
).split()
POSITIVE = (  # float > 0
    "temperature kl_coef lr clip_grad verl.num_cycles verl.policy_loss_clip_cov_ratio "
    "verl.policy_loss_kl_cov_ratio verl.grad_clip"
).split()
NOT_NEGATIVE = ["entropy_coeff", "kl_target"]
SWITCHES = [
    "use_stepwise_advantage",
    "use_tensorboard",
    "test_before_train",
    "test_only",
    "enable_prefix_caching",
    "offload_train_optimizer",
    "offload_train_grad",
    "offload_train_param",
    "enable_expert_parallel",
    "trust_remote_code",
    "enforce_eager",
    "use_kl_in_reward",
    "mindspeed_rl.moe_alltoall_overlap_comm",
    "mindspeed_rl.swap_optimizer",
    "mindspeed_rl.moe_tp_extend_ep",
    "mindspeed_rl.gemm_gradient_accumulation_fusion",
    "mindspeed_rl.variable_seq_lengths",
    "mindspeed_rl.reset_position_ids",
    "mindspeed_rl.use_remove_padding",
    "mindspeed_rl.blocking",
    "verl.fsdp_param_offload",
    "verl.fsdp_optimizer_offload",
    "verl.use_kl_loss",
    "verl.entropy_from_logits_with_chunking",
    "verl.balance_batch",
    "verl.val_before_train",
    "verl.val_only",
]
CHOICES = {
    "train_backend": ("mindspeed_rl verl", "megatron"),
    "dtype": ("bfloat16", "float32"),
    "kl_penalty": ("kl abs mse low_var_kl", "k3"),
    "kl_ctrl_type": ("fixed adaptive", "none"),
    "mindspeed_rl.adv_estimator": ("group_norm gae", "grpo"),
    "verl.adv_estimator": ("grpo gae", "rloo"),
    "verl.warmup_style": ("constant cosine", "linear"),
    "verl.policy_loss_mode": ("vanilla gpg", "gspo"),
    "verl.loss_agg_mode": ("token-mean seq-mean-token-sum seq-mean-token-mean", "mean"),
    "verl.kl_loss_type": ("kl abs mse low_var_kl full", "low_bar_kl"),
    "verl.truncation": ("error left right middle", "both"),
}
TEXTS = [
    "verl.project_name",
    "verl.experiment_name",
    "mindspeed_rl.recompute_granularity",
    "mindspeed_rl.recompute_method",
    "mindspeed_rl.shape_order",
]

# key, YAML text of the value, code of the error or ""
VALUES: list[tuple[str, str, str]] = [
    *((key, text, code) for key in WHOLE for text, code in (("0", "out-of-range"), ("-1", "out-of-range"), ("4.0", "wrong-type"), ("'4'", "wrong-type"), ("true", "wrong-type"), ("null", "null-value"), ("8", ""))),
    *((key, text, code) for key in UNIT for text, code in (("-0.1", "out-of-range"), ("1.1", "out-of-range"), ("1", ""), ("0.0", ""), ("'0.5'", "wrong-type"))),
    *((key, text, code) for key in POSITIVE for text, code in (("0", "out-of-range"), ("-1.0", "out-of-range"), ("1", ""), ("1.0e-6", ""), ("1e-6", "wrong-type"), ("true", "wrong-type"))),
    *((key, text, code) for key in NOT_NEGATIVE for text, code in (("-0.1", "out-of-range"), ("0", ""), ("100.0", ""))),
    *((key, text, code) for key in SWITCHES for text, code in (("yes", ""), ("off", ""), ("1", "wrong-type"), ("'true'", "wrong-type"))),
    *((key, word, "") for key, (words, _) in CHOICES.items() for word in words.split()),
    *((key, "20260101", "wrong-type") for key in TEXTS),
    *((key, "full", "") for key in TEXTS),
    ("verl.test_freq", "-1", ""), ("verl.test_freq", "0", "out-of-range"), ("verl.test_freq", "5", ""),
    ("verl.total_training_steps", "null", ""), ("verl.total_training_steps", "0", "out-of-range"),
    ("mindspeed_rl.test_data_path", "null", ""), ("mindspeed_rl.recompute_num_layers", "0", ""),
    ("verl.policy_loss_clip_cov_lb", "0.0", "out-of-range"), ("verl.policy_loss_clip_cov_lb", "5.0", "clip-bounds-order"),
    ("verl.policy_loss_clip_cov_lb", "4.9", ""), ("verl.policy_loss_clip_cov_ub", "1.0", "clip-bounds-order"),
    ("verl.policy_loss_clip_cov_ub", "0", "out-of-range"), ("verl.policy_loss_clip_cov_ub", "1.1", ""),
    ("verl.ckpt_content", "[model, hf_model]", ""), ("verl.ckpt_content", "[]", ""), ("verl.ckpt_content", "[model, model]", "not-unique"),
    ("verl.ckpt_content", "model", "wrong-type"), ("verl.ckpt_content", "[weights]", "not-a-choice"),
    ("dataset_additional_keys", "[a, b]", ""), ("dataset_additional_keys", "problem", "wrong-type"),
    ("dataset_additional_keys", "[1]", "wrong-item-type"), ("dataset_additional_keys", "[]", "dataset-keys-needed"),
    ("min_lr", "-1.0", ""), ("num_gpus_per_node", "010", ""), ("num_gpus_per_node", "0x10", ""), ("max_num_seqs", "1_000", ""),
    # The schema takes 0; vLLM refuses it when it starts.
    ("gpu_memory_utilization", "0", "out-of-range"), ("gpu_memory_utilization", "1.0", ""), ("gpu_memory_utilization", "1.1", "out-of-range"),
    ("top_p", "0", "out-of-range"), ("top_p", "1", ""),
    # Documented for verl, not registered there.
    ("verl.policy_loss_mode", "clip-cov", "value-unregistered"), ("verl.policy_loss_mode", "kl-cov", "value-unregistered"),
    # What only the documents forbid.
    ("rollout_n", "64", ""), ("rollout_n", "128", ""),
]  # fmt: skip

# What the documents call otherwise, and what the schema forbids (extra_forbidden).
NAMES: list[tuple[str, str, str]] = [
    ("mindspeed_rl.seq_len", "8192", "documented-name"),
    ("verl.policy_loss_model", "vanilla", "documented-name"),
    ("verl.kl_loss_coeff", "0.1", "documented-name"),
    ("verl.total_training", "100", "documented-name"),
    ("verl.ulysses_sequence_parallel_size", "2", "unknown-key"),
    ("mindspeed_rl.actor_rollout_dispatch_size", "2", "misplaced-key"),
    ("clip_ratio_low", "0.1", "unknown-key"),
]

# Relations of MindSpeed-RL under AgentSDK (3.3) and of its wrapper (3.4): lines added to the base file, code or "".
RELATIONS: list[tuple[str, str]] = [
    ("mindspeed_rl.tensor_model_parallel_size: 3", "training-parallel-not-divisible"),
    ("mindspeed_rl.tensor_model_parallel_size: 2", ""),
    ("num_gpus_per_node: 6", "training-parallel-not-divisible"),
    ("mindspeed_rl.global_batch_size: 15", "global-batch-not-divisible"),
    ("mindspeed_rl.global_batch_size: 18", ""),
    ("num_node: 2; mindspeed_rl.global_batch_size: 18", "global-batch-not-divisible"),
    ("num_node: 2; mindspeed_rl.global_batch_size: 20", ""),
    ("mindspeed_rl.micro_batch_size: 3", "micro-batch-not-divisible"),
    ("mindspeed_rl.micro_batch_size: 16", ""),
    ("mindspeed_rl.micro_batch_size: 32", "micro-batch-not-divisible"),
    ("actor_rollout_dispatch_size: 3", "dispatch-not-divisible"),
    ("actor_rollout_dispatch_size: 16", ""),
    ("actor_rollout_dispatch_size: 32", "dispatch-not-divisible"),
    ("max_model_len: 8191; max_prompt_length: 1024", "context-below-sequence"),
    ("max_model_len: 8192; max_prompt_length: 1024", ""),
    ("dtype: float16", "dtype-not-supported"),
    ("infer_pipeline_parallel_size: 2", "rollout-pipeline-not-supported"),
    ("infer_tensor_parallel_size: 3", "mindspeed-rollout-parallel"),
    ("infer_tensor_parallel_size: 2", ""),
    ("mindspeed_rl.use_remove_padding: true", "remove-padding-needs"),
    ("mindspeed_rl.use_remove_padding: true; mindspeed_rl.reset_position_ids: true", ""),
    (
        "mindspeed_rl.use_remove_padding: true; mindspeed_rl.reset_position_ids: true; mindspeed_rl.pipeline_model_parallel_size: 2",
        "remove-padding-needs",
    ),
    (
        "mindspeed_rl.use_remove_padding: true; mindspeed_rl.reset_position_ids: true; mindspeed_rl.pipeline_model_parallel_size: 2; mindspeed_rl.variable_seq_lengths: true",
        "",
    ),
    ("kl_penalty: full", "mindspeed-word"),
    (
        "model_name: qwen3-30b-a3b; mindspeed_rl.expert_model_parallel_size: 4; mindspeed_rl.moe_tp_extend_ep: true; infer_expert_parallel_size: 4",
        "",
    ),
    (
        "model_name: qwen3-30b-a3b; mindspeed_rl.expert_model_parallel_size: 4; infer_expert_parallel_size: 4",
        "mindspeed-experts-extended",
    ),
    ("mindspeed_rl.expert_model_parallel_size: 2", "mindspeed-no-experts"),
    ("mindspeed_rl.tensor_model_parallel_size: 8; infer_tensor_parallel_size: 8", "mindspeed-heads"),
    ("model_name: qwen3-8b; mindspeed_rl.tensor_model_parallel_size: 8; infer_tensor_parallel_size: 8", ""),
    ("max_model_len: 16384; max_prompt_length: 16384", "wrapper-response-length"),
    ("max_model_len: 16384; max_prompt_length: 16383", ""),
    ("max_model_len: 67585; max_prompt_length: 2048", "wrapper-response-length"),
    ("max_model_len: 67584; max_prompt_length: 2048", ""),
    ("max_model_len: 140000; max_prompt_length: 131073", "wrapper-prompt-length"),
    ("max_model_len: 140000; max_prompt_length: 131072", ""),
    ("max_steps: 101", "wrapper-steps"),
    ("max_steps: 100", ""),
    ("dataset_additional_keys: null", "dataset-keys-needed"),
]

# One file of each generation.
A = """\
tokenizer_name_or_path: /t
data_path: /d/prefix
load_params_path: /l
save_params_path: /s
train_iters: 1
agent_name: math
agent_engine_wrapper_path: /w.py
"""
B = MINDSPEED.replace("dataset_additional_keys: [problem]\n", "") + "  actor_rollout_dispatch_size: 2\n"
BPLUS = "test_before_train: false\n" + B
D = "agentic_ai: {mode: direct}\ntrain_instances:\n  - executor_kwargs: {cluster_mode: hybrid}\nverl_conf: {}\n"
E = "agentic_ai: {mode: direct}\ntrain_instances:\n  - executor_kwargs: {work_mode: hybrid}\nverl_conf: {}\n"

RECOGNISED = [
    (A, "A"), (B, "B"), (BPLUS, "B+"), (MINDSPEED, "C"), (VERL, "C"), (D, "D"), (E, "E"),
    ("direct_conf: {entrypoints: [{job_type: verl_train}]}\n", "E"),
    ("direct_conf: {entrypoints: [{job_type: train}]}\n", "D"),
    ("verl_conf: {x: aura.trainer.Manager}\n", "E"), ("verl_conf: {x: agentic_rl.trainer.Manager}\n", "D"),
    ("train_instances: [{cluster_mode: train, work_mode: one_step_off}]\n", "D"),
]  # fmt: skip
VERSIONS: list[tuple[str, str | None]] = [
    ("7.2", "A"), ("7.3.0", "A"), ("7.3.1", "B"), ("25.0", "B"), ("26.0.0rc1", "B+"), ("26.0.0", "C"), ("26.0.1", "C"),
    ("26.1.0", "E"), ("26.2", "E"), ("b+", "B+"), ("D", "D"), ("e", "E"), ("main", None), ("", None), ("x", None),
]  # fmt: skip
# text, --backend-version, codes of the errors
JUDGED: list[tuple[str, str, list[str]]] = [
    (A, "", []), (A, "7.3.0", []),
    (A + "anything: 1\n", "A", []),  # 7.3.0 ignored what it did not know
    (A.replace("math", "4ever"), "A", ["bad-pattern"]), (MINDSPEED.replace("math", "größe"), "C", []),
    (A.replace("train_iters: 1", "train_iters: 0"), "A", ["out-of-range"]),
    (A, "26.0.0", ["dataset-keys-needed", "required-missing", "required-missing", *["misplaced-key"] * 4]),
    (B, "B", []), (B, "", ["dataset-keys-needed", "misplaced-key"]), (B, "26.0.0", ["dataset-keys-needed", "misplaced-key"]),
    (BPLUS, "B", ["unknown-key"]), (BPLUS, "B+", []), (BPLUS, "26.0.0rc1", []),
    ("max_steps: 5\n" + B, "B+", ["unknown-key"]), ("num_node: 1\n" + B, "B", ["unknown-key"]),
    ("actor_rollout_dispatch_size: 2\n" + MINDSPEED, "B", ["misplaced-key"]),
    ("actor_rollout_dispatch_size: 2\n" + MINDSPEED, "26.0.0", []),
    (MINDSPEED + "  recompute_num_layers: 2\n", "B", ["unknown-key"]), (MINDSPEED + "  recompute_num_layers: 2\n", "C", []),
    (MINDSPEED.replace("qwen2.5-7b", "qwen3-32b"), "B", ["not-a-choice"]), (MINDSPEED.replace("qwen2.5-7b", "qwen3-32b"), "C", []),
    (MINDSPEED.replace("qwen2.5-7b", "qwen3-8b"), "B", []), (MINDSPEED.replace("qwen2.5-7b", "llama"), "C", ["not-a-choice"]),
    (VERL.replace("qwen2.5-7b", "llama"), "C", []), (VERL, "B", []), (VERL, "main", []),
    (MINDSPEED, "26.1.0", ["generation-flat"]), (VERL, "D", ["generation-flat"]),
    (D, "", []), (D, "D", []), (D, "E", []), (D, "26.0.0", ["generation-hydra"]), (D, "A", ["generation-hydra"]),
    (E, "", []), (E, "26.2.0", []), (E, "C", ["generation-hydra"]),
]  # fmt: skip
