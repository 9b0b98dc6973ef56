"""Relations of verl, and of AgentSDK's use of it (facts/agentsdk.md 3.4, facts/backends.md 1.3, corrections).

On this CPU the plan overrides devices and tensor parallel size, so that relations with them don't apply there.
"""

from __future__ import annotations

from .relation import Finding, Relation, divisors_near, factor_for, multiples_near

_DEVICES = ("num_gpus_per_node", "verl.nnodes")
_EVERYWHERE = ("agentsdk", "verl", "local")


def _batch(batch: int, n: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    if batch * n % devices == 0:
        return None
    values = multiples_near(batch, factor_for(n, devices))
    return {"product": batch * n, "devices": devices, "values": values, "edit": ("verl.train_batch_size", values[-1])}


def _mini_batch(mini: int, n: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    if mini * n // devices > 0:
        return None
    least = -(-devices // n)
    return {"product": mini * n, "devices": devices, "least": least, "edit": ("verl.ppo_mini_batch_size", least)}


def _mini_batch_split(mini: int, n: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    if mini * n % devices == 0:
        return None
    values = multiples_near(mini, factor_for(n, devices))
    return {"product": mini * n, "devices": devices, "values": values, "edit": ("verl.ppo_mini_batch_size", values[-1])}


def _rollout_parallel(tensor: int, per_node: int, nodes: int) -> Finding | None:
    devices = per_node * nodes
    if devices % tensor == 0:
        return None
    values = divisors_near(tensor, devices)
    return {"value": tensor, "devices": devices, "values": values, "edit": ("infer_tensor_parallel_size", values[0])}


def _rollout_nodes(tensor: int, per_node: int, nodes: int) -> Finding | None:
    if per_node * nodes % tensor or tensor <= per_node or tensor % per_node == 0:
        return None
    return {"value": tensor, "devices": per_node, "edit": ("infer_tensor_parallel_size", per_node)}


def _tokens(tokens: int, prompt: int, response: int) -> Finding | None:
    if tokens >= prompt + response:
        return None
    least = prompt + response
    return {"value": tokens, "least": least, "edit": ("verl.ppo_max_token_len_per_gpu", least)}


def _tokens_advised(tokens: int, n: int, prompt: int, response: int) -> Finding | None:
    advised = n * (prompt + response)
    if tokens >= advised or tokens < prompt + response:  # the latter has a problem of its own
        return None
    return {"value": tokens, "least": advised}


def _wrapper_prompt(batched: int) -> Finding | None:
    limit = 131_072
    return None if batched <= limit else {"value": batched, "limit": limit, "edit": ("max_num_batched_tokens", limit)}


def _wrapper_response(context: int, batched: int) -> Finding | None:
    response = context - batched
    if 1 <= response <= 65_536:
        return None
    return {"value": response, "least": batched + 1, "most": batched + 65_536}


def wrapper_steps(steps: int) -> Finding | None:
    """The wrapper takes at most 100 turns a trajectory."""
    return None if steps <= 100 else {"value": steps, "limit": 100, "edit": ("max_steps", 100)}


def _context(context: int, prompt: int, response: int) -> Finding | None:
    if context >= prompt + response:
        return None
    return {"value": context, "least": prompt + response, "edit": ("max_model_len", prompt + response)}


VERL_RELATIONS: tuple[Relation, ...] = (
    Relation(
        "batch-not-divisible", ("verl.train_batch_size", "rollout_n", *_DEVICES), _batch,
        versions="<0.6", only_if_set=False,
    ),
    Relation(
        "mini-batch-too-small", ("verl.ppo_mini_batch_size", "rollout_n", *_DEVICES), _mini_batch,
        versions="<0.8", only_if_set=False,
    ),
    Relation(
        "mini-batch-not-divisible", ("verl.ppo_mini_batch_size", "rollout_n", *_DEVICES), _mini_batch_split,
        versions=">=0.8", only_if_set=False,
    ),
    Relation(
        "rollout-parallel-not-divisible", ("infer_tensor_parallel_size", *_DEVICES), _rollout_parallel,
        only_if_set=False,
    ),
    Relation(
        "rollout-parallel-spans-nodes", ("infer_tensor_parallel_size", *_DEVICES), _rollout_nodes, versions=">=0.6.1",
    ),
    # Up to 0.5 sequences are padded to their full length; later only the longest real one counts.
    Relation(
        "token-limit-too-low", ("verl.ppo_max_token_len_per_gpu", "max_prompt_length", "verl.max_response_length"),
        _tokens, versions="<0.6", targets=_EVERYWHERE,
    ),
    Relation(
        "token-limit-too-low", ("verl.ppo_max_token_len_per_gpu", "max_prompt_length", "verl.max_response_length"),
        _tokens, versions=">=0.6", level="warning", targets=_EVERYWHERE,
    ),
    Relation(
        "token-limit-below-advice",
        ("verl.ppo_max_token_len_per_gpu", "rollout_n", "max_prompt_length", "verl.max_response_length"),
        _tokens_advised, level="hint", first_set=True,
    ),
    # The wrapper's prompt length is max_num_batched_tokens on verl, its response length what is left of the context.
    Relation("wrapper-prompt-length", ("max_num_batched_tokens",), _wrapper_prompt, targets=("agentsdk",)),
    Relation(
        "wrapper-response-length", ("max_model_len", "max_num_batched_tokens"), _wrapper_response,
        targets=("agentsdk",),
    ),
    Relation("wrapper-steps", ("max_steps",), wrapper_steps, targets=("agentsdk",)),
    Relation(
        "context-too-short", ("max_model_len", "max_prompt_length", "verl.max_response_length"), _context,
        level="warning", targets=_EVERYWHERE,
    ),
)  # fmt: skip
