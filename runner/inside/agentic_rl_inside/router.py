"""Which rollout server takes a request. No verl import: its process stays small and starts in a second.

Extension point: ``actor_rollout_ref.rollout.router_config_path`` (``router.yaml``); the interface is
``verl.workers.rollout.router.RequestLoadBalancer``, whose default implementation behaves the same but costs
the import of verl in one more process.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import ray

REMEMBERED_CONVERSATIONS = 10_000


class LeastLoaded:
    """Sends a conversation's turns to one server, a new conversation to the server with the fewest requests.

    Args:
        servers: Actor handle of each server by its address.
        config: Content of ``router.yaml``; not used.
    """

    def __init__(self, servers: dict[str, Any], config: dict[str, Any] | None = None) -> None:
        self._servers = dict(servers)
        self._running = dict.fromkeys(servers, 0)
        self._conversations: OrderedDict[str, str] = OrderedDict()

    def acquire_server(self, request_id: str) -> tuple[str, Any]:
        """Address and handle of the server for a request.

        Raises:
            RuntimeError: There is no server.
        """
        address = self._conversations.pop(request_id, None)
        if address not in self._servers:
            if not self._servers:
                raise RuntimeError("No available servers in load balancer")
            address = min(self._running, key=self._running.__getitem__)
        assert address is not None
        self._conversations[request_id] = address
        if len(self._conversations) > REMEMBERED_CONVERSATIONS:
            self._conversations.popitem(last=False)
        self._running[address] += 1
        return address, self._servers[address]

    def release_server(self, server_id: str, request_id: str | None = None) -> None:
        if self._running.get(server_id, 0) > 0:
            self._running[server_id] -= 1

    def require_acquire_fields(self) -> list[str]:
        return []

    def require_release_fields(self) -> list[str]:
        return []

    def add_servers(self, servers: dict[str, Any]) -> None:
        self._servers.update(servers)
        self._running.update(dict.fromkeys(servers, 0))

    def remove_servers(self, server_ids: list[str]) -> None:
        for address in server_ids:
            self._servers.pop(address, None)
            self._running.pop(address, None)

    def get_all_servers(self) -> list[str]:
        return list(self._servers)

    def get_inflight_count(self, server_id: str) -> int:
        return self._running.get(server_id, 0)

    def get_total_inflight(self) -> int:
        return sum(self._running.values())

    def get_status(self) -> dict[str, Any]:
        return {
            "servers": dict(self._running),
            "total_inflight": self.get_total_inflight(),
            "active_servers": len(self._servers),
        }

    def clear_sticky_cache(self) -> dict[str, Any]:
        cleared = len(self._conversations)
        self._conversations.clear()
        return {"cleared_entries": cleared, "server_loads": dict(self._running)}


LeastLoadedRouter = ray.remote(num_cpus=0)(LeastLoaded)
"""The actor class that ``router.yaml`` names."""
