"""The form: values, sources, undo and redo, marks, all over one text."""

from pathlib import Path

import pytest

from agentic_rl_wizard.wizard.form.opening import from_template, open_file
from agentic_rl_wizard.wizard.form.state import Change, Form, Origin

SMALL = "# top\ntrain_backend: verl\nlr: 1.0e-6   # rate\ntop_k: 10\nverl:\n  total_epochs: 2\n"


@pytest.fixture
def form() -> Form:
    return Form(SMALL, Origin(base=SMALL, path=Path("/x/y.yaml"), disk=SMALL))


def parameter(form: Form, key: str):
    return next(one for one in form.parameters() if one.key == key)


def changed(form: Form) -> list[tuple[str, str]]:
    """(before, after) of the lines that differ, lines being neither added nor removed."""
    before, after = SMALL.splitlines(), form.text.splitlines()
    assert len(before) == len(after)
    return [(old, new) for old, new in zip(before, after, strict=True) if old != new]


def test_one_edit_changes_one_line(form: Form) -> None:
    form.type(parameter(form, "top_k"), "25")
    assert changed(form) == [("top_k: 10", "top_k: 25")]
    assert form.document.get("top_k") == 25


def test_comment_behind_an_edited_value_stays(form: Form) -> None:
    form.type(parameter(form, "lr"), "3e-5")
    [(_, new)] = changed(form)
    assert new == "lr: 3.0e-5   # rate"
    assert form.document.get("lr") == 3e-5, "not the string that 3e-5 is to PyYAML"


def test_sources(form: Form) -> None:
    assert form.source("top_k") == "file"
    assert form.source("gamma") == "default"
    form.set("top_k", 11)
    form.set("gamma", 0.9)
    assert form.source("top_k") == form.source("gamma") == "edited"
    form.set("top_k", 10)
    assert form.source("top_k") == "file"


def test_template_is_a_source_of_its_own() -> None:
    form = from_template("agentsdk-verl").form
    assert form is not None
    assert form.source("train_backend") == "template"
    assert form.placeholder("tokenizer_name_or_path")
    form.set("tokenizer_name_or_path", "/models/q")
    assert not form.placeholder("tokenizer_name_or_path")


def test_type_counts_as_a_difference(form: Form) -> None:
    form.set("top_k", 10.0)
    assert form.source("top_k") == "edited"


def test_undo_and_redo_restore_the_bytes(form: Form) -> None:
    texts = [form.text]
    for key, value in (("top_k", 3), ("lr", 0.5), ("verl.total_epochs", 9), ("gamma", 0.5)):
        form.set(key, value)
        texts.append(form.text)
    for text in reversed(texts[:-1]):
        assert form.undo()
        assert form.text == text
    assert form.undo() is None
    for text in texts[1:]:
        form.redo()
        assert form.text == text
    assert form.redo() is None


def test_undo_names_the_field(form: Form) -> None:
    form.set("top_k", 3)
    form.set("gamma", 0.5)
    assert form.undo() == "gamma"
    assert form.undo() == "top_k"
    assert form.redo() == "top_k"


def test_typing_in_one_field_is_one_step(form: Form) -> None:
    for typed in ("2", "25", "256"):
        form.type(parameter(form, "top_k"), typed)
    form.undo()
    assert form.text == SMALL


def test_coming_back_to_a_field_is_another_step(form: Form) -> None:
    form.type(parameter(form, "top_k"), "2")
    form.history.seal()
    form.type(parameter(form, "top_k"), "25")
    form.undo()
    assert form.document.get("top_k") == 2


def test_typing_back_leaves_nothing_to_undo(form: Form) -> None:
    form.type(parameter(form, "top_k"), "1")
    form.type(parameter(form, "top_k"), "10")
    assert form.text == SMALL
    assert not form.history.can_undo


def test_an_edit_after_undo_forgets_the_redone(form: Form) -> None:
    form.set("top_k", 3)
    form.undo()
    form.set("top_k", 4)
    assert form.redo() is None


def test_reset_takes_the_line_out(form: Form) -> None:
    form.reset(parameter(form, "top_k"))
    assert form.text == SMALL.replace("top_k: 10\n", "")
    assert form.value(parameter(form, "top_k")) == parameter(form, "top_k").default.value
    form.undo()
    assert form.text == SMALL


