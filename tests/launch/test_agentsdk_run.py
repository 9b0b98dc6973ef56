"""`agentic-rl run F --backend agentsdk` against a stand-in of agentic_rl that is as strict as the original."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import yaml

from agentic_rl_wizard.runner.process.procs import processes


def test_a_training_with_verl(bench: Any) -> None:
    code, record = bench.run(bench.agentsdk(), "--backend", "agentsdk")
    words = bench.said()
    assert code == 0, words + bench.log(record)
    assert (record.state, record.backend, record.backend_version) == ("finished", "agentsdk", "26.0.0")
    rows = bench.rows(record)
    assert [row["step"] for row in rows if "reward/mean" in row["data"]] == [1, 2, 3, 4]
    saved = [row for row in rows if "critic/rewards/mean" in row["data"]]
    assert saved[-1]["step"] == 4 and saved[-1]["data"]["actor/lr"] == 5e-6
    assert [event["step"] for event in bench.events(record, "checkpoint")] == [2, 4]
    assert "training" in [event["stage"] for event in bench.events(record, "stage")]
    assert (bench.root / "checkpoints" / "p" / "e" / "global_step_4" / "actor").is_dir()


def test_what_agentic_rl_receives(bench: Any) -> None:
    config = bench.agentsdk()
    config.chmod(0o600)
    (bench.root / "link").symlink_to(bench.root / "model")
    config.write_text(config.read_text().replace(str(bench.root / "model"), "./link"))
    code, record = bench.run(config)
    assert code == 0, bench.said() + bench.log(record)
    written = Path(record.directory) / "resolved" / "c.yaml"
    assert stat.S_IMODE(written.stat().st_mode) == 0o640 and stat.S_IMODE(written.parent.stat().st_mode) == 0o750
    assert written.stat().st_gid == os.getgid()
    values = yaml.safe_load(written.read_text())
    assert values["tokenizer_name_or_path"] == str(bench.root / "model")
    assert values["lr"] == 5e-6
    assert "environment kept: HOME" in bench.log(record).replace("ATB_HOME_PATH ", "")


def test_it_goes_on_from_its_checkpoint(bench: Any) -> None:
    config = bench.agentsdk(verl__total_training_steps=2)
    assert bench.run(config)[0] == 0
    config = bench.agentsdk()
    plan = bench.plan(config)
    assert (plan["resume"]["mode"], plan["resume"]["step"], plan["total_steps"]) == ("resume", 2, 4)
    code, record = bench.run(config)
    assert code == 0 and record.resumed_step == 2
    assert [row["step"] for row in bench.rows(record) if "reward/mean" in row["data"]] == [3, 4]
    assert "one more step" in bench.plan(config)["resume"]["reason"]["en"]
    fresh = bench.plan(config, "--fresh")
    assert fresh["resume"]["mode"] == "fresh" and "experiment_name: e-2" in fresh["files"]["resolved/c.yaml"]


def test_another_number_of_devices_is_refused(bench: Any) -> None:
    assert bench.run(bench.agentsdk())[0] == 0
    assert bench.call("run", str(bench.agentsdk(num_gpus_per_node=4, verl__train_batch_size=8)),
                      "--python", bench.python) == 2  # fmt: skip
    assert "written by 2 ranks" in bench.said()


def test_a_training_with_mindspeed_rl(bench: Any) -> None:
    code, record = bench.run(bench.agentsdk("mindspeed_rl"))
    assert code == 0, bench.said() + bench.log(record)
    rows = bench.rows(record)
    assert [row["step"] for row in rows] == [1, 2, 3]
    assert rows[-1]["data"]["grpo/rewards/mean"] == 0.3
    assert record.total_steps == 3
    assert (bench.root / "saved" / "iter_0000003" / "mp_rank_00" / "model_optim_rng.pt").is_file()
    assert "never resumes" in bench.plan(bench.agentsdk("mindspeed_rl"))["resume"]["reason"]["en"]


def test_a_failure_is_told_with_its_cause(bench: Any) -> None:
    bench.environment.behave(fail_at=2, fail="NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.97 GiB total)")
    code, record = bench.run(bench.agentsdk())
    assert code == 1 and (record.state, record.exit_code) == ("failed", 1)
    failure = bench.events(record, "failure")[0]
    assert "memory" in failure["cause"]["en"].lower(), failure


def test_stop_ends_the_daemons_that_lost_their_mark(bench: Any) -> None:
    bench.environment.behave(seconds=30)
    code, record = bench.run(bench.agentsdk(), "--detach")
    assert code == 0
    bench.until(lambda: "step 1 started" in bench.log(record) or "from scratch" in bench.log(record))
    daemons = [pid for pid in processes() if _command(pid).endswith("import time; time.sleep(600)")
               and bench.environment.python in _command(pid)]  # fmt: skip
    assert daemons
    assert bench.call("stop", record.id) == 0
    assert bench.ended(record).state == "stopped"
    bench.until(lambda: not any(_command(pid) for pid in daemons), 20)


def test_a_command_that_hangs_can_be_stopped(bench: Any) -> None:
    bench.environment.behave(hang=True)
    _, record = bench.run(bench.agentsdk(), "--detach")
    bench.until(lambda: "stand-in" in bench.log(record))
    assert bench.call("stop", record.id, "--now") == 0
    assert bench.ended(record).exit_code != 0


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        return ""
