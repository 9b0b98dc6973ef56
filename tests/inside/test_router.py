"""The load balancer in front of the rollout servers."""

from __future__ import annotations

import inspect

import pytest

from agentic_rl_inside import router


def test_turns_of_a_conversation_stay_and_new_ones_go_where_less_runs() -> None:
    balancer = router.LeastLoaded({"a": 1, "b": 2}, {})
    first, _ = balancer.acquire_server("one")
    second, _ = balancer.acquire_server("two")
    assert {first, second} == {"a", "b"}
    assert balancer.acquire_server("one")[0] == first
    balancer.release_server(first, request_id="one")
    balancer.release_server(first, request_id="one")
    assert balancer.acquire_server("three")[0] == first
    assert balancer.get_total_inflight() == 2


def test_a_removed_server_gets_nothing_more() -> None:
    balancer = router.LeastLoaded({"a": 1}, {})
    balancer.acquire_server("one")
    balancer.remove_servers(["a"])
    with pytest.raises(RuntimeError, match="No available servers"):
        balancer.acquire_server("one")
    balancer.add_servers({"b": 2})
    assert balancer.acquire_server("one") == ("b", 2)


def test_it_has_every_method_of_verls_protocol() -> None:
    from verl.workers.rollout.router import RequestLoadBalancer

    wanted = [name for name, _ in inspect.getmembers(RequestLoadBalancer, inspect.isfunction) if name[0] != "_"]
    assert len(wanted) > 5
    assert [name for name in wanted if not hasattr(router.LeastLoaded, name)] == []
