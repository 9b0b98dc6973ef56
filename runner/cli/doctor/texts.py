"""The sentences of `doctor` itself, in both languages; those of its findings are in templates/doctor/."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "desc": {
        "en": "Examine driver, CANN, packages, network and limits of this machine, and name the cure of what is wrong.",
        "zh": "检查本机的驱动、CANN、软件包、网络与系统限制，并给出处理办法。",
    },
    "epilog": {
        "en": "Exit code: 0 no error, 1 errors, 2 the file can't be read, 3 the training interpreter can't be asked.",
        "zh": "退出码：0 无错误，1 有错误，2 文件无法读取，3 无法查询训练环境的 Python。",
    },
    "help.file": {
        "en": "a configuration: also tell what it needs of this machine",
        "zh": "配置文件：同时检查它对本机的要求",
    },
    "help.python": {"en": "interpreter of the training environment", "zh": "训练环境的 Python"},
    "help.verl_version": {"en": "version of verl that is meant", "zh": "预期的 verl 版本"},
    "help.json": {"en": "print JSON", "zh": "输出 JSON"},
    "help.quiet": {"en": "only what is wrong", "zh": "仅显示有问题的条目"},
    "help.lang": {"en": "language of the output", "zh": "输出语言"},
    "looking": {"en": "Looking at this machine ...", "zh": "正在检查本机……"},
    "group.configuration": {"en": "Configuration", "zh": "配置文件"},
    "group.python": {"en": "Python", "zh": "Python"},
    "group.software": {"en": "Packages", "zh": "软件包"},
    "group.ascend": {"en": "Devices, driver, CANN", "zh": "设备、驱动与 CANN"},
    "group.network": {"en": "Network", "zh": "网络"},
    "group.limits": {"en": "Machine and limits", "zh": "系统与限制"},
    "level.ok": {"en": "ok", "zh": "正常"},
    "level.hint": {"en": "hint", "zh": "提示"},
    "level.warning": {"en": "warning", "zh": "警告"},
    "level.error": {"en": "error", "zh": "错误"},
    "because": {"en": "why:  ", "zh": "影响："},
    "cure": {"en": "cure: ", "zh": "处理："},
    "source": {"en": "from: ", "zh": "来源："},
    "sum.fine": {"en": "Nothing stands in the way of a training.", "zh": "未发现妨碍训练的问题。"},
    "sum.hints": {
        "en": "Nothing stands in the way of a training ({hints}).",
        "zh": "未发现妨碍训练的问题（{hints}）。",
    },
    "sum.untrained": {
        "en": "No error, but nothing here could train yet ({hints}).",
        "zh": "没有错误，但此环境尚未安装训练软件（{hints}）。",
    },
    "sum.found": {"en": "{listed}.", "zh": "{listed}。"},
    "count.error.one": {"en": "1 error", "zh": "1 个错误"},
    "count.error": {"en": "{count} errors", "zh": "{count} 个错误"},
    "count.warning.one": {"en": "1 warning", "zh": "1 个警告"},
    "count.warning": {"en": "{count} warnings", "zh": "{count} 个警告"},
    "count.hint.one": {"en": "1 hint", "zh": "1 条提示"},
    "count.hint": {"en": "{count} hints", "zh": "{count} 条提示"},
}

say = sayer(TEXTS)
