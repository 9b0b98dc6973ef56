"""The log pane of the run view against Textual's own `Log` and `RichLog`, in one run on one machine.

    python bench/run_view.py [--lines N] [--seconds S]

Every measurement is a process of its own, so that memory is that of one widget. Only the ratios mean something: the
machine is whatever it is. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

LINE = (
    "(TaskRunner pid=16209) INFO 2026-01-02 11:04:05 rollout worker 3: 64 trajectories, 3.1 turns, 212 tokens, "
    "reward 0.4375, tool calls 117, kv cache 71.4%, queue 12, elapsed 5.1 s, tokens/s 1840.2, request id 8f3a"
)
SIZE = (160, 45)
# Peers as fast as anybody would use them, and as most do.
WIDGETS = ("ours", "Log batched", "Log each", "RichLog each")


def rss_mib() -> float:
    """Resident memory of this process."""
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


class Blocks:
    """How long the event loop was away: a task that wants to run each millisecond notes when it could not."""

    def __init__(self) -> None:
        self.worst = 0.0
        self._running = True

    async def watch(self) -> None:
        while self._running:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            self.worst = max(self.worst, time.perf_counter() - before - 0.001)

    def stop(self) -> float:
        self._running = False
        return 1000 * self.worst


def write_file(path: Path, lines: int) -> None:
    with path.open("w", encoding="utf-8") as stream:
        for start in range(0, lines, 10_000):
            stream.writelines(f"{n} {LINE}\n" for n in range(start, min(start + 10_000, lines)))


async def ours(lines: int, path: Path) -> dict[str, float]:
    """A file that is there already; until every line can be shown."""
    from agentic_rl_wizard.wizard.run_app import RunApp
    from agentic_rl_wizard.wizard.store.run_model import RunModel

    empty = path.with_suffix(".empty")
    empty.write_text("")
    app = RunApp(RunModel(empty))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.5)
        base = rss_mib()
        pane = app.run_screen.log_pane
        blocks = Blocks()
        task = asyncio.create_task(blocks.watch())
        start, cpu = time.perf_counter(), time.process_time()
        app.run_screen.reader.index.path = path
        app.run_screen.reader._wake.set()
        while pane.lines.virtual_size.height < lines:
            await asyncio.sleep(0.005)
        shown = time.perf_counter() - start
        while app.run_screen.reader.levels.done < lines:
            await asyncio.sleep(0.01)
        seconds = time.perf_counter() - start
        result = {
            "lines_s": lines / shown, "seconds": shown, "classified_s": seconds, "cpu_s": time.process_time() - cpu,
            "block_ms": blocks.stop(), "mib": rss_mib() - base,
        }  # fmt: skip
        await task
        blocks = Blocks()
        task = asyncio.create_task(blocks.watch())
        start = time.perf_counter()
        pane.find("request id 9")
        while app.run_screen.reader.search is None or app.run_screen.reader.search.done < lines:
            await asyncio.sleep(0.005)
        result["search_s"] = time.perf_counter() - start
        result["search_block_ms"] = blocks.stop()
        await task
        return result


async def peer(name: str, lines: int, _path: Path) -> dict[str, float]:
    """Lines handed to a widget of Textual as fast as it takes them, with a chance to paint 10 times a second."""
    from textual.app import App, ComposeResult
    from textual.widgets import Log, RichLog

    class Peer(App[None]):
        def compose(self) -> ComposeResult:
            yield Log() if name.startswith("Log") else RichLog()

    app = Peer()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.5)
        base = rss_mib()
        widget = app.query_one(Log if name.startswith("Log") else RichLog)
        blocks = Blocks()
        task = asyncio.create_task(blocks.watch())
        start, cpu = time.perf_counter(), time.process_time()
        batch = 1000 if name == "Log batched" else 200
        for begin in range(0, lines, batch):
            texts = [f"{n} {LINE}" for n in range(begin, min(begin + batch, lines))]
            if name == "Log batched":
                widget.write_lines(texts)
            else:
                for text in texts:
                    widget.write_line(text) if isinstance(widget, Log) else widget.write(text)
            await asyncio.sleep(0)
        await pilot.pause()
        seconds = time.perf_counter() - start
        result = {
            "lines_s": lines / seconds, "seconds": seconds, "cpu_s": time.process_time() - cpu,
            "block_ms": blocks.stop(), "mib": rss_mib() - base,
        }  # fmt: skip
        await task
        return result


async def follow(name: str, rate: int, seconds: float, path: Path) -> dict[str, float]:
    """CPU share while a log grows by ``rate`` lines a second, flushed 20 times a second, as a training does."""
    stop = threading.Event()
    path.write_text("")

    def grow(write: Any) -> None:
        number = 0
        while not stop.wait(0.05):
            write([f"{number + n} {LINE}" for n in range(rate // 20)])
            number += rate // 20

    if name in {"ours", "ours, idle"}:
        from agentic_rl_wizard.wizard.run_app import RunApp
        from agentic_rl_wizard.wizard.store.run_model import RunModel

        app: Any = RunApp(RunModel(path))

        def write(texts: list[str]) -> None:
            if name == "ours, idle":
                return
            with path.open("a", encoding="utf-8") as stream:
                stream.write("\n".join(texts) + "\n")
    else:
        from textual.app import App, ComposeResult
        from textual.widgets import Log, RichLog

        class Peer(App[None]):
            def compose(self) -> ComposeResult:
                yield Log() if name.startswith("Log") else RichLog()

        app = Peer()

        def write(texts: list[str]) -> None:
            widget = app.query_one(Log if name.startswith("Log") else RichLog)

            def put() -> None:
                if name == "Log batched":
                    widget.write_lines(texts)
                else:
                    for text in texts:
                        widget.write_line(text) if isinstance(widget, Log) else widget.write(text)

            app.call_from_thread(put)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.5)
        thread = threading.Thread(target=grow, args=(write,), daemon=True)
        thread.start()
        await asyncio.sleep(1)
        blocks = Blocks()
        task = asyncio.create_task(blocks.watch())
        start, cpu = time.perf_counter(), time.process_time()
        await asyncio.sleep(seconds)
        share = 100 * (time.process_time() - cpu) / (time.perf_counter() - start)
        worst = blocks.stop()
        await task
        stop.set()
        await pilot.pause(0.1)
        return {"cpu_pct": share, "block_ms": worst}


def one(argv: list[str]) -> dict[str, float]:
    """Run a measurement in a process of its own."""
    found = subprocess.run([sys.executable, __file__, "--one", *argv], capture_output=True, text=True, timeout=600)
    if found.returncode:
        raise SystemExit(found.stderr[-2000:])
    return json.loads(found.stdout.strip().split("\n")[-1])


def row(name: str, *cells: str) -> str:
    return f"{name:<14}" + "".join(f"{cell:>15}" for cell in cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=1_000_000, help="lines of the large file (default 1,000,000)")
    parser.add_argument("--seconds", type=float, default=6, help="how long to follow (default 6)")
    parser.add_argument("--one", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        kind, name, amount, path = options.one[:4]
        if kind == "follow":
            result = asyncio.run(follow(name, 1000, float(amount), Path(path)))
        elif name == "ours":
            result = asyncio.run(ours(int(amount), Path(path)))
        else:
            result = asyncio.run(peer(name, int(amount), Path(path)))
        print(json.dumps(result))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.log"
        write_file(path, options.lines)
        size = path.stat().st_size / 1e6
        print(f"{options.lines:,} lines, {size:.0f} MB; peers get fewer lines where they would take minutes\n")
        print(row("", "lines", "lines/s", "worst block ms", "CPU s", "MiB", "MiB/1M lines"))
        counts = {"ours": options.lines, "Log batched": options.lines, "Log each": 20_000, "RichLog each": 50_000}
        base = 0.0
        for name in WIDGETS:
            count = min(counts[name], options.lines)
            got = one(["fill", name, str(count), str(path)])
            base = base or got["lines_s"]
            cells = [f"{count:,}", f"{got['lines_s']:,.0f}", f"{got['block_ms']:.0f}", f"{got['cpu_s']:.1f}"]
            cells += [f"{got['mib']:.0f}", f"{got['mib'] * 1e6 / count:,.0f}"]
            print(row(name, *cells), f"  {base / got['lines_s']:,.1f}x")
            if name == "ours":
                print(f"  levels and steps of all lines known after {got['classified_s']:.1f} s; literal search "
                      f"{got['search_s']:.2f} s, worst block {got['search_block_ms']:.0f} ms")  # fmt: skip
        print("\nFollowing 1,000 lines/s, flushed each 50 ms (headless: without what the terminal costs)")
        print(row("", "CPU %", "worst block ms"))
        for name in ("ours, idle", *WIDGETS):
            got = one(["follow", name, str(options.seconds), str(Path(folder) / "grow.log")])
            print(row(name, f"{got['cpu_pct']:.0f}", f"{got['block_ms']:.0f}"))


if __name__ == "__main__":
    main()
