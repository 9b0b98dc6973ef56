"""The sentences of `agentic-rl agent`, in both languages."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "help.agent": {"en": "check, try and write agent wrappers", "zh": "检查、试运行和编写智能体 wrapper"},
    "help.check": {
        "en": "find the mistakes of a wrapper without running it",
        "zh": "不运行 wrapper，静态检查其中的错误",
    },
    "help.try": {
        "en": "play a task with a wrapper and a tiny model, and show the trajectory",
        "zh": "用 wrapper 和微型模型执行一个任务，并展示轨迹",
    },
    "help.file": {
        "en": "the wrapper: a Python file with one subclass of BaseEngineWrapper",
        "zh": "wrapper：含有一个 BaseEngineWrapper 子类的 Python 文件",
    },
    "help.python": {"en": "interpreter of the training environment", "zh": "训练环境的 Python"},
    "help.json": {"en": "print one JSON object", "zh": "输出一个 JSON 对象"},
    "help.lang": {"en": "language", "zh": "语言"},
    "help.task": {
        "en": "a task as JSON, or a file of tasks (JSON or JSON lines); may be given several times",
        "zh": "JSON 形式的任务，或任务文件（JSON 或 JSON Lines），可多次给出",
    },
    "help.config": {
        "en": "take wrapper, settings, tokenizer and a row of the data from a configuration",
        "zh": "从配置文件中取得 wrapper、参数、分词器和一行数据",
    },
    "help.row": {"en": "row of the data of --config, from 0", "zh": "--config 数据中的行号，从 0 开始"},
    "help.replies": {
        "en": "the model's replies, a JSON list of texts in order, instead of a model",
        "zh": "以 JSON 字符串列表按顺序给出模型回复，不使用模型",
    },
    "help.steps": {"en": "max_steps: turns of a trajectory", "zh": "max_steps：单条轨迹的最大轮数"},
    "help.timeout": {
        "en": "seconds that the wrapper may take (60)",
        "zh": "wrapper 的执行时限，单位秒（默认 60）",
    },
    "codes.check": {
        "en": "Exit code: 0 no error, 1 an error, 2 the file can't be read. --python also looks for the modules.",
        "zh": "退出码：0 无错误，1 有错误，2 文件无法读取。给出 --python 时还会检查所需模块。",
    },
    "codes.try": {
        "en": "Exit code: 0 every task gave a trajectory that can be trained, 1 not so, 2 usage, 3 environment.",
        "zh": "退出码：0 每个任务都得到可训练的轨迹，1 未能得到，2 用法错误，3 环境问题。",
    },
    "check.good": {"en": "Nothing wrong was found.", "zh": "未发现问题。"},
    "check.notes": {"en": "No error; see the remarks above.", "zh": "没有错误，请留意以上提示。"},
    "check.bad": {"en": "Errors: {count}.", "zh": "错误：{count} 个。"},
    "no_file": {
        "en": "name the wrapper, or a configuration that names one (--config)",
        "zh": "请给出 wrapper，或用 --config 给出指定了 wrapper 的配置",
    },
    "no_such_file": {"en": "there is no file {file}", "zh": "文件 {file} 不存在"},
    "bad_config": {
        "en": "{file} can't be read as a configuration; agentic-rl check says why",
        "zh": "无法将 {file} 作为配置读取，原因请见 agentic-rl check",
    },
    "no_data": {
        "en": "{file} names no training data; give a task with --task",
        "zh": "{file} 未指定训练数据，请用 --task 给出任务",
    },
    "unreadable": {"en": "{file} can't be read: {error}", "zh": "无法读取 {file}：{error}"},
    "bad_json": {"en": "{what} is not JSON: {error}", "zh": "{what} 不是合法的 JSON：{error}"},
    "bad_task": {
        "en": '--task wants a JSON object such as {{"question": "12+3"}}',
        "zh": '--task 需要 JSON 对象，例如 {{"question": "12+3"}}',
    },
    "bad_replies": {
        "en": '--replies wants a JSON list of texts such as ["5", "7"]',
        "zh": '--replies 需要 JSON 字符串列表，例如 ["5", "7"]',
    },
    "not_started": {"en": "{python} can't be started: {error}", "zh": "无法启动 {python}：{error}"},
    "start_failed": {
        "en": "{python} could not prepare the try (are torch and transformers there?): {error}",
        "zh": "{python} 未能完成准备（是否已安装 torch 与 transformers？）：{error}",
    },
    "no_answer": {"en": "no answer", "zh": "没有应答"},
    "exit_code": {"en": "exit code {code}", "zh": "退出码 {code}"},
    "refused": {"en": "the task or the model can't be had: {error}", "zh": "无法取得任务或模型：{error}"},
    "header": {
        "en": "{file}: {model}; tasks: {tasks}, requests to the model: {requests}, {seconds} s",
        "zh": "{file}：{model}，任务 {tasks} 个，模型请求 {requests} 次，用时 {seconds} 秒",
    },
    "model.tiny": {"en": "a tiny random model", "zh": "随机初始化的微型模型"},
    "model.replies": {"en": "scripted replies", "zh": "预设回复"},
    "task": {"en": "task {id}", "zh": "任务 {id}"},
    "reward": {"en": "reward", "zh": "奖励"},
    "metrics": {"en": "metrics", "zh": "指标"},
    "chat": {"en": "conversation (as the wrapper tells it)", "zh": "对话（由 wrapper 给出）"},
    "tokens": {
        "en": "tokens: prompt {prompt}, response {response}, trained {trained} (+ trained, - not trained)",
        "zh": "token：提示词 {prompt}，回复 {response}，参与训练 {trained}（+ 参与训练，- 不参与）",
    },
    "printed": {"en": "the wrapper printed ({count} bytes):", "zh": "wrapper 的输出（{count} 字节）："},
    "of_task": {"en": "task {task}, ", "zh": "任务 {task}，"},
    "fix.wrapper-ended": {
        "en": "Raise an exception, or return a trajectory with a low reward; never end the process.",
        "zh": "请抛出异常，或返回低奖励的轨迹，不要结束进程。",
    },
    "fix.process-left": {
        "en": "End every process that the wrapper starts, also when a task fails.",
        "zh": "请结束 wrapper 启动的每个进程，任务失败时也要结束。",
    },
    "fix": {"en": "fix", "zh": "处理"},
    "check_says": {"en": "Reading the file also shows:", "zh": "静态检查还发现："},
    "ok": {"en": "Every task gave a trajectory that can be trained.", "zh": "每个任务都得到了可训练的轨迹。"},
    "not_ok": {
        "en": "Problems: {count}. Such a trajectory is not trained.",
        "zh": "问题：{count} 个。这样的轨迹不会参与训练。",
    },
    "left": {
        "en": "processes were left running and have been ended: {names}",
        "zh": "有进程残留，已被结束：{names}",
    },
    "ended": {
        "en": "the wrapper ended the process (exit code {code})",
        "zh": "wrapper 结束了进程（退出码 {code}）",
    },
    "signal": {
        "en": "the process died of signal {code}",
        "zh": "进程因信号 {code} 终止",
    },
    "hangs": {
        "en": "the wrapper has not returned within {seconds} s and was ended",
        "zh": "wrapper 在 {seconds} 秒内没有返回，已被结束",
    },
}

# What a rule asks for (agentic_rl_inside.agent.rules), in front of the message of the training process.
RULES: dict[str, dict[str, str]] = {
    "wrapper-file": {"en": "the file", "zh": "文件"},
    "wrapper-name": {"en": "the file's name", "zh": "文件名"},
    "wrapper-import": {"en": "the file must load", "zh": "文件必须能够加载"},
    "wrapper-class": {"en": "exactly one subclass", "zh": "恰好一个子类"},
    "wrapper-arguments": {"en": "the constructor", "zh": "构造函数"},
    "wrapper-initialize": {"en": "initialize()", "zh": "initialize()"},
    "wrapper-raised": {"en": "it must not raise", "zh": "不能抛出异常"},
    "wrapper-hangs": {"en": "it must return", "zh": "必须返回"},
    "wrapper-ended": {"en": "it must not end the process", "zh": "不能结束进程"},
    "process-left": {"en": "no process may be left", "zh": "不能残留进程"},
    "not-a-list": {"en": "a list of trajectories", "zh": "返回轨迹列表"},
    "not-a-trajectory": {"en": "a list of trajectories", "zh": "返回轨迹列表"},
    "too-few-trajectories": {"en": "one trajectory for each task", "zh": "每个任务一条轨迹"},
    "too-many-trajectories": {"en": "one trajectory for each task", "zh": "每个任务一条轨迹"},
    "idx-unmatched": {"en": "idx is the task's id", "zh": "idx 为任务的 id"},
    "tokens": {"en": "token tensors", "zh": "token 张量"},
    "token-range": {"en": "token ids of the vocabulary", "zh": "词表范围内的 token id"},
    "mask-length": {"en": "a mask for each response token", "zh": "每个回复 token 对应一个 mask"},
    "mask-values": {"en": "masks of 0 and 1", "zh": "mask 取 0 或 1"},
    "mask-empty": {"en": "something to train", "zh": "有可训练的内容"},
    "idx": {"en": "idx", "zh": "idx"},
    "reward": {"en": "a reward that is a number", "zh": "奖励为数值"},
    "reward-not-finite": {"en": "a finite reward", "zh": "奖励为有限值"},
    "chat": {"en": "messages of texts", "zh": "消息内容为字符串"},
    "metrics": {"en": "the seven metrics", "zh": "七个指标"},
    "metrics-five": {"en": "the seven metrics", "zh": "七个指标"},
    "module-replaced": {"en": "modules stay in place", "zh": "不替换已有模块"},
    "tokens-not-generated": {"en": "trained tokens are the model's", "zh": "参与训练的 token 来自模型"},
    "tokens-retokenised": {"en": "the model's own tokens", "zh": "模型自身的 token"},
    "trajectory-cut": {"en": "the length of a trajectory", "zh": "轨迹长度"},
    "request": {"en": "requests to the model", "zh": "对模型的请求"},
    "request-too-long": {"en": "requests to the model", "zh": "对模型的请求"},
    "request-default-length": {"en": "requests to the model", "zh": "对模型的请求"},
}

say = sayer(TEXTS)


def rule_name(rule: str, lang: str) -> str:
    """What a rule is about, with its name for `explain` and for search."""
    known = RULES.get(rule)
    return known[lang] if known else rule
