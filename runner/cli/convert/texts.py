"""Texts of `agentic-rl convert`."""

from __future__ import annotations

from collections.abc import Mapping

Text = Mapping[str, str]

REASONS: Mapping[str, Text] = {
    "no-parameter": {
        "en": "kept in comments, AgentSDK has no parameter for them ({count}): {keys}",
        "zh": "以注释保留，AgentSDK 没有对应参数（{count} 个）：{keys}",
    },
    "refused-value": {
        "en": "kept in comments, AgentSDK refuses the value ({count}): {keys}",
        "zh": "以注释保留，AgentSDK 不接受其取值（{count} 个）：{keys}",
    },
    "launcher-sets": {
        "en": "kept in comments, agentic_rl sets another value itself ({count}): {keys}",
        "zh": "以注释保留，agentic_rl 会自行设为其他值（{count} 个）：{keys}",
    },
    "not-verl": {
        "en": "kept in comments, not settings of this form ({count}): {keys}",
        "zh": "以注释保留，目标形式没有这些设置（{count} 个）：{keys}",
    },
    "undeclared": {
        "en": "not declared by this verl, passed with + ({count}): {keys}",
        "zh": "该版本 verl 未声明，以 + 传入（{count} 个）：{keys}",
    },
    "unknown": {
        "en": "not declared by this verl, carried over as they are ({count}): {keys}",
        "zh": "该版本 verl 未声明，按原样写入（{count} 个）：{keys}",
    },
    "not-obeyed": {
        "en": "carried over, but agentic_rl does not obey them ({count}): {keys}",
        "zh": "已转换，但由 agentic_rl 启动时不生效（{count} 个）：{keys}",
    },
}
REMARKS: Mapping[str, Text] = {
    "unknown-variable": {
        "en": "variables that the script does not set, left to the environment ({count}): {keys}",
        "zh": "脚本未设置的变量，留给环境变量（{count} 个）：{keys}",
    },
    "command": {
        "en": "commands whose output the script uses, not executed ({count}): {keys}",
        "zh": "脚本使用其输出的命令，未执行（{count} 个）：{keys}",
    },
    "branch": {
        "en": "set inside a branch that was not decided, check them ({count}): {keys}",
        "zh": "在条件分支中设置，未作判断，请核对（{count} 个）：{keys}",
    },
    "broken": {"en": "not overrides, left out ({count}): {keys}", "zh": "不是覆盖项，已略去（{count} 个）：{keys}"},
    "option": {
        "en": "other arguments of the command, left out ({count}): {keys}",
        "zh": "命令的其他参数，已略去（{count} 个）：{keys}",
    },
    "deleted": {
        "en": "deleted by the script (~), the defaults hold again ({count}): {keys}",
        "zh": "脚本用 ~ 删除，恢复为默认值（{count} 个）：{keys}",
    },
    "outside": {
        "en": "keys beside backend_config ({count}): {keys}",
        "zh": "backend_config 之外的键（{count} 个）：{keys}",
    },
    "environment": {
        "en": "environment variables that the script exports, to be set where it runs ({count}): {keys}",
        "zh": "脚本导出的环境变量，需在运行环境中设置（{count} 个）：{keys}",
    },
}
MISSING: Text = {
    "en": "still to be set ({count}): {keys}",
    "zh": "仍需设置（{count} 个）：{keys}",
}
SUMMARY: Text = {
    "en": "{carried} settings carried over, {kept} kept in comments.",
    "zh": "已转换 {carried} 项设置，{kept} 项以注释保留。",
}
