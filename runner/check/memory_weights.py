"""How many weights a model has, by kind; from its shape, so that a sharded model can be counted too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..facts.model import ModelFacts


@dataclass(frozen=True, slots=True)
class Weights:
    """Numbers of weights.

    Attributes:
        expert: of all routed experts.
        other: of everything else, embeddings included.
        embedding: of the token embedding and, where it is not tied, the output layer; part of ``other``.
        layer: of the largest layer.
        linear_ends: sum over all linear layers outside the routed experts of inputs plus outputs; times the rank it is
            what LoRA adds.
    """

    expert: int
    other: int
    embedding: int
    layer: int
    linear_ends: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.expert + self.other


def weights_of(model: ModelFacts) -> Weights | None:
    """Count the weights; None when a size that matters is unknown.

    Biases and norms are left out (below 0.1 % of every known model). A vision part, where there is one, is what the
    published count has above the text model's.
    """
    hidden, layers, vocabulary = model.hidden_size, model.num_hidden_layers, model.vocab_size
    if not hidden or not layers or not vocabulary or not model.num_attention_heads:
        return None
    attention, ends = _attention(model, hidden)
    experts = model.num_experts or 0
    dense_layers = min(layers, model.first_dense_layers or 0) if experts else layers
    if (dense_layers and not model.intermediate_size) or (experts and not model.moe_intermediate_size):
        return None
    dense_width, expert_width = model.intermediate_size or 0, model.moe_intermediate_size or 0
    shared_width = expert_width * (model.num_shared_experts or 0)
    sparse_layers = layers - dense_layers
    one_expert = 3 * hidden * expert_width
    beside = (3 * hidden * shared_width + hidden * experts) if experts else 0
    embedding = vocabulary * hidden * (1 if model.tie_word_embeddings else 2)
    other = embedding + layers * attention + dense_layers * 3 * hidden * dense_width + sparse_layers * beside
    expert = sparse_layers * experts * one_expert
    if model.parameters and model.parameters > expert + other:
        other = model.parameters - expert
    layer = attention + (experts * one_expert + beside if sparse_layers else 3 * hidden * dense_width)
    widths = dense_layers * dense_width + sparse_layers * shared_width
    return Weights(expert, other, embedding, layer, layers * ends + 3 * (layers * hidden + widths))


def kv_bytes_per_token(model: ModelFacts, tensor_parallel: int, element: int = 2) -> float | None:
    """Bytes that one token takes in the cache of one rollout rank; None when the shape is unknown."""
    layers, heads = model.num_hidden_layers, model.num_key_value_heads or model.num_attention_heads
    if not layers or not heads:
        return None
    if model.kv_lora_rank:  # latent attention: every rank keeps the same compressed entry
        return float(layers * (model.kv_lora_rank + (model.qk_rope_head_dim or 0)) * element)
    size = _head_dim(model)
    if not size:
        return None
    return layers * 2 * max(1.0, heads / tensor_parallel) * size * element


def _head_dim(model: ModelFacts) -> int:
    if model.head_dim:
        return model.head_dim
    if not model.hidden_size or not model.num_attention_heads:
        return 0
    return model.hidden_size // model.num_attention_heads


def _attention(model: ModelFacts, hidden: int) -> tuple[int, int]:
    """Weights of one attention block, and the sum of its linear layers' inputs and outputs."""
    heads = model.num_attention_heads or 0
    if model.kv_lora_rank and model.v_head_dim:
        rope, nope, value = model.qk_rope_head_dim or 0, model.qk_nope_head_dim or 0, model.v_head_dim
        query = heads * (nope + rope)
        down = model.q_lora_rank or 0
        shapes = [(hidden, down), (down, query)] if down else [(hidden, query)]
        shapes += [(hidden, model.kv_lora_rank + rope), (model.kv_lora_rank, heads * (nope + value))]
        shapes.append((heads * value, hidden))
    else:
        size = _head_dim(model)
        query, key = heads * size, (model.num_key_value_heads or heads) * size
        shapes = [(hidden, query), (hidden, key), (hidden, key), (query, hidden)]
    return sum(a * b for a, b in shapes), sum(a + b for a, b in shapes)
