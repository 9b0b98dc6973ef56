"""`devices --ray-address`: one look at the devices of all nodes of a Ray cluster."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, cast

from ...backends.devices import device_stream
from ...facts.devices import TIMEOUT
from ...process.masking import mask_text
from ...stream import clean_line
from ...stream.devices import DeviceTable, read_devices
from ..inside import INSIDE
from .table import device_lines
from .texts import text

_PATIENCE = 90.0  # seconds: joining takes Ray some seconds, a node's first answer some more


def print_cluster(address: str, python: str, as_json: bool, lang: str) -> int:
    """Show the devices of every node.

    Args:
        address: of the cluster, or ``auto``.
        python: the training interpreter; its Ray joins the cluster.
        as_json: one JSON object: as of one machine, each device with its ``node``, and ``nodes`` with problems.
        lang: en or zh.

    Returns:
        0 when devices were listed, 3 when none was, or there is no cluster.
    """
    answers, failure = _ask(address, python)
    refused = next((one for one in answers if "node" not in one), None)
    if refused is not None:
        words = clean_line(mask_text(str(refused.get("detail", ""))))
        return _tell(text("cluster.none", lang, address=address, detail=words))
    if failure or not answers:
        return _tell(text("cluster.failed", lang, python=python, detail=clean_line(failure) or "?"))
    answers.sort(key=lambda one: (str(one.get("node")), str(one.get("id"))))
    looked = [(one, read_devices(str(one.get("output", "")))) for one in answers]
    if as_json:
        print(json.dumps(_as_json(looked), ensure_ascii=False, allow_nan=False))
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        print("\n\n".join("\n".join(_lines(one, table, lang, colour)) for one, table in looked))
    return 0 if any(table.devices for _, table in looked) else 3


def _ask(address: str, python: str) -> tuple[list[dict[str, Any]], str]:
    """The answers of the nodes, and why there is none."""
    argv = list(device_stream(python, INSIDE, address, interval=0))
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return [], f"> {_PATIENCE:g} s"
    except OSError as error:
        return [], error.strerror or str(error)
    answers: list[dict[str, Any]] = []
    for line in done.stdout.splitlines():
        try:
            found: Any = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            answers.append(cast("dict[str, Any]", found))
    last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    return answers, "" if answers else last


def _as_json(looked: list[tuple[dict[str, Any], DeviceTable]]) -> dict[str, Any]:
    nodes = [
        {"node": one.get("node"), "host": one.get("host"), "problem": _problem(one, table) or None}
        for one, table in looked
    ]
    devices = [{"node": one.get("node"), **row} for one, table in looked for row in table.as_json()["devices"]]
    return {
        "source": next((table.source for _, table in looked if table.source), None),
        "driver": next((table.driver for _, table in looked if table.driver), None),
        "devices": devices,
        "nodes": nodes,
    }


def _problem(answer: dict[str, Any], table: DeviceTable) -> str:
    told = str(answer.get("problem") or "")
    return told or ("" if table.devices else next((one.code for one in table.problems), "nothing"))


def _lines(answer: dict[str, Any], table: DeviceTable, lang: str, colour: bool) -> list[str]:
    head = text(
        "cluster.node", lang, node=clean_line(str(answer.get("node"))), host=clean_line(str(answer.get("host", "?")))
    )
    lines = [head]
    if table.devices:
        lines += device_lines(table, lang, colour)
    problem = _problem(answer, table)
    if problem:
        tool = str(answer.get("tool") or "npu-smi")
        lines.append(text(f"problem.{problem}", lang, tool=tool, seconds=TIMEOUT, detail="", code="?"))
    return [lines[0], *(f"  {line}" for line in lines[1:])]


def _tell(words: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(words + "\n")
    return 3
