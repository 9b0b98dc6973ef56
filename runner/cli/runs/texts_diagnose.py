"""The sentences of `agentic-rl diagnose`, in both languages."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "help": {
        "en": "tell why a training failed and what to change, from its log",
        "zh": "根据日志说明训练失败的原因及需要修改的参数",
    },
    "help.reference": {"en": "run, or any training log", "zh": "训练任务，或任意训练日志"},
    "help.json": {"en": "one JSON object", "zh": "输出一个 JSON 对象"},
    "failed": {"en": "The training failed{where}.", "zh": "训练失败{where}。"},
    "finished": {"en": "The training ended well{where}.", "zh": "训练正常结束{where}。"},
    "no_failure": {"en": "The log shows no failure{where}.", "zh": "日志中没有失败的迹象{where}。"},
    "running": {
        "en": "The run has not ended{where}; nothing is wrong so far.",
        "zh": "训练任务尚未结束{where}，目前没有异常。",
    },
    "stopped": {"en": "The run was stopped on request{where}.", "zh": "训练任务被主动停止{where}。"},
    "step": {"en": " (step {step})", "zh": "（第 {step} 步）"},
    "step_of": {"en": " (step {step} of {total})", "zh": "（第 {step}/{total} 步）"},
    "cause": {"en": "cause", "zh": "原因"},
    "log": {"en": "line {line}", "zh": "第 {line} 行"},
    "metric": {"en": "metrics", "zh": "指标"},
    "remedy": {"en": "remedy", "zh": "处理"},
    "parameters": {"en": "change", "zh": "相关参数"},
    "then": {"en": "What followed from it, or happened beside it:", "zh": "由此引发或同时出现的问题："},
    "remarks": {"en": "Also worth knowing:", "zh": "另请注意："},
    "unreadable": {"en": "{path} can't be read: {error}", "zh": "无法读取 {path}：{error}"},
}

say = sayer(TEXTS)
