"""The Ray that a training joins, what has to be there before, and the token that a newer Ray asks for."""

from __future__ import annotations

from collections.abc import Mapping

from .plan import Text
from .request import Request
from .said import said


def joined_address(request: Request, nodes: int) -> str:
    """The cluster that a start on so many nodes joins; "" for a Ray of its own.

    Without an address a training would start a Ray of this machine alone and ask it for the devices of all.
    """
    given = request.ray_address or request.environment.get("RAY_ADDRESS", "")
    return "" if given == "local" else given or ("auto" if nodes > 1 else "")


def ray_environment(request: Request, nodes: int) -> dict[str, str]:
    """The variables with which it is joined; an address that the person has exported stays as it is."""
    address = joined_address(request, nodes)
    if not address:
        return {}
    own: Mapping[str, str] = (
        {} if not request.ray_address and "RAY_ADDRESS" in request.environment else {"RAY_ADDRESS": address}
    )
    return {**own, **request.ray_token}


def cluster_note(nodes: int, request: Request) -> Text:
    """What a start on several machines joins, and what is done before."""
    address = joined_address(request, nodes)
    return said("cluster-here" if address == "auto" else "cluster-at", nodes=nodes, address=address or "local")
