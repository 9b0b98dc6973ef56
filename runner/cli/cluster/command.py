"""The command `cluster`: starts Ray on this node, as head or as one of the others."""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import socket
import subprocess
import sys
from typing import Any

from ...backends.cluster import PORT, ClusterNode, ray_start
from ...facts.interfaces import Interface, interface_of, interfaces, own_address
from ...facts.machine import look_at_machine
from ...facts.ray_token import token_environment
from ...facts.training import default_python
from ..locale_language import language
from .texts import say


class _Refused(Exception):
    """A usage that can't be followed; its text is the sentence."""


def add_parsers(subparsers: Any) -> None:
    """Add the command; it sets ``run``, a function of the parsed arguments that returns the exit code."""
    lang = language()
    parser = subparsers.add_parser("cluster", help=say("help", lang), description=say("help", lang))
    parser.add_argument("role", choices=["head", "worker"], help=say("role", lang))
    parser.add_argument("address", nargs="?", default="", metavar="ADDRESS", help=say("address", lang))
    parser.add_argument("--port", type=int, default=None, metavar="N", help=say("port", lang, port=PORT))
    parser.add_argument("--interface", metavar="NAME", help=say("interface", lang))
    parser.add_argument("--devices", type=int, metavar="N", help=say("devices", lang))
    parser.add_argument("--python", metavar="P", help=say("python", lang))
    parser.add_argument("--print", action="store_true", dest="show", help=say("print", lang))
    parser.add_argument("--json", action="store_true", help=say("json", lang))
    parser.add_argument("--lang", choices=["zh", "en"])
    parser.set_defaults(run=run_cluster)


def run_cluster(args: argparse.Namespace) -> int:
    """`agentic-rl cluster head|worker`: 0 when Ray runs (or was shown), 2 usage, 3 Ray does not start."""
    lang = language(args.lang)
    try:
        node, address = _node(args, lang)
    except _Refused as refused:
        sys.stderr.write(f"{refused}\n")
        return 2
    if args.json:
        print(json.dumps({"role": node.role, "argv": node.argv, "env": dict(node.env), "address": address}))
        return 0
    for name, value in node.env.items():
        print(f"# {node.reasons[name][lang]}\nexport {name}={shlex.quote(value)}")
    print(f"ulimit -n {node.open_files}\n{shlex.join(node.argv)}")
    if args.show:
        return 0
    return _start(node, address, lang)


def _node(args: argparse.Namespace, lang: str) -> tuple[ClusterNode, str]:
    host, port = _split(args.address, args.port, lang)
    if args.role == "worker" and not host:
        raise _Refused(say("no_address", lang))
    named = next((one for one in interfaces() if one.name == args.interface), None) if args.interface else None
    if args.interface and named is None:
        raise _Refused(say("no_interface", lang, interface=args.interface, choices=_choices()))
    own = named.address if named else (host if args.role == "head" and host else own_address(host))
    place: Interface | None = named or interface_of(own)
    if place is None:
        raise _Refused(say("not_ours", lang, address=own or host, choices=_choices()))
    if place.loopback and len(interfaces()) > 1:
        raise _Refused(say("loopback", lang, address=own, choices=_choices()))
    head = own if args.role == "head" else host
    machine = look_at_machine()
    node = ray_start(
        args.role,
        default_python(args.python),
        head=head,
        own=own,
        interface=place.name,
        port=port,
        accelerator=machine.accelerator or "",
        devices=args.devices if args.devices is not None else (machine.devices or None),
        environment=os.environ,
        token=bool(token_environment(os.environ)),
    )
    return node, f"{head}:{port}"


def _split(text: str, port: int | None, lang: str) -> tuple[str, int]:
    """Host as an address, and port, of HOST, HOST:PORT or [HOST]:PORT."""
    host, _, given = text.rpartition(":") if text.count(":") == 1 or "]:" in text else (text, "", "")
    host = host.strip("[]")
    try:
        number = int(given) if given else (port or PORT)
        if not 0 < number < 65536:
            raise ValueError(number)
        return (str(socket.getaddrinfo(host, None)[0][4][0]) if host else ""), number
    except (ValueError, OSError, UnicodeError) as error:
        raise _Refused(say("bad_address", lang, address=text or port)) from error


def _choices() -> str:
    found = [f"{one.name} {one.address}" for one in interfaces() if not one.loopback]
    return ", ".join(found) or "lo"


def _start(node: ClusterNode, address: str, lang: str) -> int:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < node.open_files:
        wanted = node.open_files if hard == resource.RLIM_INFINITY else min(node.open_files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        if wanted < node.open_files:
            sys.stderr.write(say("limit", lang, limit=wanted, wanted=node.open_files) + "\n")
    os.umask(0o027)
    sys.stdout.flush()
    try:
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        done = subprocess.run(node.argv, env={**env, **node.env}, check=False)
    except OSError as error:
        sys.stderr.write(say("no_ray", lang, python=node.argv[0], error=error.strerror or error) + "\n")
        return 3
    if done.returncode:
        sys.stderr.write(say("failed", lang, code=done.returncode) + "\n")
        return 3
    print(say("started", lang))
    if node.role == "head":
        print(say("then", lang, address=address))
    print(say("end", lang))
    return 0
