"""Everything known about one parameter or one problem code, as sections of text for the CLI and the help pane."""

from __future__ import annotations

from .catalogue import Catalogue
from .explain_block import explain_block
from .explain_find import find, nearest
from .explain_option import explain_option
from .explain_parameter import explain_parameter
from .explain_relations import plain
from .explain_verl import explain_verl_key
from .explain_words import JUDGE_WORDS, LABELS
from .explanation import Explanation, Section, render_json, render_plain
from .load import load_catalogue
from .problem import Language
from .texts import ProblemEntry, problem_catalogue

__all__ = ["Explanation", "Section", "explain", "render_json", "render_plain"]


def explain(key_or_code: str, lang: Language = "en", catalogue: Catalogue | None = None) -> Explanation:
    """Explain a parameter or a problem code.

    Takes a name, a dotted key, a name of the documents or of older releases, a name under the wrong section
    (``verl.lr``), a key of verl (``actor_rollout_ref.rollout.n``, or its end, ``rollout.n``), of an AscendFactory file
    (``backend_config.data.shuffle``) or of MindSpeed-RL's files, a problem code, the option ``--config-path``, or a
    section (``backend_config``, ``critic.model``). An unknown one gives an explanation whose ``found`` is False, which
    names the nearest.
    """
    known = catalogue or load_catalogue()
    asked = key_or_code.strip().rstrip(":")
    labels = LABELS[lang]
    found = find(asked, known)
    if found.verl_key:
        how = labels[found.asked_for].format(found.verl_key) if found.asked_for else ""
        return explain_verl_key(found.verl_key, how, lang)
    if found.parameters:
        return explain_parameter(found.parameters, found.asked_for, lang)
    entry = problem_catalogue().get(asked)
    if entry is not None:
        return _explain_problem(entry, lang)
    other = explain_option(asked, lang) or explain_block(asked, known, lang)
    if other is not None:
        return other
    return Explanation("unknown", asked, labels["unknown"].format(asked), nearest=tuple(nearest(asked, known)))


def _explain_problem(entry: ProblemEntry, lang: Language) -> Explanation:
    labels = LABELS[lang]
    sections = [
        Section("message", labels["message"], (plain(entry.message[lang]),)),
        Section("because", labels["because"], (plain(entry.because[lang]),)),
        Section("fix", labels["fix"], (plain(entry.fix[lang]),)),
    ]
    if entry.keys:
        if entry.formula:
            sections.append(Section("holds", labels["holds"], (entry.formula,)))
        sections.append(Section("keys", labels["keys"], (", ".join(entry.keys),)))
    if entry.reasons:
        cases = tuple(f"{plain(because[lang])} {plain(fix[lang])}" for because, fix in entry.reasons.values())
        sections.append(Section("cases", labels["cases"], cases))
    judge = JUDGE_WORDS[lang][entry.judge] + (f" ({entry.source})" if entry.source else "")
    sections.append(Section("judge", labels["judge"], (judge,)))
    return Explanation("problem", entry.code, labels["problem"].format(entry.code), tuple(sections))
