"""A file of any form read and written in another: what `agentic-rl convert` and the wizard's import share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..locale_language import pick
from .texts import MISSING, REASONS, REMARKS, SUMMARY

if TYPE_CHECKING:
    from ...catalogue import Language
    from ...native.forms import Converted, Form
    from ...native.settings import Settings

_SHOWN = 12  # keys of one kind that are named one by one; --json names them all


class ConvertError(Exception):
    """The source can't be converted; the text is for the user."""


def convert_file(path: Path, form: Form, verl_version: str, lang: Language) -> tuple[Converted, Settings]:
    """Read a file of any form and write it in another.

    Raises:
        ConvertError: the source can't be read, or is nothing that verl trains with.
    """
    from ...native import AGENTSDK_VERL, NEWEST_VERL, known_verl
    from ...native.forms import to_form

    settings, shape = read_settings(path, verl_version, lang)
    version = known_verl(verl_version, AGENTSDK_VERL if "agentsdk" in (shape, form) else NEWEST_VERL)
    name = path.name.encode("unicode_escape").decode("ascii") if not path.name.isprintable() else path.name
    header = [pick(lang, f"Written by agentic-rl convert from {name}.", f"由 agentic-rl convert 从 {name} 生成。")]
    return to_form(settings, form, version, header, _titles(lang)), settings


def read_settings(path: Path, verl_version: str, lang: Language) -> tuple[Settings, str]:
    """The settings of a file, and the shape it has (``script`` for a launch script).

    Raises:
        ConvertError: the source can't be read, or is nothing that verl trains with.
    """
    from ...catalogue import problem_text
    from ...check import shape_of
    from ...document import parse_document, read_document
    from ...native import AGENTSDK_VERL, known_verl
    from ...native.script import looks_like_script, read_script
    from ...native.settings import settings_of_agentsdk, settings_of_script, settings_of_tree

    text = partial(pick, lang)
    document = read_document(path)
    source = document.text
    if not source and not document.readable:
        raise ConvertError(f"{path}: {problem_text(document.problems[0], lang).message}")
    if looks_like_script(source):
        home = {"HOME": os.path.expanduser("~"), "PWD": str(Path(path).absolute().parent)}  # noqa: PTH111 - may be unset
        script = read_script(source, home)
        if "sft" in script.module:
            raise ConvertError(
                text(
                    f"{path}:{script.line}: starts {script.module}: supervised fine-tuning, a trainer with keys of its "
                    "own; only scripts of reinforcement learning are converted",
                    f"{path}:{script.line}：启动的是 {script.module}，即监督微调，其配置键与强化学习不同；"
                    "仅支持转换强化学习的脚本",
                )
            )
        if not script.overrides:
            raise ConvertError(
                text(f"{path}: no command that starts verl was found", f"{path}：未找到启动 verl 的命令")
            )
        return settings_of_script(script, source), "script"
    if not document.readable:
        document = parse_document(source, path)
        place = document.problems[0]
        raise ConvertError(f"{path}:{place.line}: {problem_text(place, lang).message}")
    shape = shape_of(document.values)
    if shape in ("verl", "ascendfactory"):
        return settings_of_tree(document), shape
    if shape != "agentsdk" or document.get("train_backend") == "mindspeed_rl":
        raise ConvertError(
            text(
                f"{path}: a configuration of MindSpeed-RL or another launcher; only those of verl are converted",
                f"{path}：这是 MindSpeed-RL 或其他启动器的配置；仅支持转换 verl 的配置",
            )
        )
    return settings_of_agentsdk(document, known_verl(verl_version, AGENTSDK_VERL)), shape


def report(converted: Converted, settings: Settings, lang: Language) -> Iterator[str]:
    """What became of the keys, in lines."""
    for mapping in (converted.kept, converted.noted):
        for reason in dict.fromkeys(mapping.values()):
            keys = [key for key, why in mapping.items() if why == reason]
            yield REASONS[reason][lang].format(count=len(keys), keys=_listed(keys, lang))
    for kind in dict.fromkeys(kind for kind, _ in settings.remarks):
        subjects = [subject for found, subject in settings.remarks if found == kind]
        yield REMARKS[kind][lang].format(count=len(subjects), keys=_listed(subjects, lang))
    if converted.missing:
        yield MISSING[lang].format(count=len(converted.missing), keys=_listed(converted.missing, lang))
    carried = len(settings.values) + len(settings.parameters) - len(converted.kept)
    yield SUMMARY[lang].format(carried=max(carried, 0), kept=len(converted.kept))


def _listed(keys: list[str], lang: Language) -> str:
    between = pick(lang, ", ", "、")
    shown = between.join(key.replace("\n", " ")[:80] for key in keys[:_SHOWN])
    more = len(keys) - _SHOWN
    return shown if more <= 0 else shown + pick(lang, f" and {more} more", f" 等共 {len(keys)} 个")


def _titles(lang: Language) -> Callable[[str], str]:
    from ...catalogue import load_catalogue

    parameters = load_catalogue().parameters
    return lambda key: parameters[key].title[lang] if key in parameters else ""
