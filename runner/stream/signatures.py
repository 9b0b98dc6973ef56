"""The signs of failures as compiled patterns, made from the plain data of the failure catalogue.

A log may have a million lines and there are two hundred patterns, so a line is looked at closely only when it holds
one of a few dozen words (`Signatures.words`) or follows an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .literals import longest_literal

Role = Literal["cause", "symptom", "follower", "stall", "notice"]

# What lines of errors, tracebacks and warnings hold in lower case, whatever their reason.
ERROR_WORDS: tuple[bytes, ...] = (
    b"error", b"exception", b"traceback", b"fatal", b"critical", b"interrupt", b"failed", b"cannot ", b"exit",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MetricRule:
    """A failure that shows in the numbers: the last ``steps`` values of one of ``keys`` are not finite, or zero.

    Attributes:
        phrase: text that must have stood in the log ("" for none).
    """

    keys: tuple[str, ...]
    rule: str
    steps: int
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """One entry of the failure catalogue.

    Attributes:
        pattern: None where only a metric rule tells it.
        literals: lower-case texts, one of which is in everything that ``pattern`` matches.
        anywhere: counts outside of errors as well, in warnings and plain lines.
        role: ``cause``; ``symptom`` (may be the echo of another failure), ``follower`` (always follows one), ``stall``
            (a wait that is one only when nothing comes after it), ``notice``.
        own_process: counts only where no prefix names a worker.
    """

    id: str
    pattern: re.Pattern[str] | None
    literals: tuple[str, ...]
    anywhere: bool
    role: Role
    own_process: bool
    metric: MetricRule | None
    cause: Mapping[str, str]
    remedy: Mapping[str, str]
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signatures:
    """The failure catalogue, ready for lines.

    Attributes:
        entries: in the order of the data; ``first`` the one of a line is the first that matches.
        words: lower-case bytes, one of which is in every line that a signature can match outside of an error's block.
        noise: what is never a cause.
        reasons: ``unknown``, ``exit``, ``killed``: (cause, remedy) by language.
    """

    entries: tuple[Signature, ...]
    words: tuple[bytes, ...]
    noise: re.Pattern[str]
    reasons: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]]

    def of(self, text: str, in_error: bool, worker: bool, warning: bool) -> Signature | None:
        """The signature of a message, or None.

        Args:
            text: without outer prefixes.
            in_error: the line is an error or belongs to one.
            worker: a prefix names the process.
            warning: the line is a warning.
        """
        low = text.lower()
        certain = in_error and not warning
        for one in self.entries:
            if one.pattern is None or not (one.anywhere or certain) or (one.own_process and worker):
                continue
            for literal in one.literals:
                if literal in low:
                    if one.pattern.search(text):
                        return one
                    break
        return None

    @property
    def metric_rules(self) -> tuple[Signature, ...]:
        """The entries that are recognised by numbers."""
        return tuple(one for one in self.entries if one.metric is not None)


def read_signatures(data: Mapping[str, Any]) -> Signatures:
    """Compile the plain data that ``catalogue.load_failures`` gives (or what its JSON gave)."""
    entries = tuple(_signature(one) for one in data["entries"])
    words = {str(word).encode() for one in data["entries"] for word in one["words"]}
    phrases = [one["metric"]["and"] for one in data["entries"] if one["metric"]]
    words |= {phrase.lower().encode() for phrase in phrases if phrase}
    reasons = {str(name): (text["cause"], text["remedy"]) for name, text in data["reasons"].items()}
    return Signatures(
        entries,
        tuple(sorted({*words, *ERROR_WORDS})),
        re.compile("|".join(f"(?:{one})" for one in data["noise"]) or r"(?!)"),
        reasons,
    )


def _signature(data: Mapping[str, Any]) -> Signature:
    signs = data["signs"]
    metric = data["metric"]
    return Signature(
        id=data["id"],
        pattern=re.compile("|".join(f"(?:{one})" for one in signs), re.IGNORECASE) if signs else None,
        literals=tuple(sorted({longest_literal(sign) for sign in signs})),
        anywhere=data["context"] == "any",
        role=data["role"],
        own_process=bool(data["own_process"]),
        metric=MetricRule(tuple(metric["keys"]), metric["rule"], metric["steps"], metric["and"]) if metric else None,
        cause=data["cause"],
        remedy=data["remedy"],
        parameters=(*data["parameters"], *data["environment"]),
    )
