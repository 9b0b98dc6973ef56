"""Every sentence of the training process about a wrapper has its Chinese, and a person's own words are left alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue.wrapper_messages import wrapper_message

ROOT = Path(__file__).parents[2] / "runner" / "inside" / "agentic_rl_inside" / "agent"
CHINESE = re.compile(r"[\u4e00-\u9fff]")
# Where a message stands in a call.
CALLS = {"WrapperProblem": 1, "warn_once": 1, "_require": 3, "_refusal": 0}
CALLS |= dict.fromkeys(("ValueError", "TypeError", "IndexError", "RuntimeError"), 0)
NAMES = {"text", "few"}
# Put together from pieces; whole ones stand in the examples below.
PIECES = ("prompt (3 tokens", "3; AgentSDK", "3 must be 8", "3 89 rule", "the wrapper has not returned within", "3:")


def sentence(node: ast.expr, first: str) -> str:
    """A sentence as it might come out: words in the place of values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        fields = iter((first, "8", "9", "7", "6", "5"))
        return "".join(str(one.value) if isinstance(one, ast.Constant) else next(fields) for one in node.values)
    return ""


def sentences() -> Iterator[tuple[str, str, str]]:
    """Place, and the sentence with a number or with a tensor's name as its first value."""
    for path in sorted(ROOT.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found: ast.expr | None = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
                place = CALLS[node.func.id]
                found = node.args[place] if len(node.args) > place else None
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in NAMES:
                found = node.value
            text = sentence(found, "3") if found is not None else ""
            if found is not None and " " in text and not text.startswith(PIECES):
                yield f"{path.name}:{node.lineno}", text, sentence(found, "response_tokens")


@pytest.mark.parametrize(("place", "text", "other"), [pytest.param(*one, id=one[0]) for one in sentences()])
def test_every_sentence_of_the_source_has_its_chinese(place: str, text: str, other: str) -> None:
    said = wrapper_message(text, "zh") + wrapper_message(other, "zh")
    assert CHINESE.search(said), f"{place}: {text!r} is missing in templates/wrapper_messages.yaml"
    assert wrapper_message(text, "en") == text


@pytest.mark.parametrize(
    ("text", "zh"),
    [
        ("response_masks must be a torch.Tensor, not list", "response_masks 须为 torch.Tensor，而不是 list"),
        (
            "Player can't be constructed: ValueError: temperature must be from 0 to 2",
            "无法构造 Player：ValueError: temperature 须在 0 到 2 之间",
        ),
        (
            "KeyError: 'x' (after a refused request: a request needs prompt)",
            "KeyError: 'x'（此前有请求被拒绝：请求中缺少 prompt）",
        ),
        ("a.py must show one subclass of BaseEngineWrapper, imported ones included; it has none",
         "a.py 中应恰好有一个 BaseEngineWrapper 子类（导入的也计入），实际为：无"),
        (
            "prompt (9 tokens) and max_tokens (8) exceed the context of 16; AgentSDK's vLLM refuses such a request, "
            "here it is shortened",
            "提示词（9 个 token）与 max_tokens（8）之和超出上下文长度 16；AgentSDK 的 vLLM 会拒绝这样的请求，"
            "此处改为缩短",
        ),
        ("top_k must be an integer, not 'x'", "top_k 须为整数，而不是 'x'"),
        ("top_k must be >= 0", "top_k 须不小于 0"),
        ("the wrapper has not returned within 2 s", "wrapper 在 2 秒内没有返回"),
        (
            "the wrapper has not returned within 2 s; it stands in play",
            "wrapper 在 2 秒内没有返回，停留在 play",
        ),
        ("ValueError: config is empty", "ValueError: config is empty"),
        ("ValueError: no server", "ValueError: no server"),
        ("ValueError: two\nlines {x}", "ValueError: two\nlines {x}"),
        ("", ""),
    ],
    ids=[
        *("kind", "nested", "refused", "none", "too-long", "integer", "least", "hangs", "stands"),
        *("own-words", "own", "lines", "empty"),
    ],
)  # fmt: skip
def test_a_sentence(text: str, zh: str) -> None:
    assert wrapper_message(text, "zh") == zh
