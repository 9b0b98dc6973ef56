"""The sentences of `agent new`, in both languages."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "help.new": {
        "en": "write a wrapper of your own to begin with, and a test beside it",
        "zh": "生成一个可直接修改的 wrapper 及其测试",
    },
    "help.name": {
        "en": "name of the agent, a Python identifier; the file is NAME.py",
        "zh": "智能体名称，须为 Python 标识符；文件名为 NAME.py",
    },
    "help.kind": {
        "en": "single-turn: one answer; tool-use: tools before the answer; environment: acts turn by turn (default)",
        "zh": "single-turn：一次作答；tool-use：先用工具再作答；environment：逐轮行动（默认）",
    },
    "help.output": {"en": "folder (default: here)", "zh": "输出目录（默认：当前目录）"},
    "help.lang": {"en": "language of the comments", "zh": "注释的语言"},
    "new.bad_name": {
        "en": "agentic-rl agent new: {name!r} can't name an agent: AgentSDK takes the file's name as a Python identifier "
        "(letters, digits, _; no dash, no digit in front). Try {better}.",
        "zh": "agentic-rl agent new：{name!r} 不能作为智能体名称：AgentSDK 要求文件名是 Python 标识符"
        "（字母、数字、下划线，不含连字符，不以数字开头）。可改用 {better}。",
    },
    "new.taken_name": {
        "en": "agentic-rl agent new: a file {name}.py would stand in the way of the Python module {name}. Try {better}.",
        "zh": "agentic-rl agent new：文件 {name}.py 会遮蔽 Python 模块 {name}。可改用 {better}。",
    },
    "new.exists": {
        "en": "agentic-rl agent new: {path} exists and is left alone. Choose another name or folder (-o).",
        "zh": "agentic-rl agent new：{path} 已存在，未作改动。请换一个名称或目录（-o）。",
    },
    "new.unwritable": {
        "en": "agentic-rl agent new: {path} can't be written: {error}. Choose another folder (-o).",
        "zh": "agentic-rl agent new：无法写入 {path}：{error}。请换一个目录（-o）。",
    },
    "new.done": {
        "en": "wrote {wrapper} and {test}\n"
        "1. Change what is yours, then try it without a model:\n"
        "     agentic-rl agent try {wrapper} --task JSON --replies JSON\n"
        "2. Run its test:\n"
        "     pytest {test}\n"
        "3. Name it in a configuration:\n"
        "     agent_name: {name}\n"
        "     agent_engine_wrapper_path: {absolute}",
        "zh": "已写入 {wrapper} 与 {test}\n"
        "1. 改成自己的逻辑，不用模型即可试运行：\n"
        "     agentic-rl agent try {wrapper} --task JSON --replies JSON\n"
        "2. 运行测试：\n"
        "     pytest {test}\n"
        "3. 在配置中引用：\n"
        "     agent_name: {name}\n"
        "     agent_engine_wrapper_path: {absolute}",
    },
}

say = sayer(TEXTS)
