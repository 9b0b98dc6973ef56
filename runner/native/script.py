"""A launch script of verl, read: which entry point it starts, with which overrides; nothing is executed.

Variables, defaults (``${X:-8}``), integer arithmetic and arrays are followed. Branches (``if``, ``case``, ``for``) are
not decided: what they set counts only where nothing was set before, and is named. Source: the example scripts of verl
0.4 to 0.9.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .hydra_read import Override, OverrideError, read_override
from .shell_expand import Variables, expand, expand_text
from .shell_words import Command, commands

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\+?)=(.*)\Z", re.DOTALL)
_OPENS = frozenset(("if", "case", "for", "while", "until", "select"))
_CLOSES = frozenset(("fi", "esac", "done"))
_FILLERS = frozenset(("then", "else", "do", "elif", "{", "}", "!", "exec", "nohup", "time", "sudo"))
_SETTERS = frozenset(("export", "declare", "local", "readonly", "typeset"))
_PYTHON = re.compile(r"^[^#\n]*\bpython[\d.]*\s+(?:-[\w]+\s+)*(?:-m\s|\S+\.py\b)", re.MULTILINE)
_TORCHRUN = re.compile(r"^[^#\n:]*\btorchrun\s", re.MULTILINE)
_KEYED = re.compile(r"(?:\+\+|\+|~)?[A-Za-z_][\w]*(?:[.@][\w.\-/]+)*=|~[A-Za-z_]")


@dataclass(slots=True)
class Script:
    """What a launch script says.

    Attributes:
        module: the entry point, ``verl.trainer.main_ppo`` or another; "" when none was found.
        line: line of the launch, from 1.
        overrides: in order; a later one of the same key wins.
        options: Hydra's own options (``--config-name``, ``--config-path``) and other arguments.
        environment: variables that the script exports.
        unknown: variables that nobody sets (written as ``${oc.env:NAME}``).
        commands: commands whose output the script uses; they stay in the text, ``$(...)``.
        branches: names that are set inside a branch, with the line.
        broken: arguments that are no override.
    """

    module: str = ""
    line: int = 0
    overrides: list[Override] = field(default_factory=list[Override])
    options: list[str] = field(default_factory=list[str])
    environment: dict[str, str] = field(default_factory=dict[str, str])
    unknown: list[str] = field(default_factory=list[str])
    commands: list[str] = field(default_factory=list[str])
    branches: dict[str, int] = field(default_factory=dict[str, int])
    broken: list[str] = field(default_factory=list[str])


def looks_like_script(text: str) -> bool:
    """Whether a text is a launch script or a list of overrides rather than YAML."""
    head = text[:200_000]
    if head.lstrip("\ufeff \n\t").startswith("#!") or _PYTHON.search(head) or _TORCHRUN.search(head):
        return True
    lines = [line.strip().rstrip("\\").strip() for line in head.splitlines()]
    wanted = [line for line in lines if line and not line.startswith("#")]
    return bool(wanted) and all(_KEYED.match(line) for line in wanted)


def read_script(text: str, environment: Mapping[str, str] | None = None) -> Script:
    """Read a launch script, or a bare list of overrides.

    Args:
        text: the script.
        environment: variables that are set before it starts (``HOME``).
    """
    reader = _Reader(dict(environment or {}))
    for command in commands(text):
        reader.command(command)
    found = reader.script
    if not found.module and not found.overrides:
        reader.bare(text)
    found.unknown = list(reader.variables.unknown)
    found.commands = list(dict.fromkeys(reader.variables.commands))
    return found


class _Reader:
    def __init__(self, environment: dict[str, str]) -> None:
        self.variables = Variables(environment)
        self.script = Script()
        self.depth = 0

    def command(self, command: Command) -> None:
        words = command.words
        while words and (words[0] in _FILLERS or (words[0].endswith(")") and self.depth and "(" not in words[0])):
            words = words[1:]
        if not words:
            return
        if words[0] in _OPENS or words[0].endswith("()") or words[0] == "function":
            self.depth += words[0] in _OPENS
            return
        if words[0] in _CLOSES:
            self.depth = max(0, self.depth - 1)
            return
        exported = words[0] in _SETTERS
        rest = [word for word in words[1:] if not word.startswith("-")] if exported else words
        while rest and (match := _ASSIGNMENT.match(rest[0])):
            self._assign(match, exported and words[0] == "export", command.line)
            rest = rest[1:]
        if rest and not exported:
            self._launch(rest, command.line)

    def _assign(self, match: re.Match[str], exported: bool, line: int) -> None:
        name, more, raw = match.groups()
        scalars, arrays = self.variables.scalars, self.variables.arrays
        if self.depth:
            self.script.branches.setdefault(name, line)
            if name in scalars or name in arrays:
                return
        if raw.startswith("("):
            items = [
                word for c in commands(raw[1:-1].replace("\n", " \\\n")) for w in c.words for word in self._expand(w)
            ]
            arrays[name] = [*(arrays.get(name, []) if more else ()), *items]
            return
        value = expand_text(raw, self.variables)
        scalars[name] = (scalars.get(name, "") if more else "") + value
        if exported:
            self.script.environment[name] = scalars[name]

    def _expand(self, word: str) -> list[str]:
        return expand(word, self.variables)

    def _launch(self, raw: list[str], line: int) -> None:
        if self.script.module:
            return
        words = [word for item in raw for word in self._expand(item)]
        module, rest = _entry_point(words)
        if not module or not any(_KEYED.match(word) for word in rest):
            return
        self.script.module, self.script.line = module, line
        self._take(rest)

    def bare(self, text: str) -> None:
        """A list of overrides without a command, one or several a line."""
        for command in commands(re.sub(r"\\?\n", " \\\n", text)):
            self._take([word for item in command.words for word in self._expand(item)])

    def _take(self, words: list[str]) -> None:
        for word in words:
            if word.startswith("-") or not word:
                self.script.options.append(word)
                continue
            try:
                self.script.overrides.append(read_override(word))
            except OverrideError:
                self.script.broken.append(word)


def _entry_point(words: list[str]) -> tuple[str, list[str]]:
    """Module (or file) that a command starts, and its arguments."""
    for number, word in enumerate(words):
        if word == "-m" and number + 1 < len(words) and not words[number + 1].startswith("-"):
            module = words[number + 1]
            if module in ("torch.distributed.run", "torch.distributed.launch"):
                continue
            return module, words[number + 2 :]
        if word.endswith(".py") and number:
            return word, words[number + 1 :]
    return "", []
