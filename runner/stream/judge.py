"""Why a training failed, read from its log in one pass: the first cause, not the last noise.

Three questions, in this order. Did the training reach its end? Then nothing that was printed while it shut down is a
failure. Did it go on after an error? Then that error was survived. Which of what is left came first? What the
catalogue calls a cause goes before the echoes: a collective that times out because another rank has died, an actor
that is told to be dead, an engine that ends.
"""

from __future__ import annotations

import signal as signals
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .course import COURSE_WORDS, Course
from .diagnosis import Cause, Diagnosis
from .levels import level_of
from .lines import clean_line
from .metric_rules import MetricWatch
from .numbered import fewest, marked_lines
from .outer import Message, message_of
from .signatures import Signature, Signatures
from .tracebacks import Tracebacks

LINE_CUT = 1 << 14
_EXCERPT = 300
_BLOCK = 40  # lines after an error that belong to it
_SURVIVED = 2  # steps (or stages of the start) after an error that show it was none
_STALL = 3
_SAME_BLOCK = 12
_TAIL = 50
_REMEMBERED = 20_000
_SHORT = 500
_DIGITS = b"0123456789"
_UNKNOWN = "unknown"
MOST_BYTES = 256 << 20


@dataclass(slots=True)
class _Hit:
    signature: Signature | None  # None: an error that the catalogue doesn't know
    line: int
    excerpt: str
    advances: int
    attempt: int
    finished: bool
    worker: bool
    count: int = 1


