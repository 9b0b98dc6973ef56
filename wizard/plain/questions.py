"""One section, question by question, with a way back at each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ...runner.catalogue import problem_text
from ...runner.catalogue.parameter import Parameter
from ..form.describe import facts, in_language
from ..form.state import Form
from ..form.values import choices_for, show_value
from ..i18n import language, t
from .asker import Option

if TYPE_CHECKING:
    from ..form.layout import Section
    from .asker import Asker

Move = Literal["next", "back", "again"]
BACK, HELP, DEFAULT, OTHER, KEEP = "<", "?", "=", "...", ""
SIGNS = {"error": "x", "warning": "!", "hint": "i"}


def ask_section(form: Form, section: Section, asker: Asker) -> None:
    """Ask the questions of a section; back from the first one, or past the last one, ends it."""
    asker.say(f"\n== {in_language(section.title)} ==\n{in_language(section.help)}\n{t('wizard.plain_how')}")
    place = 0
    while 0 <= place < len(section.parameters):
        move = ask_field(form, section.parameters[place], asker)
        place += {"next": 1, "back": -1, "again": 0}[move]
    form.see(section)


def ask_field(form: Form, parameter: Parameter, asker: Asker) -> Move:
    """Ask for one value; one that is an error is asked for again, unless it is kept on purpose."""
    key = parameter.key
    title = f"{in_language(parameter.title)} ({key})"
    now = form.shown(parameter) if form.present(key) or parameter.default.software_known else "-"
    asker.say(f"\n{title}: {now}  [{t(f'wizard.source_{form.source(key)}')}]")
    choices = choices_for(parameter, form.back_end)
    if choices and parameter.kind != "list":
        answer = _from_menu(form, parameter, [show_value(choice) for choice in choices], asker)
    elif parameter.kind == "bool":
        answer = _from_menu(form, parameter, ["true", "false"], asker)
    else:
        answer = asker.line(t("wizard.plain_value", key=parameter.name))
    if answer == BACK:
        return "back"
    if answer == HELP:
        asker.say(explanation(parameter))
        return "again"
    if answer == KEEP:
        return "next"
    if answer == DEFAULT:
        form.reset(parameter)
    else:
        form.refused = None
        form.type(parameter, answer)
    form.history.seal()
    if form.refused is not None:
        asker.say(t(f"wizard.refused_{form.refused.reason}", detail=form.refused.detail))
    problems = form.findings.of(key)
    for problem in problems:
        text = problem_text(problem, language())
        asker.say(f"  {SIGNS[problem.level]} {text.message} {text.fix}".rstrip())
    return "again" if any(problem.level == "error" for problem in problems) else "next"


def _from_menu(form: Form, parameter: Parameter, words: list[str], asker: Asker) -> str:
    """Choose among known values, or keep, go back, type another one."""
    now = show_value(form.value(parameter)) if form.present(parameter.key) else ""
    options: list[Option] = [(word, word) for word in words]
    options += [
        (KEEP, t("wizard.plain_keep")),
        (DEFAULT, t("wizard.plain_default")),
        (OTHER, t("wizard.plain_other")),
        (HELP, t("wizard.plain_help")),
        (BACK, t("wizard.plain_back")),
    ]
    answer = asker.choose(t("wizard.plain_value", key=parameter.name), options, now if now in words else KEEP)
    if answer == OTHER:
        return asker.line(t("wizard.plain_value", key=parameter.name))
    return KEEP if answer == now else answer


def explanation(parameter: Parameter) -> str:
    """Everything known about a parameter, as plain lines."""
    lines = [in_language(parameter.help), *(f"  {label}: {value}" for label, value in facts(parameter))]
    return "\n".join(lines + [in_language(note) for note in parameter.notes])
