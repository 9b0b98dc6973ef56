"""The configuration of a tiny model of the same family as a large one. Nothing of the large model's code is executed.

Kept: what makes the family (architecture, ratio of query to key heads, tied embeddings, norms, experts, windows,
stretched rotary embeddings). Cut: every size.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

LAYERS = 2
EXPERTS = 4
SMALL_VOCABULARY = 20_000
"""Up to here the heads may be wider; above, the embedding is nearly all of the model."""

_NONE = ("quantization_config", "compression_config")
_ONE = ("n_group", "topk_group", "first_k_dense_replace", "decoder_sparse_step", "moe_layer_freq", "n_shared_experts")
_NOTHING = ("num_nextn_predict_layers", "num_mtp_layers", "mtp_num_hidden_layers", "vocab_size_per_layer_input")
_EXPERTS = ("num_experts", "n_routed_experts", "num_local_experts")
_WIDTHS = ("moe_intermediate_size", "shared_expert_intermediate_size", "intermediate_size_mlp")
_LATENT = {"kv_lora_rank": 16, "qk_nope_head_dim": 8, "qk_rope_head_dim": 8, "v_head_dim": 8}
_PARTS = ("vision_config", "audio_config", "visual", "thinker_config")


class Unsupported(ValueError):
    """The architecture can't be built from its names alone; the message says why."""


def tiny_config(model: str, facts: Mapping[str, Any], vocabulary: int) -> Any:
    """The tiny configuration of the family.

    Args:
        model: folder with config.json, or "".
        facts: the same by name, for a model that isn't on this machine.
        vocabulary: rows of the embedding.

    Raises:
        Unsupported: Transformers here does not know the architecture, or it would need code of the model's own.
    """
    config = _config(model, facts)
    if any(getattr(config, part, None) is not None for part in _PARTS):
        raise Unsupported(f"{config.model_type} has senses beside text; the rehearsal generates text only")
    if getattr(config, "auto_map", None):
        raise Unsupported(f"{config.model_type} brings code of its own (auto_map), which is never executed here")
    return shrink(config, vocabulary)


def qwen2_config(facts: Mapping[str, Any], vocabulary: int) -> Any:
    """The shape that stands in for every family that can't be built; the ratio of the heads stays."""
    from transformers import Qwen2Config

    wanted = {
        "num_attention_heads": facts.get("num_attention_heads") or 4,
        "num_key_value_heads": facts.get("num_key_value_heads") or facts.get("num_attention_heads") or 4,
        "max_position_embeddings": facts.get("max_position_embeddings") or 32768,
        "tie_word_embeddings": bool(facts.get("tie_word_embeddings")),
    }
    return shrink(Qwen2Config(**wanted), vocabulary)


def shrink(config: Any, vocabulary: int) -> Any:
    """Cut the sizes of a configuration in place; what the family does not have is left alone."""
    heads, keys = _heads(config)
    width = 16 if vocabulary <= SMALL_VOCABULARY else 8
    hidden = heads * width
    _put(config, "num_hidden_layers", LAYERS)
    _put(config, "num_attention_heads", heads)
    _put(config, "num_key_value_heads", keys)
    if getattr(config, "head_dim", None) is not None:
        _put(config, "head_dim", width)
    _put(config, "hidden_size", hidden)
    _put(config, "intermediate_size", 4 * hidden)
    _put(config, "vocab_size", vocabulary)
    _put(config, "max_window_layers", LAYERS)
    for name in _WIDTHS:
        _put(config, name, hidden)
    for name in _EXPERTS:
        _put(config, name, EXPERTS)
    chosen = getattr(config, "num_experts_per_tok", None)
    if isinstance(chosen, int):
        _put(config, "num_experts_per_tok", max(1, min(chosen, EXPERTS // 2)))
    if getattr(config, "q_lora_rank", None) is not None:
        _put(config, "q_lora_rank", 16)
    for name, size in _LATENT.items():
        _put(config, name, size)
    if getattr(config, "qk_nope_head_dim", None) is not None:
        _put(config, "qk_head_dim", 16)
        _put(config, "head_dim", 8)
        _put(config, "num_key_value_heads", heads)
    for name in _ONE:
        _put(config, name, 1)
    for name in _NOTHING:
        _put(config, name, 0)
    for name in ("mlp_only_layers", "no_rope_layers"):
        if getattr(config, name, None):
            _put(config, name, [])
    kinds = getattr(config, "layer_types", None)
    if kinds:
        # One of each kind, so that windows and linear attention are rehearsed as well.
        both = list(dict.fromkeys(kinds))
        _put(config, "layer_types", (both * LAYERS)[: max(LAYERS, len(both))])
        _put(config, "num_hidden_layers", max(LAYERS, len(both)))
    for name in _NONE:
        if hasattr(config, name):
            delattr(config, name)
    return config


def _heads(config: Any) -> tuple[int, int]:
    """Query and key heads, as few as keep their ratio."""
    heads = getattr(config, "num_attention_heads", None) or 4
    keys = getattr(config, "num_key_value_heads", None) or heads
    ratio = max(1, heads // keys)
    if ratio == 1:
        return 4, 4
    keys = 2 if ratio <= 4 and keys > 1 else 1
    return min(ratio, 8) * keys, keys


def _put(config: Any, name: str, value: Any) -> None:
    if getattr(config, name, None) is not None:
        setattr(config, name, value)


def _config(model: str, facts: Mapping[str, Any]) -> Any:
    from transformers import AutoConfig

    try:
        if model and (Path(model) / "config.json").is_file():
            return AutoConfig.from_pretrained(model, trust_remote_code=False, local_files_only=True)
        kind = facts.get("model_type")
        if not kind:
            raise Unsupported("nothing is known of the model")
        values = {name: value for name, value in facts.items() if name in _KNOWN and value is not None}
        return AutoConfig.for_model(str(kind), **values)
    except Unsupported:
        raise
    except Exception as error:
        raise Unsupported(f"{type(error).__name__}: {str(error).strip().splitlines()[0][:200]}") from error


_KNOWN = frozenset((
    "num_attention_heads", "num_key_value_heads", "head_dim", "max_position_embeddings", "tie_word_embeddings",
    "num_experts", "num_experts_per_tok", "moe_intermediate_size", "q_lora_rank", "kv_lora_rank",
    "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim",
))  # fmt: skip
