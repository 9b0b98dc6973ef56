"""The command `devices`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from ...facts.devices import TIMEOUT, ToolOutput, find_tool, look_at_cpu, run_tool
from ...facts.training import default_python
from ...stream import clean_line
from ...stream.devices import NPU_QUERY, NVIDIA_QUERIES, DeviceTable, read_devices
from ..gather.asking import clean_said
from ..locale_language import language
from .cluster import print_cluster
from .table import device_lines
from .texts import text

_MOST_BYTES = 16 << 20
_HOME = "\x1b[H\x1b[2J"
# Oddities of single rows: told beside the table, never instead of it.
_ROWS = frozenset({"half_row", "bad_row", "process_without_device"})


def add_parsers(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Add `devices`; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = language()
    parser = subparsers.add_parser("devices", help=text("desc", lang), description=text("desc", lang))
    parser.add_argument("--from", dest="source", metavar="FILE|-", help=text("help.from", lang))
    parser.add_argument("--ray-address", metavar="A", help=text("help.ray", lang))
    parser.add_argument("--python", metavar="P", help=text("help.python", lang))
    parser.add_argument("--json", action="store_true", help=text("help.json", lang))
    parser.add_argument("--watch", type=_seconds, metavar="SECONDS", help=text("help.watch", lang))
    parser.add_argument("--lang", choices=["zh", "en"], help=text("help.lang", lang))
    parser.set_defaults(run=run_devices)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0.2 <= seconds <= 86400:
        raise argparse.ArgumentTypeError(text("seconds", language(), value=value))
    return seconds


def run_devices(args: argparse.Namespace) -> int:
    """`agentic-rl devices`.

    Returns:
        0 when devices were listed; 2 when the file can't be read or holds nothing known; 3 when there is no tool, no
        device, or the driver is at fault. With --watch: what the last look gave when nothing could be shown.
    """
    lang = language(args.lang)
    if args.watch and args.source == "-":
        return _tell(text("stdin_watch", lang), 2)
    if args.source is not None and args.ray_address is not None:
        return _tell(text("file_and_cluster", lang), 2)
    if not args.watch:
        return _look(args, lang)
    live = sys.stdout.isatty() and not args.json
    while True:
        if live:
            sys.stdout.write(_HOME)
        code = _look(args, lang)
        tools = args.ray_address is not None or find_tool(NPU_QUERY[0]) or find_tool(NVIDIA_QUERIES[0][0])
        if code == 2 or (code == 3 and not tools):
            return code  # waiting will not change it
        if not args.json:
            sys.stdout.write(time.strftime("%H:%M:%S") + "\n" + ("" if live else "\n"))
        sys.stdout.flush()
        time.sleep(args.watch)


def _look(args: argparse.Namespace, lang: str) -> int:
    if args.source is not None:
        return _from_file(args.source, args.json, lang)
    if args.ray_address is not None:
        return print_cluster(args.ray_address, default_python(args.python), args.json, lang)
    outputs = _ask()
    table, output = outputs[0]
    if not table.devices:
        _print_nothing(table, args.json)
        if not args.json:
            _print_cpu(lang)
        return _tell(_why(table, output, lang), 3)
    _print(table, args.json, lang)
    if output and output.problem:
        _tell(text("warning", lang, text=_tool_problem(output, lang)), 0)
    if not args.json:
        _print_cpu(lang)
    return 0


def _from_file(source: str, as_json: bool, lang: str) -> int:
    name = "-" if source == "-" else clean_line(source)
    try:
        if source == "-":
            data = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with Path(source).expanduser().open("rb") as stream:
                data = stream.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return _tell(text("unreadable", lang, path=name, error=clean_line(reason)), 2)
    if len(data) > _MOST_BYTES:
        return _tell(text("unreadable", lang, path=name, error=text("too_big", lang)), 2)
    table = read_devices(data)
    if table.devices:
        _print(table, as_json, lang)
        return 0
    _print_nothing(table, as_json)
    if table.source is None:
        return _tell(text("nothing", lang, path=name), 2)
    return _tell(_why(table, None, lang), 3)


def _ask() -> list[tuple[DeviceTable, ToolOutput | None]]:
    """Ask each tool there is; the one that listed devices first. One entry without output where there is none."""
    found: list[tuple[DeviceTable, ToolOutput | None]] = []
    for queries in ((NPU_QUERY,), NVIDIA_QUERIES):
        if find_tool(queries[0][0]) is None:
            continue
        output = run_tool(queries[0])
        data = output.stdout
        for more in queries[1:] if not output.problem else ():
            data += b"\n" + run_tool(more).stdout
        table = read_devices(data)
        if table.devices:
            return [(table, output)]
        # The driver's words may be on either stream.
        found.append((read_devices(data + b"\n" + output.stderr), output))
    return found or [(DeviceTable(), None)]


def _why(table: DeviceTable, output: ToolOutput | None, lang: str) -> str:
    """The sentence for a table without devices; what the tool itself said is the better one."""
    problem = next((one for one in table.problems if one.code not in (*_ROWS, "nothing", "no_device")), None)
    problem = problem or next((one for one in table.problems if one.code == "no_device"), None)
    hung = output is not None and output.problem in ("timeout", "flood", "not_started")
    if problem and not hung:
        lines = [text(f"problem.{problem.code}", lang)]
        if problem.excerpt:
            lines.append(text("said", lang, excerpt=clean_said(problem.excerpt)))
        return "\n".join(lines)
    if output is None:
        return text("problem.no_tool", lang)
    if output.problem:
        said = clean_said(next((line for line in (output.stderr or output.stdout).splitlines() if line.strip()), b""))
        words = _tool_problem(output, lang)
        return words + ("\n" + text("said", lang, excerpt=said[:200]) if said else "")
    return text("problem.nothing", lang, tool=_name(output))


def _tool_problem(output: ToolOutput, lang: str) -> str:
    if output.problem == "missing":
        return text("problem.no_tool", lang)
    values = {"tool": _name(output), "seconds": TIMEOUT, "detail": output.detail, "code": output.returncode}
    return text(f"problem.{output.problem}", lang, **values)


def _name(output: ToolOutput) -> str:
    return Path(output.argv[0]).name


def _print(table: DeviceTable, as_json: bool, lang: str) -> None:
    if as_json:
        _print_nothing(table, as_json)
        return
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    sys.stdout.write("\n".join(device_lines(table, lang, colour)) + "\n")
    for problem in table.problems:
        words = text(f"problem.{problem.code}", lang)
        if problem.excerpt:
            words += f" ({clean_line(problem.excerpt)})"
        _tell(text("warning", lang, text=words), 0)


def _print_nothing(table: DeviceTable, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(table.as_json(), ensure_ascii=False, allow_nan=False) + "\n")
        sys.stdout.flush()


def _print_cpu(lang: str) -> None:
    if cpu := look_at_cpu():
        words = text("cpu", lang, cores=cpu.cores, percent=cpu.percent, used=cpu.memory_used_mib,
                     total=cpu.memory_total_mib)  # fmt: skip
        sys.stdout.write(words + "\n")


def _tell(words: str, code: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(words + "\n")
    return code
