"""Values that change nothing: their condition is not met, or what starts the file does not pass them on."""

from __future__ import annotations

from collections.abc import Iterator

from ..catalogue import Level, Problem
from .case import Case, Found

_VALIDATION = frozenset(("verl.val_only", "verl.val_before_train", "verl.test_freq"))


def check_effects(case: Case) -> Iterator[Problem]:
    """Parameters that are set, to something else than their default, and have no effect."""
    for key, found in case.found.items():
        if key in case.broken or not case.used(key):
            continue
        ignored = None if _wrapper_reads(case, key) else found.parameter.ignored_by(case.target, case.backend)
        if _unregistered(case, found):
            registered = found.parameter.value_map[found.value]
            params = {"value": found.value, "registered": registered}
            yield case.problem("error", "value-unregistered", found.key, params)
        if _is_default(found):
            continue  # writing a default out is harmless, and templates do it
        if ignored is not None:
            if not found.parameter.required_for(case.target):
                # A file that is shared with agentic_rl holds what only that one reads: worth a word, no more.
                level: Level = "warning" if case.target == "agentsdk" and not _sizes_nothing(case, key) else "hint"
                params = {"why": ignored, "launcher": _launcher(case)}
                yield case.problem(level, "no-effect-backend", found.key, params, at="key")
        else:
            yield from _condition(case, found)


def _sizes_nothing(case: Case, key: str) -> bool:
    # The batch size of a validation that the file does not ask for either (document 000's own sample has one) misleads
    # nobody; the switches that do ask for it are warned of themselves.
    return key == "verl.val_batch_size" and not case.found.keys() & _VALIDATION


def _condition(case: Case, found: Found) -> Iterator[Problem]:
    for condition in found.parameter.effective_when:
        if condition.backend not in ("", case.backend) or condition.key in case.broken:
            continue
        value = case.value(condition.key)
        if value in condition.values or found.parameter.key == "verl.val_only":
            continue  # val_only has a problem of its own
        params = {
            "condition_key": case.file_key(condition.key),
            "condition_values": list(condition.values),
            "condition_value": value,
        }
        yield case.problem("warning", "no-effect", found.key, params, related=(condition.key,), at="key")
        return


def _unregistered(case: Case, found: Found) -> bool:
    # Started directly, verl receives the registered spelling (the plan maps values); agentic_rl passes on what it got.
    return case.target == "agentsdk" and isinstance(found.value, str) and found.value in found.parameter.value_map


def _wrapper_reads(case: Case, key: str) -> bool:
    """What only an agent wrapper reads has its effect where one runs inside a verl that is started directly."""
    wrapper = case.found.get("agent_engine_wrapper_path")
    return key in ("max_tokens", "min_p") and case.target != "agentsdk" and wrapper is not None and bool(wrapper.value)


def _is_default(found: Found) -> bool:
    default = found.parameter.default
    known = [default.document] * default.document_known + [default.software] * default.software_known
    return any(found.value == value and isinstance(found.value, bool) == isinstance(value, bool) for value in known)


def _launcher(case: Case) -> str:
    return f"agentic_rl ({case.backend})" if case.target == "agentsdk" else "verl"
