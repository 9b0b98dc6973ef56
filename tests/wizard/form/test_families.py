"""Files of every shape: which fields they have, and that an edit changes the line that is meant."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agentic_rl_wizard.wizard.form import rooms
from agentic_rl_wizard.wizard.form.drafts import Drafts
from agentic_rl_wizard.wizard.form.opening import from_draft, from_template, open_file
from agentic_rl_wizard.wizard.form.saving import save, suggested_name
from agentic_rl_wizard.wizard.form.search import Index
from agentic_rl_wizard.wizard.form.state import Form, Origin

N = "backend_config.actor_rollout_ref.rollout.n"
FACTORY = """\
af_output_dir: /out
backend_config:
  actor_rollout_ref:
    rollout:
      n: 5  # answers
  trainer.nnodes: 1
"""
HYDRA = "defaults:\n  - base: x\n  - _self_\nagentic_ai:\n  lr: 0.5\n  names: [a, b]\n"
MINDSPEED = """\
defaults:
  - model:
      - qwen25-7b
megatron_training:
  train_iters: 3
rl_config:
  n_samples_per_prompt: 8
"""
SCRIPT = """#!/bin/bash
set -x
export HYDRA_FULL_ERROR=1
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.rollout.n=7 \\
    data.train_files=$UNSET/train.parquet
