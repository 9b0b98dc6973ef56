"""One decoded string -> turns, where its chat template is recognisable.

verl decodes with ``skip_special_tokens=True``: of ``<|im_start|>user`` only ``user`` is left, a role alone on a line. A
text may hold such a line by chance, therefore roles must follow each other as templates let them, and a prompt must
begin with one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .rollout_types import Turn

# Templates whose markers were not stripped: what opens a message (group 1 is its role), and what ends it.
_MARKED: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"<\|im_start\|>\s*(\w+)[ \t]*\n?"), re.compile(r"<\|im_end\|>\s*$|<\|endoftext\|>\s*$")),
    (re.compile(r"<\|start_header_id\|>\s*(\w+)\s*<\|end_header_id\|>\s*"), re.compile(r"<\|e(?:ot|om)_id\|>\s*$")),
    (re.compile(r"<\|(system|user|assistant|observation|tool)\|>[ \t]*\n?"), re.compile(r"<\|end\|>\s*$")),
    (re.compile(r"<｜(User|Assistant)｜>"), re.compile(r"<｜end▁of▁sentence｜>\s*$")),
)
_PADDED = re.compile(r"(?:<\|endoftext\|>|<\|end_of_text\|>|<pad>)*")
_PADDING = ("<|endoftext|>", "<|end_of_text|>", "<pad>")
_ROLE_LINE = re.compile(r"^(system|user|assistant|tool|function|ipython)[ \t]*(?:\n|\Z)", re.MULTILINE)
_ANSWER_LINE = re.compile(r"^assistant[ \t]*(?:\n|\Z)", re.MULTILINE)
_STARTS = re.compile(r"\s*(system|user)[ \t]*\n")
_NEXT = {
    "": {"system", "user"},
    "system": {"user"},
    "user": {"assistant"},
    "assistant": {"user", "tool", "function", "ipython"},
    "tool": {"assistant", "tool"},
    "function": {"assistant", "function"},
    "ipython": {"assistant"},
}
_REPLY = re.compile(r"<tool_response>.*?(?:</tool_response>|\Z)\s*", re.DOTALL)
_CALL = re.compile(r"<tool_call>|\[TOOL_CALLS\]|<｜tool▁call▁begin｜>|<\|python_tag\|>|<function=")
_BLOCK = re.compile(
    r"<(?P<tag>think|tool_call|tool_response|answer|search|information|code|interpreter)>(?P<text>.*?)(?:</(?P=tag)>|\Z)",
    re.DOTALL,
)

Message = tuple[str, str]
"""Role and text."""


def turns_of(prompt: str, response: str) -> tuple[Turn, ...]:
    """The turns of a prompt and of what the model and its environment made of it; () where neither says anything."""
    prompt, response = _without_padding(prompt), _without_padding(response)
    for opening, ending in _MARKED:
        if opening.search(prompt) or opening.search(response):
            before = list(_marked(prompt, opening, ending, ""))
            return _joined(before, list(_marked(response, opening, ending, "assistant")))
    if _STARTS.match(prompt):
        before = _bare(prompt.lstrip(), "")
        if len(before) > 1 or before[0][0]:
            return _joined(before, _bare(response, "assistant"))
    turns = [Turn("", prompt)] if prompt.strip() else []
    return (*turns, *_with_replies([("assistant", response)] if response else []))


def _without_padding(text: str) -> str:
    found = _PADDED.match(text)
    start, end = found.end() if found else 0, len(text)
    while end > start and (mark := next((one for one in _PADDING if text.endswith(one, start, end)), "")):
        end -= len(mark)
    return text[start:end]


def calls_in(text: str) -> int:
    """How many tool calls a turn holds."""
    return len(_CALL.findall(text))


def pieces_of(text: str) -> list[Message]:
    """The parts of a turn: (kind, text), the kind ``text`` or the name of a tag (``think``, ``tool_call``, ...)."""
    pieces: list[Message] = []
    position = 0
    for found in _BLOCK.finditer(text):
        if before := text[position : found.start()].strip("\n"):
            pieces.append(("text", before))
        pieces.append((found["tag"], found["text"].strip("\n")))
        position = found.end()
    if rest := text[position:].strip("\n"):
        pieces.append(("text", rest))
    return [piece for piece in pieces if piece[1].strip()]


def _marked(text: str, opening: re.Pattern[str], ending: re.Pattern[str], role: str) -> Iterator[Message]:
    """Messages between explicit markers; what stands before the first belongs to ``role``."""
    position = 0
    for found in opening.finditer(text):
        yield role, ending.sub("", text[position : found.start()])
        role, position = found[1].lower(), found.end()
    yield role, ending.sub("", text[position:])


def _bare(text: str, role: str) -> list[Message]:
    """Messages between lines that are nothing but a role; a line that can't be one there stays text."""
    messages: list[Message] = []
    position = 0
    for found in _ROLE_LINE.finditer(text):
        following = found[1]
        if following not in _NEXT.get(role, ()) or not _opens(text, found, role):
            continue
        messages.append((role, text[position : found.start()].removesuffix("\n")))
        role, position = following, found.end()
    messages.append((role, text[position:]))
    return messages if messages[0][0] or messages[0][1] else messages[1:]


def _opens(text: str, found: re.Match[str], role: str) -> bool:
    """After the model's own words a role line counts only where an answer follows, or a tool's reply does."""
    if role != "assistant" or found[1] != "user":
        return True
    rest = text[found.end() :]
    return rest.lstrip().startswith("<tool_response>") or _ANSWER_LINE.search(rest) is not None


def _joined(before: list[Message], after: list[Message]) -> tuple[Turn, ...]:
    """The prompt's messages and the trajectory's; the prompt ends with the opened, empty turn of the model."""
    if before and before[-1][0] in {"assistant", "Assistant"}:
        lead = before.pop()[1].lstrip("\n")
        if lead.strip() and after:
            after[0] = (after[0][0], lead + after[0][1])  # "<think>\n" that the template wrote for the model
    elif before and after and after[0] == ("assistant", ""):
        after = after[1:]
    told = [Turn(role, text) for role, text in before if role or text.strip()]
    return (*told, *_with_replies(after))


def _with_replies(messages: list[Message]) -> tuple[Turn, ...]:
    """Turns of the trajectory; replies of tools within a message become turns of their own."""
    turns: list[Turn] = []
    for role, text in messages:
        position = 0
        for found in _REPLY.finditer(text):
            if before := text[position : found.start()]:
                turns.append(Turn(role, before, role == "assistant"))
            turns.append(Turn("tool", found[0]))
            position = found.end()
        if text[position:].strip() or position == 0:
            turns.append(Turn(role, text[position:], role == "assistant"))
    return tuple(one for one in turns if one.text.strip() or one.model)
