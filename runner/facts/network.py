"""Network interfaces, the own host name, and the variables that choose between them."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .interfaces import Interface, all_interfaces

RESOLVE_TIMEOUT = 3.0  # seconds; a name server that does not answer takes longer than anybody waits


@dataclass(frozen=True, slots=True)
class Network:
    """The network as a training process on this machine sees it.

    Attributes:
        interfaces: None when the system does not tell.
        host: own host name.
        resolved: addresses that the host name resolves to; () when it does not.
        slow: the name server did not answer in time; then `resolved` says nothing.
        in_hosts: addresses that /etc/hosts gives the host name.
        env: the environment variables.
    """

    interfaces: tuple[Interface, ...] | None = None
    host: str = ""
    resolved: tuple[str, ...] = ()
    slow: bool = False
    in_hosts: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])

    def interface(self, name: str) -> Interface | None:
        """The interface of exactly that name."""
        return next((one for one in self.interfaces or () if one.name == name), None)


def look_at_network(
    root: str | os.PathLike[str] = "/", env: Mapping[str, str] | None = None, timeout: float = RESOLVE_TIMEOUT
) -> Network:
    """Look at interfaces, host name and variables.

    Args:
        root: where ``etc`` is.
        env: the environment to judge; this process's own when None.
        timeout: seconds that resolving the host name may take.
    """
    host = socket.gethostname()
    resolved, slow = resolve(host, timeout)
    return Network(
        interfaces=all_interfaces(),
        host=host,
        resolved=resolved,
        slow=slow,
        in_hosts=hosts_of(Path(root) / "etc" / "hosts", host),
        env=dict(os.environ if env is None else env),
    )


def resolve(host: str, timeout: float) -> tuple[tuple[str, ...], bool]:
    """Addresses of a name, and whether the answer did not come in time (the look-up itself can't be ended)."""
    found: list[str] = []

    def ask() -> None:
        try:
            for entry in socket.getaddrinfo(host, None, proto=socket.IPPROTO_TCP):
                address = str(entry[4][0])
                if address not in found:
                    found.append(address)
        except (OSError, UnicodeError):
            pass

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(timeout)
    return tuple(found), thread.is_alive()


def hosts_of(path: Path, host: str) -> tuple[str, ...]:
    """Addresses that a hosts file gives a name."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    rows = [line.partition("#")[0].split() for line in lines]
    return tuple(dict.fromkeys(row[0] for row in rows if row and host in row[1:]))