"""


@pytest.fixture
def factory() -> Form:
    return Form(FACTORY, Origin(base=FACTORY, path=Path("/x/y.yaml"), disk=FACTORY))


def parameter(form: Form, key: str):
    return next(one for one in form.parameters() if one.key == key)


def test_fields_of_ascendfactory_are_verls(factory: Form) -> None:
    keys = [one.key for one in factory.parameters()]
    assert N in keys and "af_output_dir" in keys and "lr" not in keys
    assert len(keys) == len(set(keys))
    assert [one.id for one in factory.sections] == list(rooms.catalogue("verl").groups)


@pytest.mark.parametrize(
    ("key", "typed", "old", "new"),
    [
        (N, "8", "n: 5", "n: 8"),
        ("backend_config.trainer.nnodes", "2", "nnodes: 1", "nnodes: 2"),
        ("af_output_dir", "/mine", "/out", "/mine"),
    ],
    ids=["nested", "flat", "beside"],
)
def test_one_edit_of_ascendfactory_changes_one_line(factory: Form, key: str, typed: str, old: str, new: str) -> None:
    factory.type(parameter(factory, key), typed)
    assert factory.text == FACTORY.replace(old, new)
    assert factory.source(key) == "edited"
    factory.undo()
    assert factory.text == FACTORY


def test_added_key_brings_its_comment_and_takes_it_away(factory: Form) -> None:
    temperature = parameter(factory, "backend_config.actor_rollout_ref.rollout.temperature")
    factory.type(temperature, "0.7")
    added = [line for line in factory.text.splitlines() if line not in FACTORY.splitlines()]
    assert added[-1] == "      temperature: 0.7"
    assert len(added) > 1 and all(line.startswith("      # ") for line in added[:-1])
    factory.reset(temperature)
    assert factory.text == FACTORY


def test_first_level_of_agentsdk_gets_comments_too() -> None:
    text = "train_backend: verl\n"
    form = Form(text, Origin(base=text))
    form.type(parameter(form, "top_k"), "5")
    assert form.text.splitlines()[-1] == "top_k: 5" and form.text.splitlines()[-2].startswith("# ")


def test_wrong_value_is_told_at_the_key_press(factory: Form) -> None:
    factory.type(parameter(factory, N), "many")
    assert [one.level for one in factory.findings.of(N)] == ["error"]
    section = factory.section_of(N)
    assert section is not None and factory.mark(section)[0] == "errors"
    factory.type(parameter(factory, N), "4")
    assert not factory.findings.of(N)


def test_search_finds_verls_keys(factory: Form) -> None:
    assert Index(factory.parameters()).find("rollout.n")[0].parameter.key.endswith(".n")


@pytest.mark.parametrize("name", [one.name for one in rooms.templates() if one.name.startswith("ascendfactory")])
def test_templates_of_ascendfactory_open(name: str) -> None:
    form = from_template(name).form
    assert form is not None
    form.check_all()
    assert form.findings.count("error") == 0
    assert "others" not in [section.id for section in form.sections]
    must_set = [one.key for one in form.parameters() if form.placeholder(one.key)]
    assert "af_output_dir" in must_set and "backend_config.data.train_files" in must_set


def test_ppo_asks_for_what_ppo_needs() -> None:
    needed: dict[str, set[str]] = {}
    for name in ("ascendfactory-ppo", "ascendfactory-grpo"):
        form = from_template(name).form
        assert form is not None
        needed[name] = {one.key for one in form.parameters() if one.required}
    assert needed["ascendfactory-ppo"] - needed["ascendfactory-grpo"]


def test_key_beside_backend_config_is_none_of_verls() -> None:
    text = "data.train_files: a\nbackend_config:\n  data:\n    train_batch_size: 8\n"
    form = Form(text, Origin(base=text))
    assert [one.key for one in form.sections[-1].parameters] == ["data.train_files"]
    assert not form.present("backend_config.data.train_files")


def test_native_tree_has_verls_keys_themselves() -> None:
    text = "trainer:\n  nnodes: 1\nactor_rollout_ref.rollout.n: 4\n"
    form = Form(text, Origin(base=text))
    form.type(parameter(form, "actor_rollout_ref.rollout.n"), "6")
    assert form.text == text.replace("n: 4", "n: 6")


@pytest.mark.parametrize("text", [HYDRA, MINDSPEED], ids=["hydra", "mindspeed-rl"])
def test_file_without_a_catalogue_is_shown_checked_and_saved(text: str, tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_bytes(text.replace("\n", "\r\n").encode())
    form = open_file(path).form
    assert form is not None and form.family.name == ""
    assert all("F6" in section.help["en"] and "F6" in section.help["zh"] for section in form.sections)
    assert "defaults" not in [one.key for one in form.parameters()], "a list of mappings fits no field"
    form.check_all()
    assert form.findings.all
    number = next(one for one in form.parameters() if one.kind in ("int", "float"))
    before = form.shown(number)
    form.type(number, "9")
    form.type(number, before)
    assert save(form, tmp_path / "copy.yaml", folder=tmp_path / "state").outcome == "saved"
    assert (tmp_path / "copy.yaml").read_bytes() == path.read_bytes()


def test_file_with_nothing_for_a_field_still_has_a_page() -> None:
    text = "agentic_ai:\n  - a: 1\n"
    form = Form(text, Origin(base=text))
    assert len(form.sections) == 1 and form.sections[0].parameters == ()


def test_shape_may_change_while_editing() -> None:
    form = Form(FACTORY, Origin(base=FACTORY))
    form.replace("train_backend: verl\n")
    assert any(one.key == "lr" for one in form.parameters())


def test_nearest_template_has_the_shape_of_the_file(factory: Form) -> None:
    found = rooms.template_for(factory.document, "en")
    assert found is not None and found[0].startswith("ascendfactory-")
    assert rooms.template_for(rooms.parse(HYDRA), "en") is None


def test_draft_of_an_imported_script(tmp_path: Path) -> None:
    script = tmp_path / "run_qwen.sh"
    script.write_text(SCRIPT)
    opened = open_file(script)
    form = opened.form
    assert form is not None and form.origin.path is None and form.dirty
    assert form.value(parameter(form, N)) == 7
    assert any("UNSET" in line for line in opened.said) and any("HYDRA_FULL_ERROR" in line for line in opened.said)
    assert suggested_name(form) == "run_qwen.yaml"
    assert script.read_text() == SCRIPT
    form.type(parameter(form, N), "3")
    drafts = Drafts(tmp_path / "drafts")
    drafts.keep(form, "")
    [file] = drafts.folder.glob("*.json")
    draft = drafts._read(file)
    assert draft is not None
    again = from_draft(draft).form
    assert again is not None and again.text == form.text


def test_script_that_starts_nothing_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "x.sh"
    script.write_text("#!/bin/sh\necho hello\n")
    opened = open_file(script)
    assert opened.form is None and opened.reason == "script" and str(script) in opened.why


def test_yaml_that_mentions_a_command_is_opened_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("train_backend: verl\nnote: >\n  python train.py starts it\n")
    form = open_file(path).form
    assert form is not None and form.text == path.read_text()


def test_start_and_agentsdk_forms_read_no_other_catalogue() -> None:
    code = (
        "from agentic_rl_wizard.wizard.form import rooms, opening\n"
        "from agentic_rl_wizard.runner.catalogue import load\n"
        "rooms.templates(); form = opening.from_template('agentsdk-verl').form\n"
        "form.set('top_k', 3)\n"
        "print(load._load.cache_info().currsize)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"]
