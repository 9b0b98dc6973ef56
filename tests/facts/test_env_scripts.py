"""Environment scripts: found at the usual places, sourced once, their changes alone are told."""

from pathlib import Path

from agentic_rl_wizard.runner.facts.env_scripts import read_scripts, usual_scripts

BASE = {"PATH": "/usr/bin:/bin", "KEPT": "1"}


def script(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def test_what_a_script_sets_is_told_and_nothing_else(tmp_path):
    first = script(tmp_path, "set env.sh", "export ASCEND_TOOLKIT_HOME=/x\nexport PATH=/x/bin:$PATH\necho noise\n")
    second = script(tmp_path, "atb.sh", 'export ATB_HOME_PATH="$ASCEND_TOOLKIT_HOME/atb\nline two"\n')
    one, two = read_scripts([first, second], BASE)
    assert one.changed == {"ASCEND_TOOLKIT_HOME": "/x", "PATH": "/x/bin:/usr/bin:/bin"}
    assert two.changed == {"ATB_HOME_PATH": "/x/atb\nline two"}
    assert (one.problem, two.problem) == ("", "")


def test_a_name_is_no_command(tmp_path):
    evil = script(tmp_path, "a$(touch made);b.sh", "export GOOD=1\n")
    assert read_scripts([evil], BASE)[0].changed == {"GOOD": "1"}
    assert not Path("made").exists()


def test_a_script_that_never_ends_is_given_up(tmp_path):
    change = read_scripts([script(tmp_path, "slow.sh", "sleep 60 & sleep 60\n")], BASE, timeout=0.3)[0]
    assert change.changed == {} and "no end" in change.problem


def test_one_that_exits_or_is_missing_is_told(tmp_path):
    missing, failing = read_scripts([str(tmp_path / "no"), script(tmp_path, "f.sh", "exit 3\n")], BASE)
    assert missing.problem == "no such file" and failing.problem == "exit code 3"


def test_the_usual_places_are_looked_at_unless_sourced(tmp_path):
    toolkit = script(tmp_path, "cann/set_env.sh", "")
    atb = script(tmp_path, "nnal/atb/set_env.sh", "")
    assert usual_scripts({}, [str(tmp_path)]) == [toolkit, atb]
    assert usual_scripts({"ASCEND_TOOLKIT_HOME": "/x"}, [str(tmp_path)]) == [atb]
    assert usual_scripts({"ASCEND_TOOLKIT_HOME": "/x", "ATB_HOME_PATH": "/y"}, [str(tmp_path)]) == []
    assert usual_scripts({"HOME": str(tmp_path.parent)}, [f"~/{tmp_path.name}"]) == [toolkit, atb]
