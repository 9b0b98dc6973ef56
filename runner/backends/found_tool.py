"""What a program that was looked up says about a back end: there or not, and why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..facts.tools import belongs_to
from .backend import Installed
from .plan import Text

if TYPE_CHECKING:
    from ..facts.tools import Tool
    from ..facts.training import TrainingFacts


def installed(
    backend: str, tool: Tool | None, name: str, distributions: tuple[str, ...], options: str, training: TrainingFacts
) -> Installed:
    """A back end that is one executable.

    Args:
        backend: its name.
        tool: what was found; None when it was not looked for.
        name: of the executable.
        distributions: names under which its package may be installed.
        options: what follows the executable on its command line, for people.
        training: the training interpreter and its packages, which count where the executable belongs to it.
    """
    python = training.python
    own = tool is not None and belongs_to(tool, python)
    packages: Mapping[str, str] = training.versions if own else tool.versions if tool is not None else {}
    version = next((packages[one] for one in distributions if one in packages), "")
    start = f"{tool.path if tool is not None and tool.path else name} {options}"
    if tool is None or not tool.usable:
        problem = tool.problem if tool is not None else "missing"
        path = tool.path if tool is not None else ""
        words = {
            language: text.format(name=name, path=path, python=python, interpreter=tool.interpreter if tool else "")
            for language, text in _TROUBLE[problem].items()
        }
        return Installed(backend, present=False, version=version, start=start, why_not=words)
    remark = _remark(tool, python, own, version)
    return Installed(backend, True, version, tool.path, start, remark=remark, packages=packages)


def _remark(tool: Tool, python: str, own: bool, version: str) -> Text:
    words: Text = {}
    if tool.others:
        others = ", ".join(tool.others)
        words = {language: text.format(path=tool.path, others=others) for language, text in _SEVERAL.items()}
    if own or not tool.interpreter:
        return words
    other = {
        language: text.format(path=tool.path, interpreter=tool.interpreter, python=python, version=version or "?")
        for language, text in _OTHER_PYTHON.items()
    }
    return {
        language: " ".join(part for part in (other[language], words.get(language, "")) if part) for language in other
    }


_TROUBLE: dict[str, Text] = {
    "missing": {
        "en": "{name} is neither beside {python} nor on the PATH",
        "zh": "{python} 所在目录与 PATH 中都没有 {name}",
    },
    "not-executable": {
        "en": "{path} is not executable (chmod u+x, or reinstall it)",
        "zh": "{path} 没有执行权限（请 chmod u+x 或重新安装）",
    },
    "interpreter-missing": {
        "en": "{path} starts with {interpreter}, which is gone; reinstall it",
        "zh": "{path} 首行指定的 {interpreter} 不存在，请重新安装",
    },
}
_SEVERAL: Text = {
    "en": "several are installed; {path} is taken, not {others}",
    "zh": "发现多个安装：采用 {path}，未采用 {others}",
}
_OTHER_PYTHON: Text = {
    "en": "{path} runs in {interpreter} (version {version} there), not in {python}, whose packages do not count for it",
    "zh": "{path} 使用 {interpreter}（其中的版本为 {version}），而非 {python}，后者中的软件包对它无效",
}
