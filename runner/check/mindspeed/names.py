"""Keys of a native file: what no config class knows, sections nobody reads, values that must be there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ...catalogue import Edit, Level, Problem
from ...catalogue.guess import type_name
from ...catalogue.nearest import closest
from ...native import NEWEST_MINDSPEED, mindspeed_default, mindspeed_keys, mindspeed_table, versions_knowing
from ..native.types import meant
from ..view_mindspeed import DEVICES, composed_elsewhere, native_name
from .seen import Seen

SECTIONS = (
    *("megatron_training", "actor_config", "ref_config", "reward_config", "critic_config", "vit_config"),
    *("rl_config", "generate_config", "profiler_config", "msprobe_config"),
)
# Read by Hydra, or by the config group of a model preset.
_OTHERS = frozenset(("defaults", "model", "hydra"))
_HELPED = 100  # unknown keys for which the nearest known one is looked up; a file with more is another software's
_RESOURCES = tuple(f"rl_config.{name}_resource" for name in ("reference", "reward", "critic", "vit"))


def check_names(seen: Seen) -> Iterator[Problem]:
    """Every key of the file that MindSpeed-RL would stumble over."""
    view = seen.view
    strange = helped = 0
    for top, value in view.document.values.items():
        section = str(top).partition(".")[0]
        if section in _OTHERS:
            continue
        if section not in SECTIONS:
            strange += 1
            yield _section(seen, str(top), section, strange <= _HELPED)
        elif str(top) == section and value is not None and not isinstance(value, Mapping):
            params = {"value": value, "expected": "mapping", "got": type_name(value)}
            yield _at(seen, Problem("error", "wrong-type", section, params=params))
    for native, entry in view.entries.items():
        if native.startswith("model.") or entry.key.partition(".")[0] not in SECTIONS or "." not in entry.key:
            continue
        if native.startswith(("profiler_config", "msprobe_config", *(f"{name}." for name in _RESOURCES))):
            continue
        found = mindspeed_table(native)
        if found is None or found[1] == "model" or found in mindspeed_keys(view.version):
            continue
        helped += 1
        yield from _unknown(seen, native, entry.key, helped <= _HELPED)


def _unknown(seen: Seen, native: str, key: str, look: bool) -> Iterator[Problem]:
    table, name = cast("tuple[str, str]", mindspeed_table(native))
    version = seen.view.version
    head = name.partition(".")[0]
    if (table, name) == ("generate", "sampling_config") or (head != name and (table, head) in mindspeed_keys(version)):
        return  # a section, or a value of its own, whatever is inside
    params: dict[str, Any] = {"name": name, "version": version, "section": native.rpartition(".")[0]}
    elsewhere = versions_knowing(native)
    if elsewhere:
        params["versions"] = elsewhere
    near = closest(name, [n for t, n in mindspeed_keys(version) if t == table], limit=1) if look else []
    edits: tuple[Edit, ...] = ()
    if near:
        params["nearest"] = near[0]
        taken = f"{native.rpartition('.')[0]}.{near[0]}" in seen.view.entries
        if not taken:
            edits = (Edit("rename", key, near[0]),)
    # 2.0 only logs a warning, and the development branch may know more than it did when it was read.
    lenient = version == "2.0.0" or (version == "master" and not elsewhere)
    level: Level = "warning" if lenient else "error"
    if lenient:
        params["reason"] = "lenient"
    yield _at(seen, Problem(level, "mindspeed-unknown-key", key, params=params, edits=edits))


def _section(seen: Seen, key: str, section: str, look: bool) -> Problem:
    params: dict[str, Any] = {"section": section}
    near = closest(section, SECTIONS, limit=1) if look else []
    edits: tuple[Edit, ...] = ()
    if near:
        params["nearest"] = near[0]
        if key == section and near[0] not in seen.view.document.values:
            edits = (Edit("rename", key, near[0]),)
    return _at(seen, Problem("warning", "mindspeed-unknown-section", key, params=params, edits=edits))


def check_version(seen: Seen) -> Iterator[Problem]:
    """A word on the version when the file's own keys decided about it."""
    version = seen.view.version
    if not seen.view.world.backend_version and version != NEWEST_MINDSPEED:
        params = {"version": version, "newest": NEWEST_MINDSPEED}
        yield Problem("hint", "mindspeed-version-by-keys", params=params)


def check_missing(seen: Seen) -> Iterator[Problem]:
    """Values without a default that the validator computes with; the command line may still give them."""
    view = seen.view
    if seen.stage == "dpo" or composed_elsewhere(view.document.values):
        return
    names = ("global_batch_size", "seq_length", "micro_batch_size")
    keys = [seen.key("actor", name) for name in names] + [DEVICES]
    missing = [key for key in keys if key not in view.entries]
    sections = ["critic_config"] if seen.stage == "ray_ppo" else []
    sections += [] if seen.integrated or seen.stage == "ray_dapo" else ["ref_config", "reward_config"]
    missing += [name for name in sections if not any(key.startswith(f"{name}.") for key in view.entries)]
    if missing:
        top = next((key for key in view.document.values if str(key).partition(".")[0] in SECTIONS), "")
        yield _at(seen, Problem("warning", "mindspeed-value-missing", str(top), params={"names": missing}))


def check_types(seen: Seen) -> Iterator[Problem]:
    """Numbers and switches written as texts: the classes take them, and the first computation fails."""
    view = seen.view
    for native, entry in view.entries.items():
        value: Any = entry.value
        if not isinstance(value, str) or "${" in value or native.startswith("model."):
            continue
        try:
            default = mindspeed_default(native, view.version)
        except KeyError:
            continue
        expected = "bool" if isinstance(default, bool) else "int" if isinstance(default, int) else ""
        if native_name(native).rpartition(".")[2] in _WHOLE:
            expected = "int"
        if expected:
            params = {"value": value, "expected": expected, "got": type_name(value)}
            better = meant(expected, value)
            edits = () if better is None else (Edit("set", entry.key, better),)
            yield _at(seen, Problem("error", "mindspeed-wrong-type", entry.key, params=params, edits=edits), value=True)


# Without a default that would tell, but computed with.
_WHOLE = frozenset(("global_batch_size", "micro_batch_size", "seq_length", "train_iters", "save_interval", "num_npus"))


def _at(seen: Seen, problem: Problem, *, value: bool = False) -> Problem:
    from dataclasses import replace

    place = seen.view.document.place(problem.key)
    line, column = place.line, place.column
    if value and problem.key in seen.view.document.places and place.value_line:
        line, column = place.value_line, place.value_column
    return replace(problem, line=line, column=column)
