"""Why a run ended, kept as codes and told in the language of whoever looks.

run.json holds ``reason_codes``, a list of ``{"code", ...params}``; ``reason`` is the same in English, for programs.
What a log says (``ValueError: ...``) has the code ``log`` and is told as written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .record import RunRecord

TEXTS: dict[str, dict[str, str]] = {
    "log": {"en": "{text}", "zh": "{text}"},
    "exit-code": {"en": "exit code {exit_code}", "zh": "退出码 {exit_code}"},
    "killed": {"en": "killed by {signal}", "zh": "被信号 {signal} 终止"},
    "killed-by-kernel": {
        "en": "killed by {signal} (the kernel does that when memory runs out)",
        "zh": "被信号 {signal} 终止（内存耗尽时内核会这样做）",
    },
    "unwatched": {
        "en": "the processes that watched over the training were killed; its exit code is not known",
        "zh": "监管训练的进程已被终止，退出码未知",
    },
    "host-silent": {
        "en": "it ran on {host}, which writes nothing any more",
        "zh": "该任务运行在 {host} 上，那里已不再写入任何内容",
    },
    "rebooted": {"en": "the machine was started anew meanwhile", "zh": "其间机器重新启动过"},
    "no-supervisor": {"en": "its supervisor is gone", "zh": "其监管进程已不存在"},
    "one-removed": {"en": "1 process removed", "zh": "清除了 1 个进程"},
    "removed": {"en": "{count} processes removed", "zh": "清除了 {count} 个进程"},
}
_BETWEEN = {"en": "; ", "zh": "；"}


def reason_text(record: RunRecord, lang: str) -> str:
    """Why a run ended, in ``en`` or ``zh``; empty where there is nothing to say.

    Told as written where there are no codes (a run of an older version) or where one is not known here.
    """
    reasons = record.reason_codes
    if not reasons or any(one.get("code") not in TEXTS for one in reasons):
        return record.reason
    return _BETWEEN[lang].join(_sentences(reasons, lang))


def give_reason(record: RunRecord, code: str, **params: Any) -> None:
    """Add a reason to a record; its ``reason`` in English follows."""
    added: dict[str, Any] = {"code": code, **params}
    if record.reason and not record.reason_codes:
        record.reason_codes = [{"code": "log", "text": record.reason}]
    record.reason_codes = [*record.reason_codes, added]
    record.reason = "; ".join(part for part in (record.reason, *_sentences([added], "en")) if part)


def _sentences(reasons: Sequence[dict[str, Any]], lang: str) -> list[str]:
    return [TEXTS[one["code"]][lang].format(**one) for one in reasons]
