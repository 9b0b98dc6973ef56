"""AgentSDK files that are judged: parameters of the first level and of ``verl:``, each kept or moved to an edge.

All values are of the right type; a file with a wrong one never becomes overrides.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

# What every file needs; not stored with the configurations.
REQUIRED: dict[str, Any] = {
    "tokenizer_name_or_path": "/m/model",
    "model_name": "qwen2.5-7b",
    "agent_name": "math",
    "agent_engine_wrapper_path": "",
    "train_backend": "verl",
}
REQUIRED_VERL: dict[str, Any] = {"train_files": "/d/train.parquet", "val_files": "/d/val.parquet"}

_NAMES = (
    "demo",
    "a b",
    "it's",
    "x=1,y",
    "${data.train_files}",
    "组一",
    "{a:1}",
    "[1]",
    "null",
    "-3",
    'q"q',
    "tab\tx",
    "\\",
)

_FIRST: dict[str, tuple[Any, ...]] = {
    "num_gpus_per_node": (1, 2, 4, 8, 16),
    "rollout_n": (1, 2, 3, 5, 8, 64),
    "infer_tensor_parallel_size": (1, 2, 3, 4, 8),
    "temperature": (1.0e-3, 0.6, 1.0, 2.0),
    "top_k": (-1, 0, 20),
    "top_p": (0.1, 0.95, 1.0),
    "max_prompt_length": (1, 2048, 131072),
    "max_model_len": (4095, 4096, 16384),
    "max_num_batched_tokens": (2048, 8192, 16384),
    "max_num_seqs": (1, 1024),
    "gpu_memory_utilization": (0.1, 0.85, 1.0),
    "dtype": ("bfloat16", "float16"),
    "enforce_eager": (True, False),
    "enable_prefix_caching": (True, False),
    "use_kl_in_reward": (True, False),
    "kl_penalty": ("kl", "abs", "mse", "low_var_kl", "full"),
    "kl_ctrl_type": ("fixed", "adaptive"),
    "kl_horizon": (1, 10000),
    "kl_coef": (1.0e-5, 0.05),
    "kl_target": (0.1, 1),
    "clip_ratio": (0, 0.0, 0.2, 1),
    "entropy_coeff": (0, 0.001),
    "gamma": (0, 0.99, 1),
    "lam": (0, 0.95, 1),
    "lr": (1.0e-12, 5.0e-6, 1, 0.1),
    "lr_warmup_fraction": (0, 0.1, 1),
    "weight_decay": (0, 0.01, 1),
    "use_tensorboard": (True, False),
    "max_steps": (1, 5, 100),
}
_VERL: dict[str, tuple[Any, ...]] = {
    "train_batch_size": (1, 2, 3, 7, 8, 9, 15, 16, 17, 64, 1024),
    "ppo_mini_batch_size": (1, 3, 8, 16, 17, 256),
    "nnodes": (1, 2, 3),
    "ppo_max_token_len_per_gpu": (1, 4095, 4096, 24000),
    "max_response_length": (1, 2048, 8192),
    "ppo_epochs": (1, 4),
    "adv_estimator": ("grpo", "grpo", "gae"),
    "warmup_style": ("constant", "cosine"),
    "min_lr_ratio": (0, 0.0, 0.5, 1),
    "num_cycles": (0.5, 1),
    "policy_loss_mode": ("vanilla", "clip-cov", "kl-cov", "gpg"),
    "policy_loss_clip_cov_lb": (0.5, 1),
    "policy_loss_clip_cov_ub": (5.0, 6),
    "policy_loss_ppo_kl_coef": (0, 0.1, 1),
    "loss_agg_mode": ("token-mean", "seq-mean-token-sum", "seq-mean-token-mean"),
    "use_kl_loss": (True, False),
    "kl_loss_type": ("kl", "abs", "mse", "low_var_kl", "full"),
    "kl_loss_coef": (0, 0.001, 1),
    "grad_clip": (1, 0.5),
    "ckpt_content": (["model"], ["model", "optimizer", "extra"], ["hf_model"]),
    "fsdp_param_offload": (True, False),
    "fsdp_optimizer_offload": (True, False),
    "entropy_from_logits_with_chunking": (True, False),
    "balance_batch": (True, False),
    "val_before_train": (True, False),
    "val_only": (True, False),
    "test_freq": (-1, 1, 5),
    "val_batch_size": (1, 512),
    "truncation": ("error", "left", "right", "middle"),
    "total_epochs": (1, 30),
    "total_training_steps": (1, 100),
    "save_freq": (1, 1000),
    "dataloader_num_workers": (1, 8),
    "project_name": _NAMES,
    "experiment_name": _NAMES,
}
# The keys that the validation reads are set in most files, the others in some.
_READ = ("num_gpus_per_node", "rollout_n"), ("train_batch_size", "ppo_mini_batch_size", "nnodes", "adv_estimator")


@st.composite
def agentsdk(draw: Any) -> dict[str, Any]:
    """One file: what it sets on the first level and below ``verl:``."""
    found: dict[str, dict[str, Any]] = {}
    for section, table, read in (("first", _FIRST, _READ[0]), ("verl", _VERL, _READ[1])):
        others = [key for key in table if key not in read]
        keys = draw(st.lists(st.sampled_from(read), max_size=len(read), unique=True))
        keys += draw(st.lists(st.sampled_from(others), max_size=4, unique=True))
        found[section] = {key: draw(st.sampled_from(table[key])) for key in table if key in keys}
    return found


def values_of(stored: dict[str, Any]) -> dict[str, Any]:
    """The whole file of a stored configuration."""
    return {**REQUIRED, **stored["first"], "verl": {**REQUIRED_VERL, **stored["verl"]}}
