"""The command `agentic-rl`: finds the subcommand, loads only what that one needs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import cast

from .locale_language import default_language

# Subcommand -> (room.module of this package, one-line help in English and Chinese). Modules are imported only when
# their subcommand is given, so that `--help` costs no more than argparse itself.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "quickstart": ("quickstart.command", "train a tiny model on this CPU", "在本机 CPU 上训练一个微型模型"),
    "new": ("catalogue.command", "write a configuration from a template", "由模板生成配置文件"),
    "templates": ("catalogue.command", "list the templates", "列出模板"),
    "machines": ("catalogue.machines", "list the machine profiles", "列出机器描述"),
    "backends": ("launch.backends", "list the back ends and what is installed", "列出训练后端及其安装情况"),
    "check": ("check.command", "find every mistake of a configuration", "找出配置中的所有错误"),
    "fix": ("check.fix", "put names, levels, types and modes right", "修正名称、层级、类型与权限"),
    "diff": ("convert.diff", "compare two configurations by parameter", "按参数比较两份配置"),
    "convert": ("convert.command", "convert a configuration into another form", "转换配置的形式"),
    "schema": ("catalogue.schema", "JSON Schema of a target, for editors", "输出目标的 JSON Schema，供编辑器使用"),
    "agent": ("agent.command", "check, try and write agent wrappers", "检查、试运行和编写智能体 wrapper"),
    "explain": ("catalogue.command", "explain a parameter or a problem code", "解释参数或问题代码"),
    "plan": ("launch.command", "show what run would start; starts nothing", "显示 run 将启动的内容，不实际启动"),
    "run": ("launch.command", "check, plan, start and watch a training run", "检查、规划、启动并跟踪训练"),
    "runs": ("runs.command", "list runs", "列出训练任务"),
    "status": ("runs.command", "state of a run", "查看任务状态"),
    "attach": ("launch.command", "open the live view of a run", "打开任务的实时视图"),
    "view": ("launch.command", "open the run view on any log file", "在任意日志文件上打开运行视图"),
    "logs": ("runs.command", "print or follow the log of a run", "输出或跟踪任务日志"),
    "metrics": ("runs.command", "metrics of a run or of any log file", "输出任务或日志文件中的指标"),
    "rollouts": ("rollouts.command", "trajectories of a run: turns, rewards, text", "查看轨迹：轮次、奖励、文本"),
    "diagnose": ("runs.diagnose", "why a training failed, and what to change", "分析训练失败的原因与处理办法"),
    "stop": ("runs.command", "stop a run and everything it started", "停止任务及其启动的所有进程"),
    "cluster": ("cluster.command", "start Ray on this node for several", "在本节点启动 Ray 以进行多机训练"),
    "bundle": ("runs.upkeep", "pack a run for a colleague, secrets masked", "打包任务以便交给他人，敏感信息已脱敏"),
    "clean": ("runs.upkeep", "show and remove what dead runs left", "列出并清除已结束任务的残留"),
    "doctor": ("doctor.command", "examine this machine, name cures", "检查本机环境并给出处理办法"),
    "devices": ("devices.command", "show the NPUs or GPUs and what they do", "显示 NPU 或 GPU 及其状态"),
}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Returns:
        Exit code: 0 fine, 1 errors found or training failed, 2 usage or unreadable file, 3 environment, 130 stopped.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _dispatch(arguments)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output is gone (`| head`): nothing more can be said, and a traceback would be noise.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0


def _dispatch(arguments: list[str]) -> int:
    name = next((a for a in arguments if not a.startswith("-")), "")
    parser = argparse.ArgumentParser(
        prog="agentic-rl",
        description=_text(
            "Write, check, launch and watch agentic-RL training on Ascend NPUs, GPUs or this CPU.",
            "编写、检查、启动并跟踪昇腾 NPU、GPU 或本机 CPU 上的智能体强化学习训练。",
        ),
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=16),
        epilog=_text("agentic-rl COMMAND --help tells more; the interactive form is agentic-rl-wizard.",
                     "agentic-rl COMMAND --help 查看详情；交互式界面为 agentic-rl-wizard。"),
    )  # fmt: skip
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help=_text("show the version", "显示版本"))
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    if name and name not in COMMANDS:
        return _unknown(name)
    if name in COMMANDS:
        module = __import__(f"{__package__}.{COMMANDS[name][0]}", fromlist=["add_parsers"])
        cast("Callable[[object], None]", module.add_parsers)(subparsers)
    else:
        for command, (_, english, chinese) in COMMANDS.items():
            subparsers.add_parser(command, help=_text(english, chinese), add_help=False)
    if not arguments:
        parser.print_help()
        return 2
    parsed = parser.parse_args(arguments)
    if not name:
        parser.print_help()
        return 2
    return int(cast("Callable[[argparse.Namespace], int]", parsed.run)(parsed))


class _ShowVersion(argparse.Action):
    """`--version`: looked up only when asked for, since importlib.metadata costs more than argparse."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"agentic-rl {version('agentic-rl-wizard')}")
        parser.exit()


def _unknown(name: str) -> int:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=1)
    hint = _text(f"; did you mean {near[0]}?", f"；是否想用 {near[0]}？") if near else ""
    listed = ", ".join(COMMANDS)
    print(_text(f"agentic-rl: there is no command {name!r}{hint}\ncommands: {listed}",
                f"agentic-rl：没有命令 {name!r}{hint}\n可用命令：{listed}"), file=sys.stderr)  # fmt: skip
    return 2


def _text(english: str, chinese: str) -> str:
    return chinese if default_language() == "zh" else english


if __name__ == "__main__":
    sys.exit(main())
