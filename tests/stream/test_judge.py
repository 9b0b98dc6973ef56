"""The first cause, not the last noise; survived errors, ends of trainings, hostile bytes."""

import resource
from pathlib import Path

import pytest

from agentic_rl_wizard.runner.catalogue.failures import load_failures
from agentic_rl_wizard.runner.stream import Diagnosis, diagnose_log, read_signatures

OOM = "(WorkerDict pid=7) torch.OutOfMemoryError: NPU out of memory. Tried to allocate 2.50 GiB"
DEAD = "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task."
NOTIFY = "(WorkerDict pid=9) EI0002: [PID: 12] The wait execution of the Notify register times out."
CRASH = 'Traceback (most recent call last):\n  File "main.py", line 3, in main\n    f()\nmylib.Broken: gone\n'


def judged(folder: Path, text: str | bytes, **known: object) -> Diagnosis:
    path = folder / "some.log"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return diagnose_log(path, read_signatures(load_failures()), **known)  # pyright: ignore[reportArgumentType]


def steps(first: int, last: int) -> str:
    return "".join(f"(TaskRunner pid=1) step:{n} - critic/rewards/mean:0.5\n" for n in range(first, last + 1))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (f"{NOTIFY}\n{OOM}\n{DEAD}\n", ["npu-out-of-memory", "hccl-notify-timeout", "actor-died"]),
        (CRASH + "INFO x\n" * 20 + NOTIFY + "\n", ["unknown", "hccl-notify-timeout"]),
        (f"{DEAD}\n{CRASH}", ["unknown", "actor-died"]),
        (steps(1, 3) + CRASH, ["unknown"]),
        (f"{OOM}\n{steps(1, 3)}", []),
        (f"Total training steps: 3\n{steps(1, 3)}{OOM}\n{DEAD}\n{CRASH}", []),
        (f"ray init kwargs: 1\n{steps(1, 5)}{OOM}\nray init kwargs: 1\n{steps(1, 2)}", []),
        ("iteration: 2 / 2 | grpo/score/mean : 0.5 \n" + DEAD + "\n", []),
        ("iteration: 2 / 2 | grpo/score/mean : 0.5 \nOSError: [Errno 28] No space left on device\n", ["disk-full"]),
        ("UserWarning: x\nDeprecationWarning: old\nresource_tracker: There appear to be 3 leaked semaphore\n", []),
        ("(T pid=1)  'truncation': 'error',\n(T pid=1)  'x': 'No space left on device'\n", []),
        (steps(1, 2), []),
        ("", []),
    ],
    ids=["echo", "stranger-first", "echo-only", "crash", "survived", "after-end", "restarted", "last-iteration",
         "last-save", "noise", "dump", "goes-on", "empty"],
)  # fmt: skip
def test_what_counts(tmp_path: Path, text: str, ids: list[str]) -> None:
    found = judged(tmp_path, text)
    assert [one.id for one in found.causes] == ids
    assert found.failed is bool(ids)


def test_an_unknown_exception_is_told_with_its_line(tmp_path: Path) -> None:
    found = judged(tmp_path, "INFO one\n" + CRASH)
    assert (found.causes[0].line, found.causes[0].excerpt) == (5, "mylib.Broken: gone")


def test_what_is_known_of_the_run_decides(tmp_path: Path) -> None:
    assert not judged(tmp_path, OOM + "\n", failed=False).failed
    assert judged(tmp_path, "INFO fine\n", failed=True, code=3).causes[0].id == "exit"
    killed = judged(tmp_path, "INFO fine\n", failed=True, signal=9).causes[0]
    assert killed.id == "killed"
    assert killed.line is None


def test_hostile_bytes_are_read_in_bounded_memory(tmp_path: Path) -> None:
    bars = b"\r".join(b"(T pid=1) Training Progress:  1%%|#  | %d/99999 [00:00<00:00]" % n for n in range(20_000))
    text = b"\0\xff\xfe\x1b[31m" * 100_000 + b"\n" + b"x" * (12 << 20) + b"\n" + bars + b"\n" + OOM.encode() + b"\n"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = judged(tmp_path, text)
    assert [(one.id, one.line) for one in found.causes] == [("npu-out-of-memory", 4)]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60 << 10  # KiB


def test_only_the_end_of_a_huge_log_is_read_and_its_lines_keep_their_numbers(tmp_path: Path) -> None:
    text = "INFO 12345\n" * 1000 + OOM + "\n"
    assert judged(tmp_path, text, most=500).causes[0].line == 1001
