"""Ways to begin: a template, a file, a launch script, a draft; each gives a form, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..i18n import language
from . import rooms
from .drafts import Draft
from .state import Form, Origin

LARGEST = 1024 * 1024  # bytes; design 5.1


@dataclass(frozen=True, slots=True)
class Opened:
    """A form, or why there is none (``reason`` ends the id of a text: ``missing``, ``large``, ...).

    ``said`` is what became of the settings of an imported launch script, in lines for the person.
    """

    form: Form | None
    name: str
    reason: str = ""
    why: str = ""
    said: tuple[str, ...] = ()


def from_template(name: str) -> Opened:
    """Start from a template, with comments in the language in use."""
    try:
        text = rooms.template_text(name, language())
    except (KeyError, ValueError, OSError) as error:
        return Opened(None, name, "template", str(error))
    return Opened(Form(text, Origin(base=text, template=name)), name)


def open_file(path: Path, template: str = "") -> Opened:
    """Open a file; one that does not exist is begun from a template when there is one."""
    path = path.expanduser()
    try:
        if path.is_dir():
            return Opened(None, str(path), "folder")
        if not path.exists():
            if not template:
                return Opened(None, str(path), "missing")
            begun = from_template(template)
            if begun.form is not None:
                begun.form.origin = Origin(begun.form.text, template, path.absolute(), None)
            return begun
        if path.stat().st_size > LARGEST:
            return Opened(None, str(path), "large")
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        return Opened(None, str(path), "bytes", str(error))
    except OSError as error:
        return Opened(None, str(path), "failed", error.strerror or str(error))
    if rooms.is_script(text, path):
        return import_script(path)
    return Opened(Form(text, Origin(base=text, path=path.absolute(), disk=text)), str(path))


def import_script(path: Path) -> Opened:
    """Make a new, unnamed AscendFactory file of a launch script; the script itself is neither run nor changed."""
    try:
        text, said = rooms.imported(path, language())
    except rooms.NotImported as error:
        return Opened(None, str(path), "script", str(error))
    return Opened(Form(text, Origin(base=text, imported=path.name)), str(path), said=tuple(said))


def from_draft(draft: Draft) -> Opened:
    """Go on with a draft; undo leads back to where it started."""
    path = Path(draft.path) if draft.path else None
    form = Form(draft.base, Origin(base=draft.base, template=draft.template, path=path, disk=draft.disk))
    form.replace(draft.text)
    return Opened(form, draft.path or draft.template)