class Judge:
    """Feed it the lines of a log, then ask for its ``verdict``.

    Attributes:
        words: a line that holds none of them tells nothing, unless it follows an error (``until``).
    """

    def __init__(self, signatures: Signatures) -> None:
        self._signatures = signatures
        self.words = fewest((*signatures.words, *COURSE_WORDS))
        self._course = Course()
        self._tracebacks = Tracebacks()
        self._watch = MetricWatch(signatures.metric_rules)
        self._hits: dict[str, _Hit] = {}
        self._error: _Hit | None = None  # a line of error level that is no exception
        self._driver_error = 0
        self._last_error = -_BLOCK
        self._last = 0
        self._dull: OrderedDict[tuple[bool, bytes], bool] = OrderedDict()

    def feed(self, number: int, raw: bytes) -> None:
        """Take one line; numbers rise. Lines that tell nothing may be left out or not."""
        self._last = max(self._last, number)
        low = raw[:LINE_CUT].lower()
        near = number - self._last_error <= _BLOCK
        key = (near or self._tracebacks.any_open, low.translate(None, _DIGITS))
        if (error := self._dull.get(key)) is not None and (not error or self._known_error):
            self._last_error = number if error else self._last_error
            return
        course = any(word in low for word in COURSE_WORDS)
        # A step's metrics may be longer than any error.
        text = clean_line(raw if course else raw[:LINE_CUT])
        message = message_of(text)
        if course and (row := self._course.feed(text, message)):
            self._watch.take(*row)
            if "step:" in text or "iteration" in text:
                return
        self._watch.take_text(text)
        told = self._take(number, text, message, near)
        if told is not None and not course and len(low) < _SHORT:
            self._dull[key] = told
            if len(self._dull) > _REMEMBERED:
                self._dull.popitem(last=False)

    def until(self) -> int:
        """Every line up to this number is wanted: it may belong to an error."""
        return self._last_error + _BLOCK

    def _take(self, number: int, text: str, message: Message, near: bool) -> bool | None:
        """Look at a line closely.

        Returns:
            Whether it is an error, where lines that differ from it only in numbers need not be looked at again;
            None where they do.
        """
        if _is_quoted(message.text):
            return False
        exception = self._tracebacks.exception(number, message)
        level = "error" if message.level in ("ERROR", "CRITICAL", "FATAL") or exception else level_of(text)
        warning = level == "warning" or message.level in ("WARN", "WARNING") or _is_warning(exception)
        error = level == "error" and not warning
        if error:
            self._last_error = number
        worker = message.origin is not None
        in_error = error or near or self._tracebacks.inside(message)
        found = self._signatures.of(message.text, in_error, worker, warning)
        if found is not None:
            self._note(found.id, found, number, message.text, worker)
        elif exception and not warning and not self._signatures.noise.search(exception):
            self._note(_UNKNOWN, None, number, exception, worker)
        elif error:
            self._note_error(number, message.text, worker)
        if exception and not worker and not warning:
            self._driver_error = number
        again = found is not None or exception or "File" in text or "Traceback" in text or "ray.exc" in text
        return None if again else error

    @property
    def _known_error(self) -> bool:
        return self._error is not None and not self._survived(self._error)

    def _hit(self, signature: Signature | None, number: int, text: str, worker: bool) -> _Hit:
        course = self._course
        excerpt = " ".join(text.split())[:_EXCERPT]
        return _Hit(signature, number, excerpt, course.advances, course.attempts, course.finished, worker)

    def _note(self, name: str, signature: Signature | None, number: int, text: str, worker: bool) -> None:
        # After the end of a training the catalogue is asked anew: only a run known to have failed wants that answer.
        key = f"{name} after" if self._course.finished else name
        known = self._hits.get(key)
        if known is None or self._survived(known):
            self._hits[key] = self._hit(signature, number, text, worker)
        else:
            known.count += 1

    def _note_error(self, number: int, text: str, worker: bool) -> None:
        if not self._known_error and not self._signatures.noise.search(text):
            self._error = self._hit(None, number, text, worker)

    def _survived(self, hit: _Hit) -> bool:
        return hit.attempt != self._course.attempts or self._course.advances - hit.advances >= _SURVIVED

    # -- verdict ---------------------------------------------------------------------------------------------------

    def verdict(self, failed: bool | None = None, code: int | None = None, signal: int | None = None) -> Diagnosis:
        """What the log tells.

        Args:
            failed: what is known from elsewhere (an exit code); None where only the log can tell.
            code: exit code of the training, where it is known.
            signal: the signal that killed it, where it is known.
        """
        course = self._course
        finished = course.finished
        remarks = tuple(self._cause(hit) for hit in self._alive("notice"))
        remarks += tuple(self._told(one, line, excerpt) for one, line, excerpt in self._watch.found())
        causes = () if failed is False or (finished and failed is None) else self._causes(bool(failed))
        if failed and not causes:
            causes = (self._of_exit(code, signal),)
        return Diagnosis(bool(causes), causes, remarks, course.step, course.total, finished or course.last_iteration)

    def _alive(self, *roles: str) -> list[_Hit]:
        """Hits of these roles that were not survived, by line; a notice stands wherever it was seen."""
        found = [hit for hit in self._hits.values() if hit.signature and hit.signature.role in roles]
        if roles != ("notice",):
            found = [hit for hit in found if not self._survived(hit) and hit.finished == self._course.finished]
        return sorted(found, key=lambda hit: hit.line)

    def _causes(self, known: bool) -> tuple[Cause, ...]:
        """The first cause first.

        Args:
            known: the training is known to have failed, so that weaker signs will do.
        """
        course = self._course
        causes, symptoms, followers = self._alive("cause"), self._alive("symptom"), self._alive("follower")
        if course.last_iteration and not known:
            symptoms, followers = [], []
        unknown = self._unknown(known, bool(followers))
        hits = [*causes, *symptoms, *followers]
        if unknown and not causes:
            first = symptoms[0].line if symptoms else None
            if first is None or unknown.line < first - _SAME_BLOCK:
                hits.insert(0, unknown)
        if not hits:
            hits = [hit for hit in self._alive("stall") if hit.count >= _STALL or known]
        if not hits and self._error and (known or (course.step is None and self._last - self._error.line <= _TAIL)):
            hits = [] if self._survived(self._error) or course.last_iteration else [self._error]
        return tuple(map(self._cause, hits))

    def _unknown(self, known: bool, echoed: bool) -> _Hit | None:
        """The first exception that the catalogue doesn't know, where it ended the training.

        A worker may print an exception and go on. It ended the training when the program itself ended with one, when
        an actor is told to be dead, or when the log ends there.
        """
        hit = self._hits.get(f"{_UNKNOWN} after" if self._course.finished else _UNKNOWN)
        if hit is None or self._survived(hit):
            return None
        ended = self._driver_error >= hit.line or echoed or self._last - hit.line <= _TAIL
        return hit if known or ended else None

    def _cause(self, hit: _Hit) -> Cause:
        if hit.signature is not None:
            return self._told(hit.signature, hit.line, hit.excerpt)
        cause, remedy = self._signatures.reasons[_UNKNOWN]
        return Cause(_UNKNOWN, hit.line, hit.excerpt, cause, remedy)

    def _told(self, one: Signature, line: int | None, excerpt: str) -> Cause:
        return Cause(one.id, line, excerpt, one.cause, one.remedy, one.parameters)

    def _of_exit(self, code: int | None, signal: int | None) -> Cause:
        name = "killed" if signal == signals.SIGKILL else "exit"
        cause, remedy = self._signatures.reasons[name]
        how = _how(code, signal)
        told = {lang: text.replace("{how}", how[lang]) for lang, text in cause.items()}
        return Cause(name, None, "", told, remedy)


def diagnose_log(
    path: str | Path,
    signatures: Signatures,
    failed: bool | None = None,
    code: int | None = None,
    signal: int | None = None,
    most: int = MOST_BYTES,
) -> Diagnosis:
    """Read a log file; of one larger than ``most`` bytes only the end.

    Raises:
        OSError: it can't be read.
    """
    judge = Judge(signatures)
    file = Path(path)
    skip = max(file.stat().st_size - most, 0)
    with file.open("rb") as stream:
        for number, line in marked_lines(stream, judge.words, judge.until, skip):
            judge.feed(number, line)
    return judge.verdict(failed, code, signal)


def _how(code: int | None, signal: int | None) -> Mapping[str, str]:
    if signal is not None:
        name = signals.Signals(signal).name if signal in list(signals.Signals) else str(signal)
        return {"en": f"the signal {name}", "zh": f"信号 {name} "}
    if code is not None:
        return {"en": f"exit code {code}", "zh": f"退出码 {code} "}
    return {"en": "an error", "zh": "错误状态"}


def _is_quoted(text: str) -> bool:
    """A line of a configuration that is printed (``'truncation': 'error',``): it may hold any word."""
    start = text.lstrip(" [{(")
    return start[:1] in "'\"" and ("': " in start[:120] or '": ' in start[:120])


def _is_warning(exception: str | None) -> bool:
    return bool(exception) and "Warning" in (exception or "").split(":", 1)[0]
