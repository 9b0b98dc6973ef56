"""The tokenizer of a stand-in: the model's own where it lies at hand, else one token a byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# As the quick start's, for every message a data set may hold: several parts, no content, tools and their answers.
ANY_CHAT_TEMPLATE = (
    "{%- if tools %}{{ '<|im_start|>system\\n' + (tools | tojson) + '<|im_end|>\\n' }}{% endif %}"
    "{%- for message in messages %}"
    "{{- '<|im_start|>' + message['role'] + '\\n' }}"
    "{%- if message['content'] is string %}{{ message['content'] }}"
    "{%- elif message['content'] %}{% for part in message['content'] %}{{ part['text'] or '' }}{% endfor %}{% endif %}"
    "{%- if message['tool_calls'] %}{{ message['tool_calls'] | tojson }}{% endif %}"
    "{{- '<|im_end|>\\n' }}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def own_tokenizer(folder: str) -> Any:
    """The tokenizer in a model's folder, its chat template with it, as it is: what it lacks is a finding.

    Raises:
        ValueError: there is none that can be read without code of its own.
    """
    from transformers import AutoTokenizer

    if not folder or not Path(folder).is_dir():
        raise ValueError("not on this machine")
    try:
        found: Any = AutoTokenizer.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
        found.encode("a 1")
    except Exception as error:
        raise ValueError(f"{type(error).__name__}: {(str(error).strip().splitlines() or ['?'])[0][:200]}") from error
    return found


def byte_tokenizer(length: int) -> Any:
    """The quick start's tokenizer, for any conversation and prompts of up to ``length`` tokens."""
    from .tiny_model import build_tokenizer

    tokenizer = build_tokenizer()
    tokenizer.chat_template = ANY_CHAT_TEMPLATE
    tokenizer.model_max_length = length
    return tokenizer
