"""Network addresses of this machine, and which of its interfaces leads to another one."""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interface:
    """An interface and one of its addresses (IPv4, or IPv6 without its scope)."""

    name: str
    address: str

    @property
    def loopback(self) -> bool:
        """Whether only this machine can be reached through it."""
        return self.address.startswith("127.") or self.address == "::1"


def interfaces() -> list[Interface]:
    """All interfaces that are up and have an address."""
    import psutil

    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    found: list[Interface] = []
    for name, addresses in psutil.net_if_addrs().items():
        for one in addresses:
            if name in up and one.family in (socket.AF_INET, socket.AF_INET6):
                found.append(Interface(name, str(one.address).partition("%")[0]))
    return found


def own_address(towards: str = "") -> str:
    """The address with which this machine reaches another; towards "": the one of the default route. "" when none.

    No packet is sent: a datagram socket only looks the route up.
    """
    target = towards or "192.0.2.1"  # an address of nobody's (RFC 5737)
    with contextlib.suppress(OSError):
        family, kind, _, _, place = socket.getaddrinfo(target, 9, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind) as probe:
            probe.connect(place)
            return str(probe.getsockname()[0])
    return ""


def interface_of(address: str) -> Interface | None:
    """The interface that has an address."""
    return next((one for one in interfaces() if one.address == address), None)
