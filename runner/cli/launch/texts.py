"""The sentences of `plan`, `run` and `quickstart`, in both languages."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "help.config": {"en": "the configuration file", "zh": "配置文件"},
    "help.config_path": {"en": "the same, as agentic_rl spells it", "zh": "同上，agentic_rl 的写法"},
    "help.python": {
        "en": "the training interpreter (default: $AGENTIC_RL_PYTHON, else the one of this tool)",
        "zh": "训练所用的 Python（默认：$AGENTIC_RL_PYTHON，否则为本工具的 Python）",
    },
    "help.local": {"en": "train on this CPU, whatever the file says", "zh": "无论文件如何设置，都在本机 CPU 上训练"},
    "help.fresh": {
        "en": "start over under a new experiment name instead of resuming",
        "zh": "不续训，以新的实验名从头开始",
    },
    "help.workdir": {
        "en": "directory of checkpoints/ and runs/ (default: here)",
        "zh": "checkpoints/ 与 runs/ 所在目录（默认：当前目录）",
    },
    "help.devices": {"en": "devices to use, e.g. 0-3 or 0,2", "zh": "使用的设备，例如 0-3 或 0,2"},
    "help.ray": {"en": "join this Ray cluster", "zh": "加入该 Ray 集群"},
    "help.set": {"en": "change a parameter for this run only; may be repeated", "zh": "仅在本次运行中修改参数，可重复"},
    "help.detach": {"en": "start it and return", "zh": "启动后立即返回"},
    "help.tui": {"en": "watch it on the full screen", "zh": "以全屏界面跟踪"},
    "help.json": {"en": "machine-readable: one JSON object a line", "zh": "机器可读：每行一个 JSON 对象"},
    "help.lang": {"en": "language of the output", "zh": "输出语言"},
    "help.agent": {
        "en": "an agent of several turns with a wrapper for AgentSDK, in place of sums",
        "zh": "训练多轮智能体（使用 AgentSDK 的 wrapper），而非加法",
    },
    "help.dir": {
        "en": "where everything goes (default: quickstart; with --agent quickstart-agent)",
        "zh": "所有文件的位置（默认：quickstart；加 --agent 时为 quickstart-agent）",
    },
    "help.plain": {"en": "a progress line instead of the full screen", "zh": "仅显示进度行，不使用全屏界面"},
    "help.steps": {"en": "training steps of a first run", "zh": "首次运行的训练步数"},
    "help.more": {"en": "steps that another run adds", "zh": "再次运行时增加的步数"},
    "help.seed": {"en": "seed of model, data and split", "zh": "模型、数据与划分的随机种子"},
    "desc.plan": {
        "en": "Show what `run` would start: command, environment, checkpoint. Starts nothing.",
        "zh": "显示 `run` 将启动的内容：命令、环境、检查点。不实际启动。",
    },
    "desc.run": {"en": "Check, plan, start and watch a training run.", "zh": "检查、规划、启动并跟踪训练。"},
    "desc.quickstart": {
        "en": "Train a tiny model on this CPU with the real verl; again: go on from the checkpoint.",
        "zh": "用真实的 verl 在本机 CPU 上训练微型模型；再次执行则从检查点继续。",
    },
    "plan.title": {"en": "{backend} on {device}", "zh": "{backend}，设备 {device}"},
    "plan.command": {"en": "Command", "zh": "命令"},
    "plan.environment": {"en": "Environment", "zh": "环境变量"},
    "plan.directory": {"en": "Working directory", "zh": "工作目录"},
    "plan.checkpoints": {"en": "Checkpoints", "zh": "检查点"},
    "plan.steps": {"en": "Steps", "zh": "步数"},
    "plan.unset": {"en": "taken away from the training process", "zh": "不传给训练进程"},
    "plan.scaled": {"en": "Changed for this CPU", "zh": "为本机 CPU 所作的改动"},
    "plan.notes": {"en": "What does not carry over as it stands", "zh": "与文件不完全一致之处"},
    "plan.unknown_steps": {"en": "as the data give", "zh": "由数据决定"},
    "run.started": {"en": "Run {id} started: {directory}", "zh": "训练任务 {id} 已启动：{directory}"},
    "run.resume": {
        "en": "Resuming from the checkpoint of step {step} in {directory}",
        "zh": "从 {directory} 中第 {step} 步的检查点继续",
    },
    "run.detached": {
        "en": "Watch it:  agentic-rl attach {id}   Log:  agentic-rl logs {id} -f   Stop it:  agentic-rl stop {id}",
        "zh": "跟踪：agentic-rl attach {id}   日志：agentic-rl logs {id} -f   停止：agentic-rl stop {id}",
    },
    "run.reward": {
        "en": "Mean reward on training prompts: {first:.3f} (first {n} steps) -> {last:.3f} (last {n} steps).",
        "zh": "训练题平均奖励：{first:.3f}（前 {n} 步）-> {last:.3f}（后 {n} 步）。",
    },
    "run.directory": {"en": "Run directory: {directory}", "zh": "运行目录：{directory}"},
    "run.locked": {
        "en": "{directory} is in use by run {run} (process {pid} on {host}); two runs would overwrite each other's "
        "checkpoints. Stop it with `agentic-rl stop {run}`, or use --fresh.",
        "zh": "{directory} 正被训练任务 {run} 使用（{host} 上的进程 {pid}），两个训练任务会互相覆盖检查点。"
        "请用 `agentic-rl stop {run}` 停止它，或使用 --fresh。",
    },
    "run.not_started": {
        "en": "{program} can't be started: {error}. Check the interpreter named with --python.",
        "zh": "无法启动 {program}：{error}。请检查 --python 指定的解释器。",
    },
    "run.no_directory": {
        "en": "The run directory {path} can't be written: {error}. Free some space or choose another --workdir.",
        "zh": "无法写入运行目录 {path}：{error}。请释放空间或用 --workdir 指定其他目录。",
    },
    "run.foreign_directory": {
        "en": "{path} belongs to {owner}; runs are written only where you own the directory. Choose another --workdir.",
        "zh": "{path} 属于 {owner}；训练任务只写入自己拥有的目录。请用 --workdir 指定其他目录。",
    },
    "run.bad_file_name": {
        "en": "The plan names a file outside the run directory: {path}",
        "zh": "规划的文件位于运行目录之外：{path}",
    },
    "run.supervisor": {
        "en": "The supervisor ended before the training began: {error}. Its own log is {path}.",
        "zh": "监管进程在训练开始前退出：{error}。其日志为 {path}。",
    },
    "quick.prepare": {
        "en": "Preparing the tiny model and its data in {directory}",
        "zh": "正在 {directory} 中准备微型模型与数据",
    },
    "quick.wrapper": {"en": "Wrote the agent wrapper {path}", "zh": "已生成智能体 wrapper {path}"},
    "quick.no_wrapper": {
        "en": "The agent wrapper {path} can't be written: {error}",
        "zh": "无法写入智能体 wrapper {path}：{error}",
    },
    "quick.warm_up": {
        "en": "warm-up step {step} of {of}, loss {loss:.3f}",
        "zh": "预热 第 {step}/{of} 步，损失 {loss:.3f}",
    },
    "quick.no_prepare": {
        "en": "The model and data could not be made (exit code {code}): {error}",
        "zh": "无法生成模型与数据（退出码 {code}）：{error}",
    },
    "quick.again": {
        "en": "{config} exists: {done} of {total} steps are trained; going on to step {goal}.",
        "zh": "{config} 已存在：已训练 {done}/{total} 步，将继续到第 {goal} 步。",
    },
    "quick.before": {"en": "before training", "zh": "训练前"},
    "quick.after": {"en": "after {step} steps", "zh": "第 {step} 步后"},
    "quick.task": {
        "en": "Task: sums such as 47+8. The warm-up copied a teacher who mostly forgets the carry; the reward of GRPO "
        "is 1 for the right sum, else 0.",
        "zh": "任务：形如 47+8 的加法。预热时模仿的是经常忘记进位的老师；GRPO 的奖励为答对 1，否则 0。",
    },
    "quick.game": {
        "en": "Task: guess a number between two others in at most five turns. The warm-up copied a player who mostly forgets the "
        "answers `higher` and `lower`; half of GRPO's reward is for guesses that heed them, half for finding the number soon.",
        "zh": "任务：在给定范围内猜数，最多五轮。预热时模仿的是经常忘记 `higher`、`lower` 回答的玩家；"
        "GRPO 的奖励一半来自符合回答的猜测，一半来自尽快猜中。",
    },
    "quick.turns": {
        "en": "Turns a game: {first:.2f} (first {n} steps) -> {last:.2f} (last {n} steps); tool calls that heed the answers: "
        "{calls_first:.0%} -> {calls_last:.0%}.",
        "zh": "每局轮数：{first:.2f}（前 {n} 步）-> {last:.2f}（后 {n} 步）；符合回答的工具调用：{calls_first:.0%} -> {calls_last:.0%}。",
    },
    "quick.games": {
        "en": "Held-out games won: {before:.3f} {before_when}, {after:.3f} {after_when} "
        "({rows} games in ranges that neither warm-up nor training has seen, one try each, sampled as in training).",
        "zh": "留出局获胜率：{before_when} {before:.3f}，{after_when} {after:.3f}"
        "（{rows} 局，其范围在预热与训练中均未出现；每局一次，采样方式与训练相同）。",
    },
    "quick.next_agent": {
        "en": "Next:\n"
        "  - the same command again goes on from here\n"
        "  - one game, turn by turn: {program} agent try --config {config}\n"
        "  - change {wrapper}, then: {program} run {config}\n"
        "  - a wrapper of your own: {program} agent new NAME",
        "zh": "接下来：\n"
        "  - 再次执行同一命令会继续训练\n"
        "  - 逐轮展示一局：{program} agent try --config {config}\n"
        "  - 修改 {wrapper} 后运行：{program} run {config}\n"
        "  - 编写自己的 wrapper：{program} agent new NAME",
    },
    "quick.held_out": {
        "en": "Held-out accuracy: {before:.3f} {before_when}, {after:.3f} {after_when} "
        "({rows} sums that neither warm-up nor training has seen, sampled as verl validates: temperature 0.6).",
        "zh": "留出题准确率：{before_when} {before:.3f}，{after_when} {after:.3f}"
        "（{rows} 道预热与训练都未见过的题，按 verl 验证方式采样，温度 0.6）。",
    },
    "quick.next": {
        "en": "Next:\n"
        "  - the same command again goes on from here\n"
        "  - what a parameter does: {program} explain rollout_n\n"
        "  - change {config}, then: {program} run {config}",
        "zh": "接下来：\n"
        "  - 再次执行同一命令会继续训练\n"
        "  - 查看参数的作用：{program} explain rollout_n\n"
        "  - 修改 {config} 后运行：{program} run {config}",
    },
}

say = sayer(TEXTS)
