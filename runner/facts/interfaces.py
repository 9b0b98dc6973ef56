"""Network interfaces of this machine, and which of them leads to another one."""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface: whether it is up, and its addresses (IPv4 and IPv6, without link-local ones)."""

    name: str
    up: bool
    addresses: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The address by which others reach it, IPv4 where it has one; "" without any."""
        return next((one for one in self.addresses if ":" not in one), next(iter(self.addresses), ""))

    @property
    def loopback(self) -> bool:
        """Whether only this machine can be reached through it."""
        return self.address.startswith("127.") or self.address == "::1"


def all_interfaces() -> tuple[Interface, ...] | None:
    """Every interface; None when the system does not tell."""
    import psutil  # 30 ms of import

    try:
        addresses, states = psutil.net_if_addrs(), psutil.net_if_stats()
    except (OSError, RuntimeError, psutil.Error):
        return None
    return tuple(
        Interface(name, name in states and states[name].isup, tuple(filter(None, map(_usable, found))))
        for name, found in addresses.items()
    )


def interfaces() -> list[Interface]:
    """Those that are up and have an address."""
    return [one for one in all_interfaces() or () if one.up and one.addresses]


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
    return next((one for one in interfaces() if address in one.addresses), None)


def _usable(entry: object) -> str:
    """An address of psutil's list, "" for other families and for link-local ones."""
    family, address = getattr(entry, "family", None), str(getattr(entry, "address", "")).partition("%")[0]
    return address if family in (socket.AF_INET, socket.AF_INET6) and not address.startswith("fe80") else ""
