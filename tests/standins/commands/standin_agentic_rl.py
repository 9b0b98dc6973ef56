"""Stand-in of the command `agentic_rl`: the original's order of events, checks, words, exit codes. Trains nothing."""

import argparse
import json
import os
import signal
import sys
import time

import yaml
from standin_filecheck import check_config, check_path

KEPT = [
    "ASCEND_WORK_PATH",
    "ASCEND_AICPU_PATH",
    "ASCEND_HOME_PATH",
    "ASCEND_OPP_PATH",
    "ASCEND_TOOLKIT_HOME",
    "ASDOPS_LOG_LEVEL",
    "ASDOPS_LOG_PATH",
    "ASDOPS_LOG_TO_BOOST_TYPE",
    "ASDOPS_LOG_TO_FILE",
    "ASDOPS_LOG_TO_FILE_FLUSH",
    "ASDOPS_LOG_TO_STDOUT",
    "ATB_COMPARE_TILING_EVERY_KERNEL",
    "ATB_DEVICE_TILING_BUFFER_BLOCK_NUM",
    "ATB_HOME_PATH",
    "ATB_HOST_TILING_BUFFER_BLOCK_NUM",
    "ATB_MATMUL_SHUFFLE_K_ENABLE",
    "ATB_OPSRUNNER_KERNEL_CACHE_GLOABL_COUNT",
    "ATB_OPSRUNNER_KERNEL_CACHE_LOCAL_COUNT",
    "ATB_OPSRUNNER_SETUP_CACHE_ENABLE",
    "ATB_STREAM_SYNC_EVERY_KERNEL_ENABLE",
    "ATB_STREAM_SYNC_EVERY_OPERATION_ENABLE",
    "ATB_STREAM_SYNC_EVERY_RUNNER_ENABLE",
    "ATB_SHARE_MEMORY_NAME_SUFFIX",
    "ATB_WORKSPACE_MEM_ALLOC_ALG_TYPE",
    "ATB_WORKSPACE_MEM_ALLOC_GLOBAL",
    "HOME",
    "LCCL_DETERMINISTIC",
    "LD_LIBRARY_PATH",
    "PATH",
    "PYTHONPATH",
    "TOOLCHAIN_HOME",
]


def log(level, function, message):
    """One line as the original's logger prints it: controls become a blank."""
    now = time.time()
    stamp = time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime(now)) + f".{int(now * 1000) % 1000:03d}.000"
    text = "".join(c if c.isprintable() else " " for c in message)
    print(f"[{level}] {stamp} [main.py:42] {function}: {text}", file=sys.stderr, flush=True)


class Failed(Exception):
    """A failure that the original handles: logged, exit code 1."""


def load(path):
    """The file, checked and read as the original does."""
    try:
        check_config(path)
    except ValueError as error:
        raise Failed(f"Checking config_path failed with value not correct, error: {error}") from None
    with open(path, encoding="utf-8") as stream:
        try:
            values = yaml.safe_load(stream)
        except yaml.YAMLError as error:
            raise Failed(f"load config failed of yaml content, err: {error}") from None
        except RecursionError:
            raise Failed("failed to parse yaml file, nesting depth is too deep or a circular alias") from None
    if not isinstance(values, dict):
        raise Failed(f"config file content is not a dict, but {type(values)}")
    return values


def start_ray(values, behaviour):
    """Ray: one of its own, or the one that must already run."""
    nodes = values.get("num_node", 1)
    if type(nodes) is not int:
        raise Failed("num_node should be an integer value")
    if nodes < 1:
        raise Failed("num_node should be greater or equal 1")
    if nodes > 1 and not os.path.exists(behaviour.get("cluster", "")):
        raise Failed(
            "Could not find any running Ray instance. Please specify the one to connect to by setting `--address`"
        )
    if nodes == 1:
        os.umask(0o027)
        os.environ["RAY_TMPDIR"] = os.environ["TMPDIR"] = os.path.expanduser("~/.ray/tmp")
    # As Ray does: a daemon in a session of its own, which knows nothing of the mark in the starter's environment.
    pid = os.fork()
    if pid == 0:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)"], dict(os.environ))
    return pid


def train(values, behaviour):
    """The Ray task: the schema is checked here, and then it trains."""
    backend = values.get("train_backend", "mindspeed_rl")
    if backend not in ("mindspeed_rl", "verl"):
        raise Failed(f"train_backend {backend} is not supported")
    from standin_schema import validate
    from standin_training import train_mindspeed, train_verl

    try:
        found = validate(values, behaviour.get("generation", "C"))
        (train_verl if backend == "verl" else train_mindspeed)(found, behaviour, log, check_path)
    except (ValueError, RuntimeError, OSError) as error:
        raise Failed(f"Training using {backend} failed with ray, error: {error}") from None


def main():
    """As `agentic_rl --config-path F`."""
    parser = argparse.ArgumentParser(prog="agentic_rl", add_help=False)
    parser.add_argument("--config-path", required=True)
    path = parser.parse_args().config_path
    print("[stand-in] agentic_rl of agentic-rl's tests: it trains nothing", file=sys.stderr, flush=True)
    with open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "..", "standin.json"), encoding="utf-8") as f:
        behaviour = json.load(f)
    if behaviour.get("hang"):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    daemon = 0
    try:
        values = load(path)
        kept = {name: value for name, value in os.environ.items() if name in KEPT}
        os.environ.clear()
        os.environ.update(kept)
        log("INFO", "main", "environment kept: " + " ".join(sorted(os.environ)))
        try:
            daemon = start_ray(values, behaviour)
            train(values, behaviour)
        finally:
            log("INFO", "main", "Shutting down ray cluster.")
    except Failed as error:
        log("ERROR", "main", str(error))
        return 1
    except KeyboardInterrupt:
        log("ERROR", "main", "interrupted")
        return 1
    finally:
        if daemon:
            os.kill(daemon, signal.SIGKILL)
    return 0
