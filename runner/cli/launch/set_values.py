"""`--set KEY=VALUE` of `plan` and `run`: the file as if these values stood in it; the file itself is not touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...catalogue import load_catalogue
from ...catalogue.ascendfactory import OUTPUT, PREFIX
from ...catalogue.show import printable
from ...document import Document, EditError, add_key, parse_document, set_value
from ...native.shape import native_backend, shape_of
from ..locale_language import pick
from ..settings import parse_value
from ..usage import UsageError

if TYPE_CHECKING:
    from ...catalogue import Language


def with_settings(document: Document, settings: tuple[str, ...], lang: Language) -> Document:
    """The document with values set; what is wrong with them is found by the check that follows.

    Args:
        document: as read; must be readable.
        settings: ``KEY=VALUE`` texts, values as YAML; a later one wins.
        lang: of the refusals.

    Raises:
        UsageError: no ``KEY=VALUE``, a value that is no YAML, a section that a value can't replace.
    """
    text = document.text
    for setting in settings:
        name, equals, given = setting.partition("=")
        name = name.strip()
        if not equals or not name:
            shown = printable(setting)
            raise UsageError(pick(lang, f"--set {shown}: expected KEY=VALUE", f"--set {shown}：应为 KEY=VALUE"))
        value = parse_value(name, given, lang)
        now = parse_document(text, document.path)
        key = key_in(now, name)
        if isinstance(now.get(key), dict) and not isinstance(value, dict):
            raise UsageError(
                pick(lang, f"--set {name}: {key} is a section of the file; set a key in it: --set {name}.KEY=VALUE",
                     f"--set {name}：{key} 是文件中的段，请设置其中的键：--set {name}.KEY=VALUE")
            )  # fmt: skip
        try:
            text = _put(now, key, value)
        except EditError as error:
            reason = f"{error.code}{': ' + error.detail if error.detail else ''}"
            raise UsageError(
                pick(
                    lang,
                    f"--set {name}: the file can't take it ({reason})",
                    f"--set {name}：无法写入该文件（{reason}）",
                )
            ) from error
    return parse_document(text, document.path) if settings else document


def key_in(document: Document, name: str) -> str:
    """The key of this file that a name means: with its section, below ``backend_config``, by the name it bears here."""
    if document.has(name):
        return name
    shape = shape_of(document.values)
    if shape == "ascendfactory":
        own = name.startswith(PREFIX) or name in (OUTPUT, "af_model_name", "env")
        return name if own else PREFIX + name
    if native_backend(document.values):
        return name
    catalogue = load_catalogue()
    resolved = catalogue.resolve(name)
    found = [resolved[0]] if resolved else catalogue.find_all(name)
    if len(found) > 1:
        section = str(document.get("train_backend", ""))
        found = [one for one in found if one.section in ("", section)][:1] or found
    if not found:
        return name
    parameter = found[0]
    called = [f"{parameter.section}.{alias}" if parameter.section else alias for alias in parameter.aliases]
    return next((key for key in called if document.has(key)), parameter.key)


def _put(document: Document, key: str, value: Any) -> str:
    if not document.has(key):
        return add_key(document.text, key, value)
    return set_value(document.text, key, value)
