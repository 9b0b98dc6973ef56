"""Interfaces that variables name, the own host name, proxies.

How the variables are read: HCCL and NCCL take a list of prefixes, ``^`` before it excludes, ``=`` asks for exact names
(CANN and NCCL documents); Gloo, TensorPipe and AgentSDK's aura take names.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Level, Scene

_BY_PREFIX = ("HCCL_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME")
_BY_NAME = ("GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME", "DEFAULT_SOCKET_IFNAME")
_NUMBERS = ("HCCL_IF_BASE_PORT", "HCCL_CONNECT_TIMEOUT", "HCCL_EXEC_TIMEOUT", "HCCL_BUFFSIZE")
_LOCAL = ("localhost", "127.0.0.1")
# https proxies are not asked for the plain http of a rollout server.
_PROXIES = ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")


def judge_network(scene: Scene) -> Iterator[Finding]:
    """Findings about the network."""
    network = scene.network
    if network.interfaces is not None:
        listed = [one.name for one in network.interfaces if one.up and one.addresses]
        yield Finding("network-ok", "ok", "network", {"host": network.host, "listed": listed})
        yield from _interfaces(scene)
    yield from _values(scene)
    yield from _host(scene)
    yield from _proxies(scene)


def _interfaces(scene: Scene) -> Iterator[Finding]:
    network = scene.network
    known = _outside(scene)
    for variable in (*_BY_PREFIX, *_BY_NAME):
        value = network.env.get(variable, "").strip()
        if not value:
            continue
        params = {"variable": variable, "value": value, "known": known, "nodes": scene.nodes}
        params |= {"first": (known or ["lo"])[0], "others": known[1:]}
        chosen = [one for one in network.interfaces or () if _chooses(variable, value, one.name)]
        if not chosen:
            yield Finding("interface-missing", "error", variable, params)
        elif not any(one.up and one.addresses for one in chosen):
            yield Finding("interface-without-address", "error", variable, params)
        elif scene.nodes > 1 and all(one.name == "lo" for one in chosen):
            yield Finding("interface-loopback", "error", variable, params)
    named = [variable for variable in ("HCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME") if network.env.get(variable)]
    if scene.nodes > 1 and scene.npu and not named:
        level: Level = "warning" if len(known) > 1 else "hint"
        params = {"nodes": scene.nodes, "known": known, "variables": "HCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME"}
        yield Finding("interface-not-named", level, "HCCL_SOCKET_IFNAME", params)


def _chooses(variable: str, value: str, name: str) -> bool:
    if variable in _BY_NAME:
        return name in [part.strip() for part in value.split(",")]
    mark, rest = (value[0], value[1:]) if value[0] in "^=" else ("", value)
    parts = [part.strip() for part in rest.split(",") if part.strip()]
    if mark == "^":
        return name != "lo" and not any(name.startswith(part) for part in parts)
    return name in parts if mark == "=" else any(name.startswith(part) for part in parts)


def _outside(scene: Scene) -> list[str]:
    """Interfaces by which another machine may be reached."""
    return [one.name for one in scene.network.interfaces or () if one.up and one.addresses and one.name != "lo"]


def _values(scene: Scene) -> Iterator[Finding]:
    env = scene.env
    address = env.get("HCCL_IF_IP", "").strip()
    own = {one for interface in scene.network.interfaces or () for one in interface.addresses}
    if address and own and address not in own and not address.startswith("127."):
        yield Finding("address-not-own", "error", "HCCL_IF_IP", {"variable": "HCCL_IF_IP", "value": address})
    for variable in _NUMBERS:
        value = env.get(variable, "").strip()
        if value and not value.isdecimal():
            yield Finding("number-expected", "warning", variable, {"variable": variable, "value": value})


def _host(scene: Scene) -> Iterator[Finding]:
    network = scene.network
    params = {"host": network.host, "addresses": network.resolved, "nodes": scene.nodes}
    if network.slow:
        yield Finding("host-slow", "warning", "/etc/hosts", params)
    elif not network.resolved:
        mindspeed = (scene.wants is not None and scene.wants.backend == "mindspeed-rl") or "mindspeed-rl" in scene.has
        yield Finding("host-unresolved", "error" if mindspeed else "warning", "/etc/hosts", params)
    elif scene.nodes > 1 and all(one.startswith("127.") or one == "::1" for one in network.resolved):
        yield Finding("host-loopback", "warning", "/etc/hosts", params)


def _proxies(scene: Scene) -> Iterator[Finding]:
    given = [name for name in _PROXIES if scene.env.get(name)]
    spared = {part.strip().lower() for name in ("no_proxy", "NO_PROXY") for part in scene.env.get(name, "").split(",")}
    if given and "*" not in spared and not spared.issuperset(_LOCAL):
        yield Finding("proxy-local", "warning", given[0], {"variables": given})
