"""The sentences of the commands that deal with runs, in both languages."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "help.runs": {"en": "list the runs", "zh": "列出训练任务"},
    "help.json_runs": {"en": "one run a line", "zh": "每行一个训练任务"},
    "help.status": {"en": "show where a run stands", "zh": "查看训练任务状态"},
    "help.reference": {
        "en": "run directory, id, unique prefix of one, or `last`",
        "zh": "运行目录、id、唯一前缀，或 `last`",
    },
    "help.logs": {"en": "print the log of a run", "zh": "输出训练任务日志"},
    "help.follow": {"en": "go on until the run ends", "zh": "持续输出直到训练任务结束"},
    "help.grep": {"en": "only lines in which this regular expression is found", "zh": "仅输出匹配该正则表达式的行"},
    "help.lines": {"en": "only the last N lines (of those that match)", "zh": "仅输出（匹配行中的）最后 N 行"},
    "help.metrics": {
        "en": "print the metrics of a run, or of any training log",
        "zh": "输出训练任务或任意训练日志中的指标",
    },
    "help.json_steps": {"en": "one step a line", "zh": "每行一步"},
    "help.stop": {"en": "stop a run and remove all its processes", "zh": "停止训练任务并清除其全部进程"},
    "help.now": {"en": "without time for a clean end", "zh": "不等待正常结束"},
    "stage.starting": {"en": "starting", "zh": "启动中"},
    "stage.loading": {"en": "loading the model", "zh": "加载模型"},
    "stage.rollout": {"en": "starting the rollout server", "zh": "启动推理服务"},
    "stage.initial-validation": {"en": "initial validation", "zh": "训练前验证"},
    "stage.training": {"en": "training", "zh": "训练中"},
    "stage.validation": {"en": "validation", "zh": "验证中"},
    "stage.saving": {"en": "saving a checkpoint", "zh": "保存检查点"},
    "stage.finishing": {"en": "finishing", "zh": "收尾中"},
    "state.starting": {"en": "starting", "zh": "启动中"},
    "state.running": {"en": "running", "zh": "运行中"},
    "state.stopping": {"en": "stopping", "zh": "停止中"},
    "state.finished": {"en": "finished", "zh": "已完成"},
    "state.failed": {"en": "failed", "zh": "失败"},
    "state.stopped": {"en": "stopped", "zh": "已停止"},
    "state.lost": {"en": "lost", "zh": "失联"},
    "step": {"en": "step {step}", "zh": "第 {step} 步"},
    "step_of": {"en": "step {step} of {total}", "zh": "第 {step}/{total} 步"},
    "reward": {"en": "reward {reward:.4g}", "zh": "奖励 {reward:.4g}"},
    "pace": {"en": "{seconds:.3g} s/step", "zh": "{seconds:.3g} 秒/步"},
    "left": {"en": "{time} left", "zh": "剩余 {time}"},
    "time.s": {"en": "{s} s", "zh": "{s} 秒"},
    "time.m": {"en": "{m} min {s} s", "zh": "{m} 分 {s} 秒"},
    "time.h": {"en": "{h} h {m} min", "zh": "{h} 小时 {m} 分"},
    "checkpoint": {"en": "checkpoint: {path}", "zh": "检查点：{path}"},
    "resume": {"en": "resumed at step {step}", "zh": "从第 {step} 步继续"},
    "validation": {"en": "validation at step {step}", "zh": "第 {step} 步验证"},
    "warning": {"en": "warning: {text}", "zh": "警告：{text}"},
    "end.finished": {"en": "Finished after {time}.", "zh": "训练完成，用时 {time}。"},
    "end.failed": {"en": "The training failed: {reason}", "zh": "训练失败：{reason}"},
    "end.stopped": {"en": "Stopped.", "zh": "已停止。"},
    "end.lost": {"en": "The run is lost: {reason}", "zh": "运行失联：{reason}"},
    "failure.cause": {"en": "Cause:  {text}", "zh": "原因：{text}"},
    "failure.remedy": {"en": "Remedy: {text}", "zh": "处理：{text}"},
    "failure.parameters": {"en": "Change: {text}", "zh": "相关参数：{text}"},
    "log_is": {"en": "Log: {path}", "zh": "日志：{path}"},
    "detached": {
        "en": "The run goes on. Watch it with: agentic-rl attach {id}",
        "zh": "训练继续运行。再次查看：agentic-rl attach {id}",
    },
    "ask": {
        "en": "[s]top the run, [d]etach and let it run, [c]ontinue watching? ",
        "zh": "[s] 停止训练，[d] 离开（训练继续），[c] 继续查看？",
    },
    "stopping": {
        "en": "Stopping run {id}. Ctrl-C again stops it at once.",
        "zh": "正在停止 {id}，再按一次 Ctrl-C 立即停止。",
    },
    "stopping_now": {"en": "Stopping at once.", "zh": "立即停止。"},
    "stopped": {"en": "Run {id} is stopped.", "zh": "{id} 已停止。"},
    "not_running": {"en": "Run {id} had already ended: {state}.", "zh": "{id} 早已结束：{state}。"},
    "no_runs": {
        "en": "No runs yet. Start one with: agentic-rl run FILE",
        "zh": "还没有运行。开始：agentic-rl run 文件",
    },
    "run.not_found": {"en": "No run is called {reference}.", "zh": "没有名为 {reference} 的训练任务。"},
    "run.nearest": {"en": "Did you mean {nearest}?", "zh": "是不是 {nearest}？"},
    "run.ambiguous": {"en": "{reference} may mean several runs:", "zh": "{reference} 对应多个训练任务："},
    "run.no_log": {"en": "There is no log at {path}: {error}", "zh": "{path} 没有日志：{error}"},
    "run.no_metrics": {"en": "No metric lines in {path}.", "zh": "{path} 中没有指标。"},
    "run.bad_pattern": {
        "en": "{pattern} is not a regular expression: {error}",
        "zh": "{pattern} 不是正则表达式：{error}",
    },
    "run.other_host": {
        "en": "The run is on host {host}: stop it there.",
        "zh": "该训练任务在主机 {host} 上，请在那里停止。",
    },
    "run.not_yours": {
        "en": "The run belongs to another user ({owner}).",
        "zh": "该训练任务属于其他用户（{owner}）。",
    },
    "run.still_alive": {"en": "These processes do not end: {pids}", "zh": "以下进程没有结束：{pids}"},
    "field.id": {"en": "run", "zh": "运行"},
    "field.name": {"en": "experiment", "zh": "实验"},
    "field.state": {"en": "state", "zh": "状态"},
    "field.progress": {"en": "progress", "zh": "进度"},
    "field.backend": {"en": "back end", "zh": "后端"},
    "field.started": {"en": "started", "zh": "开始"},
    "field.time": {"en": "time", "zh": "用时"},
    "field.exit": {"en": "exit", "zh": "退出码"},
    "field.reason": {"en": "reason", "zh": "原因"},
    "field.cause": {"en": "cause", "zh": "失败原因"},
    "field.remedy": {"en": "remedy", "zh": "处理办法"},
    "field.parameters": {"en": "change", "zh": "相关参数"},
    "field.checkpoints": {"en": "checkpoints", "zh": "检查点"},
    "field.directory": {"en": "directory", "zh": "目录"},
    "field.log": {"en": "log", "zh": "日志"},
    "field.lost": {"en": "log bytes lost", "zh": "丢失日志字节"},
    "field.processes": {"en": "processes", "zh": "进程"},
    "field.step": {"en": "step", "zh": "步"},
    "field.reward": {"en": "reward", "zh": "奖励"},
    "field.length": {"en": "length", "zh": "长度"},
    "field.entropy": {"en": "entropy", "zh": "熵"},
    "field.kl": {"en": "kl", "zh": "KL"},
    "field.loss": {"en": "loss", "zh": "损失"},
    "field.seconds": {"en": "s/step", "zh": "秒/步"},
    "lost.hint": {
        "en": "Its processes are still there; `agentic-rl stop {id}` removes them.",
        "zh": "其进程仍在，可用 `agentic-rl stop {id}` 清除。",
    },
}

text = sayer(TEXTS)


def duration(seconds: float, lang: str) -> str:
    """A duration in words: ``4 min 30 s``."""
    whole = max(round(seconds), 0)
    if whole < 60:
        return text("time.s", lang, s=whole)
    if whole < 3600:
        return text("time.m", lang, m=whole // 60, s=whole % 60)
    return text("time.h", lang, h=whole // 3600, m=whole % 3600 // 60)