def test_emptied_field_goes_back_to_its_default(form: Form) -> None:
    form.type(parameter(form, "top_k"), "  ")
    assert not form.present("top_k")


def test_wrong_value_is_kept_and_named(form: Form) -> None:
    form.type(parameter(form, "top_k"), "many")
    assert form.document.get("top_k") == "many"
    assert [problem.level for problem in form.findings.of("top_k")] == ["error"]
    form.type(parameter(form, "top_k"), "5")
    assert form.findings.of("top_k") == []


def test_marks_of_sections(form: Form) -> None:
    section = form.section_of("top_k")
    assert section is not None
    assert form.mark(section) == ("untouched", 0)
    form.see(section)
    assert form.mark(section) == ("done", 0)
    form.set("top_k", "x")
    form.set("temperature", "y")
    assert form.mark(section) == ("errors", 2)


def test_sections_follow_the_back_end(form: Form) -> None:
    assert any(one.key == "verl.train_files" for one in form.parameters())
    form.set("train_backend", "mindspeed_rl")
    keys = {one.key for one in form.parameters()}
    assert "mindspeed_rl.data_path" in keys and "verl.train_files" not in keys
    form.undo()
    assert any(one.key == "verl.train_files" for one in form.parameters())


def test_unknown_keys_have_a_page_and_stay(form: Form) -> None:
    text = SMALL + "  my_own: 3\n"
    form = Form(text, Origin(base=text))
    assert form.sections[-1].id == "others"
    form.set("verl.my_own", 4)
    assert form.text == text.replace("my_own: 3", "my_own: 4")


def test_native_tree_has_pages_of_its_own_keys() -> None:
    text = "actor_rollout_ref:\n  rollout:\n    n: 4\n    mine: a\ntrainer:\n  total_epochs: 1\n"
    form = Form(text, Origin(base=text))
    assert [section.id for section in form.sections][-1] == "others"
    assert [one.key for one in form.sections[-1].parameters] == ["actor_rollout_ref.rollout.mine"]
    assert form.source("trainer.total_epochs") == "file"
    assert form.section_of("af_output_dir") is None, "AscendFactory's alone"
    form.set("actor_rollout_ref.rollout.n", 8)
    assert form.text == text.replace("n: 4", "n: 8")


def test_listeners_hear_of_everything(form: Form) -> None:
    heard: list[Change] = []
    stop = form.subscribe(heard.append)
    form.set("top_k", 3)
    form.undo()
    form.check_all()
    assert [(one.kind, one.key) for one in heard] == [("text", "top_k"), ("text", "top_k"), ("problems", "")]
    stop()
    form.set("top_k", 4)
    assert len(heard) == 3


def test_late_check_is_dropped(form: Form) -> None:
    version = form.version
    form.set("top_k", 3)
    assert not form.take_problems(version, [])


STRANGE = ["", "\n", "- a\n- b\n", "lr: [1\n", "{", "\t\n", "lr:\n  a: 1\n", "lr: &a 1\ntop_k: *a\n"]


@pytest.mark.parametrize("text", STRANGE)
def test_strange_texts_make_a_form(text: str) -> None:
    form = Form(text, Origin(base=text))
    form.check_all()
    assert form.sections
    assert form.text == text


@pytest.mark.parametrize("value", ["[red]x[/red]", "\x1b[31mx", "a: b # c", "😀é", "'\"", "null", "1e-6", "@x", "- x"])
def test_strange_strings_come_back_as_they_were(form: Form, value: str) -> None:
    form.set("agent_name", value)
    assert form.document.get("agent_name") == value


def test_unreadable_files_have_a_reason(tmp_path: Path) -> None:
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "large.yaml").write_text("a: 1\n" * 300_000)
    reasons = [open_file(tmp_path / name).reason for name in ("none.yaml", ".", "bytes.yaml", "large.yaml")]
    assert reasons == ["missing", "folder", "bytes", "large"]
    assert from_template("../x").reason == "template"


def test_new_file_from_template_is_not_saved_yet(tmp_path: Path) -> None:
    opened = open_file(tmp_path / "new.yaml", "agentsdk-verl").form
    assert opened is not None
    assert opened.dirty and opened.origin.path == tmp_path / "new.yaml"
