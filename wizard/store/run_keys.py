"""Every key of the run view, once: bindings, the line at the bottom and the help screen are made from this table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Context = Literal["run", "log", "charts", "rollouts", "devices"]


@dataclass(frozen=True, slots=True)
class Key:
    """One key.

    Attributes:
        id: key of its texts: ``run.key.<id>`` (short, for the bottom line) and ``run.help.<id>`` (a sentence).
        keys: as Textual names them, comma separated.
        shown: as a person writes them.
        action: what it does.
        context: where it works.
        bottom: rank on the bottom line, 0 for not there; lower ranks stay when there is little room.
    """

    id: str
    keys: str
    shown: str
    action: str
    context: Context
    bottom: int = 0


KEYS: tuple[Key, ...] = (
    Key("detach", "q", "q", "detach", "run", 1),
    Key("help", "question_mark,f1", "?", "show_help", "run", 2),
    Key("log", "1", "1", "pane('log')", "run"),
    Key("charts", "2", "2", "pane('charts')", "run"),
    Key("rollouts", "3", "3", "pane('rollouts')", "run"),
    Key("devices", "4", "4", "pane('devices')", "run"),
    Key("info", "5", "5", "pane('info')", "run"),
    Key("zoom", "z", "z", "zoom", "run", 8),
    Key("stop", "X", "X", "stop", "run", 7),
    Key("overlay", "o", "o", "overlay", "run", 11),
    Key("cancel", "escape", "Esc", "cancel", "run"),
    Key("language", "f2", "F2", "app.switch_language", "run", 9),
    Key("theme", "f3", "F3", "app.switch_theme", "run", 10),
    Key("suspend", "ctrl+z", "Ctrl+Z", "app.suspend_process", "run"),
    Key("find", "slash", "/", "find", "log", 3),
    Key("next_hit", "n", "n", "next_hit(1)", "log", 4),
    Key("previous_hit", "N", "N", "next_hit(-1)", "log"),
    Key("only_matching", "ampersand", "&", "only_matching", "log", 6),
    Key("level", "L", "L", "level", "log", 6),
    Key("next_error", "e", "e", "next_error(1)", "log", 5),
    Key("previous_error", "E", "E", "next_error(-1)", "log"),
    Key("follow", "f", "f", "toggle_follow", "log", 4),
    Key("step", "g", "g", "goto_step", "log", 9),
    Key("whole_line", "enter", "Enter", "whole_line", "log", 8),
    Key("wrap", "W", "W", "wrap", "log"),
    Key("worker", "w", "w", "only_worker", "log"),
    Key("mark", "v", "v", "mark", "log"),
    Key("copy", "y", "y", "copy", "log", 9),
    Key("save", "S", "S", "save", "log"),
    Key("to_chart", "c", "c", "to_chart", "log", 9),
    Key("cursor", "", "← →", "", "charts", 3),
    Key("to_log", "enter", "Enter", "to_log", "charts", 4),
    Key("smoothing", "s", "s", "smoothing", "charts", 5),
    Key("log_axis", "l", "l", "log_axis", "charts", 6),
    Key("next_chart", "down,j", "↓", "next_chart(1)", "charts"),
    Key("previous_chart", "up,k", "↑", "next_chart(-1)", "charts"),
    Key("rollout_open", "enter", "Enter", "open", "rollouts", 3),
    Key("rollout_list", "", "Esc", "", "rollouts", 3),
    Key("rollout_step", "", "← →", "", "rollouts", 4),
    Key("rollout_next", "n", "n", "next(1)", "rollouts", 4),
    Key("rollout_previous", "p", "p", "next(-1)", "rollouts"),
    Key("rollout_sort", "s", "s", "sort", "rollouts", 5),
    Key("rollout_only", "L", "L", "only", "rollouts", 5),
    Key("rollout_find", "slash", "/", "find", "rollouts", 6),
    Key("rollout_follow", "f", "f", "follow", "rollouts", 7),
    Key("rollout_goto", "g", "g", "goto", "rollouts"),
    Key("rollout_validation", "v", "v", "validation", "rollouts", 9),
    Key("rollout_chart", "c", "c", "to_chart", "rollouts"),
    Key("rollout_copy", "y", "y", "copy", "rollouts", 8),
    Key("rollout_save", "S", "S", "save", "rollouts"),
    Key("device_metric", "h", "h", "metric", "devices", 3),
)


def keys_of(context: Context) -> list[Key]:
    """The keys of one place, in the order of the table."""
    return [key for key in KEYS if key.context == context]
