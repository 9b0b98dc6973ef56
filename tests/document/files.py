"""Generated files, as people write them and as they could be written, for the property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TRICKY = ["yes", "No", "on", "null", "~", "1e-6", "010", "0x1F", "12:30", "2026-01-01", "1_000", ".5", "1.", "-", "+"]
TRICKY += [
    "a: b",
    "a #b",
    "#x",
    "*a",
    "&a",
    "!t",
    "%x",
    "@x",
    "`x",
    "- a",
    "? a",
    "a:",
    " lead",
    "trail ",
    "",
    "'",
    '"',
]
TRICKY += ["😀", "路径", "a\nb", "tab\there", "\x07", "\x85", "\u2028", "\ufeff", "{a}", "[a", "a,b", "<<", "=", "\\"]
TRICKY += [".inf", "${a}", "0o17", "1e400", "007", "+.inf", "1__0", "0b1", "190:20:30", "x" * 900, "é", "a\r\nb", "b\n"]
texts = st.sampled_from(TRICKY) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(-(10**12), 10**12) | st.floats()
scalars = st.none() | st.booleans() | numbers | texts
values = scalars | st.lists(scalars, max_size=4)
trees = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)

SCALARS_AS_WRITTEN = [
    "1",
    "0.5",
    "text",
    "'q''x'",
    '"d\\n"',
    "true",
    "",
    "[a, 'b', 3]",
    "{x: 1}",
    "/p/a.b",
    "~",
    "5e-7",
]
COMMENTS = ["", "  # why", " #", "   "]
NAMES = ["lr", "num", "model.path", "actor.rollout.n", "'quoted key'", '"a: b"', "键", "x[0]", "a/b", "trainer"]


@st.composite
def files(draw: Any) -> str:
    """A file of two levels, as people write it: comments, blanks, any line end, perhaps a BOM and no last newline."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines = ["# head 😀"] if draw(st.booleans()) else []
    count = draw(st.integers(1, 5))
    for index in range(count):
        if draw(st.booleans()):
            lines.append(draw(st.sampled_from(["", "# note", "   "])))
        lines.append(f"key{index}: {draw(st.sampled_from(SCALARS_AS_WRITTEN))}{draw(st.sampled_from(COMMENTS))}")
    if draw(st.booleans()):
        lines.append("block:")
        lines += ["  - one", "  # between", "  - 'two'"]
    if draw(st.booleans()):
        lines += ["story: |", "  first", "", "  last", ""]
    lines.append("verl:" + draw(st.sampled_from(COMMENTS)))
    for index in range(draw(st.integers(1, 3))):
        lines.append(f"  inner{index}: {draw(st.sampled_from(SCALARS_AS_WRITTEN))}")
    text = newline.join(lines) + (newline if draw(st.booleans()) else "")
    return ("\ufeff" if draw(st.booleans()) else "") + text


@st.composite
def nested_files(draw: Any) -> str:
    """A file of any depth and style: blocks, flow, dotted and quoted names, mixed line ends, comments at odd places."""
    lines = draw(st.sampled_from([[], ["---"], ["# head"], ["%YAML 1.1", "---"]]))
    lines = [*lines, *draw(_mapping("", 3))]
    if draw(st.integers(0, 9)) == 0:
        lines.append("...")
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n"]]))
    text = "".join(line + draw(st.sampled_from(ends)) for line in lines)
    text = text if draw(st.booleans()) else text.rstrip("\r\n")
    return ("\ufeff" if draw(st.integers(0, 5)) == 0 else "") + text


@st.composite
def _mapping(draw: Any, indent: str, depth: int) -> list[str]:
    lines: list[str] = []
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True)):
        if draw(st.integers(0, 3)) == 0:
            lines.append(
                draw(st.sampled_from(["", f"{indent}# about {name}", "# at the left", f"{indent}      # far"]))
            )
        first, *more = draw(_value(indent, depth))
        lines += [f"{indent}{name}:{first}", *more]
    return lines


@st.composite
def _value(draw: Any, indent: str, depth: int) -> list[str]:
    """What stands behind the colon, and the lines below it."""
    comment = draw(st.sampled_from(COMMENTS))
    kind = draw(
        st.sampled_from(["scalar", "scalar", "text", "folded", "list", "flow", "mapping", "mapping", "records"])
    )
    inner = indent + draw(st.sampled_from(["  ", "    "]))
    if kind == "mapping" and depth:
        return [comment, *draw(_mapping(inner, depth - 1))]
    if kind == "list":
        at = draw(st.sampled_from([indent, inner]))
        items = draw(st.lists(st.sampled_from(SCALARS_AS_WRITTEN), min_size=1, max_size=3))
        return [comment, *(f"{at}- {item}{draw(st.sampled_from(COMMENTS))}" for item in items)]
    if kind == "records":
        return [comment, f"{inner}- lr: 1", f"{inner}  num: 2{draw(st.sampled_from(COMMENTS))}", f"{inner}- {{lr: 2}}"]
    if kind == "text":
        mark = draw(st.sampled_from(["|", "|-", "|+", ">", ">-", "|2", "| # why"]))
        if mark == "|2":
            inner = indent + "  "
        return [f" {mark}", f"{inner}first", "", f"{inner}# no comment: x", *draw(st.sampled_from([[], ["", ""]]))]
    if kind == "folded":
        return draw(
            st.sampled_from(
                [[" plain", f"{inner}goes on"], [" 'quoted", "", f"{inner}goes on'"], ["", f"{inner}# c", f"{inner}5"]]
            )
        )
    if kind == "flow":
        many = [" [", f"{inner}1,{comment}", f"{inner}2", f"{inner}]"]
        more = [" {", f"{inner}lr: 1,  # c, d", f"{inner}num: [1, 2],", f"{inner}}}"]
        return draw(
            st.sampled_from([[f" {{lr: 1, num: {{x: ~}}}}{comment}"], many, more, [" [ ]"], [" {}"], [" [a,b ,]"]])
        )
    return [f" {draw(st.sampled_from(SCALARS_AS_WRITTEN))}{comment}"]
