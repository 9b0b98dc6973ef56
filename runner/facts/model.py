"""Shape of a language model, from values named as in Hugging Face's config.json; unknown is None, never a guess."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

_MOST = 10**12  # a larger whole number is no size of a model

# Other names for the same thing, by the architectures that use them.
ALIASES: Mapping[str, tuple[str, ...]] = {
    "num_attention_heads": ("n_head", "num_heads"),
    "num_key_value_heads": ("num_query_groups", "multi_query_group_num"),
    "num_hidden_layers": ("n_layer", "num_layers"),
    "hidden_size": ("n_embd", "d_model"),
    "intermediate_size": ("ffn_hidden_size", "n_inner"),
    "vocab_size": ("padded_vocab_size",),
    "max_position_embeddings": ("n_positions", "seq_length"),
    "num_experts": ("n_routed_experts", "num_local_experts"),
    "torch_dtype": ("dtype",),
}
# Keys of config.json that no check needs; a person may well paste them into a profile.
IDLE_NAMES = frozenset(
    (
        *("architectures", "attention_bias", "attention_dropout", "auto_map", "bos_token_id", "eos_token_id"),
        *("hidden_act", "initializer_range", "max_window_layers", "mlp_only_layers", "decoder_sparse_step"),
        *("norm_topk_prob", "output_router_logits", "pad_token_id", "rms_norm_eps", "rope_theta", "rope_parameters"),
        *("router_aux_loss_coef", "transformers_version", "use_cache", "use_sliding_window", "vision_config"),
        *("text_config", "audio_config", "quantization_config", "n_shared_experts", "first_k_dense_replace"),
    )
)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model; every field may be None (unknown).

    Attributes:
        name: as people call it, "" when it came from a directory.
        source: ``config.json``, ``preset`` (templates/models) or ``profile``.
        rope_scaling_factor: factor by which rotary embeddings are stretched (yarn, linear, dynamic).
        num_experts: routed experts; None (or 0) when the model is dense, and when nothing is known.
        num_shared_experts: experts that every token passes.
        first_dense_layers: layers before the first one with experts.
        q_lora_rank, kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim: of multi-head latent attention.
        parameters: all weights, as published; None leaves it to an estimate.
        quantized: the weights on the disk are stored in fewer bits than ``torch_dtype`` has.
        vision: the model has a vision or audio part beside the text model described here.
        chat_template: whether the tokenizer brings one.
    """

    name: str = ""
    source: str = ""
    model_type: str | None = None
    num_hidden_layers: int | None = None
    hidden_size: int | None = None
    intermediate_size: int | None = None
    num_attention_heads: int | None = None
    num_key_value_heads: int | None = None
    head_dim: int | None = None
    vocab_size: int | None = None
    max_position_embeddings: int | None = None
    sliding_window: int | None = None
    rope_scaling_factor: float | None = None
    tie_word_embeddings: bool | None = None
    torch_dtype: str | None = None
    num_experts: int | None = None
    num_experts_per_tok: int | None = None
    num_shared_experts: int | None = None
    moe_intermediate_size: int | None = None
    first_dense_layers: int | None = None
    q_lora_rank: int | None = None
    kv_lora_rank: int | None = None
    qk_nope_head_dim: int | None = None
    qk_rope_head_dim: int | None = None
    v_head_dim: int | None = None
    parameters: int | None = None
    vision: bool = False
    quantized: bool = False
    chat_template: bool | None = None


WHOLE_NUMBERS = frozenset(field.name for field in fields(ModelFacts) if str(field.type) == "int | None")
FACT_NAMES = tuple(field.name for field in fields(ModelFacts) if field.name not in ("name", "source"))


def model_facts(values: Mapping[str, Any], *, name: str = "", source: str = "") -> ModelFacts:
    """The facts in a mapping with the names of config.json; whatever has an odd type is unknown.

    A multimodal model keeps those of its text part under ``text_config`` (also ``llm_config``, ``thinker_config``).
    """
    outer = values
    for part in ("thinker_config", "text_config", "llm_config", "language_config"):
        inner = values.get(part)
        if isinstance(inner, Mapping):
            values = {**values, **cast("Mapping[str, Any]", inner)}
    found: dict[str, Any] = {key: _whole(_named(values, key)) for key in WHOLE_NUMBERS}
    if found["num_shared_experts"] is None:
        found["num_shared_experts"] = _whole(values.get("n_shared_experts"))
    if found["first_dense_layers"] is None:
        found["first_dense_layers"] = _whole(values.get("first_k_dense_replace"))
    if values.get("use_sliding_window") is False:
        found["sliding_window"] = None
    for key in ("model_type", "torch_dtype"):
        text = _named(outer if key == "model_type" else values, key)
        found[key] = text[:80] if isinstance(text, str) and text else None
    for key in ("tie_word_embeddings", "chat_template"):
        flag = values.get(key)
        found[key] = flag if isinstance(flag, bool) else None
    found["rope_scaling_factor"] = _factor(values)
    found["quantized"] = bool(values.get("quantized")) or isinstance(values.get("quantization_config"), Mapping)
    found["vision"] = bool(values.get("vision")) or any(isinstance(outer.get(k), Mapping) for k in _OTHER_SENSES)
    return ModelFacts(name=name, source=source, **found)


_OTHER_SENSES = ("vision_config", "audio_config", "visual")


def _named(values: Mapping[str, Any], key: str) -> Any:
    names: Iterable[str] = (key, *ALIASES.get(key, ()))
    return next((values[name] for name in names if values.get(name) is not None), None)


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST:
        return value
    return None


def _factor(values: Mapping[str, Any]) -> float | None:
    candidates: list[Any] = [values.get("rope_scaling_factor")]
    for key in ("rope_scaling", "rope_parameters"):
        scaling = values.get(key)
        if isinstance(scaling, Mapping):
            candidates.append(cast("Mapping[str, Any]", scaling).get("factor"))
    for value in candidates:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e6:
            return float(value)
    return None
