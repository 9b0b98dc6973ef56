"""The devices of all nodes of a Ray cluster: ``python cluster_devices.py ADDRESS INTERVAL QUERIES``.

Runs in the training interpreter, joins the cluster at ADDRESS (``auto``: the one of this machine) as a driver of its
own, and asks each living node's device tool every INTERVAL seconds by a task that takes no CPU and no device of the
cluster. QUERIES is JSON, ``[[argv, ...], ...]``: the first tool that a node has is asked with all its calls. One JSON
object a line is printed for each answer: ``id`` (Ray's, of the node), ``node`` (address), ``host``, ``tool``,
``output`` (text of all calls), ``problem`` ("", or ``no_tool``, ``timeout``, ``failed``, ``not_started``, ``flood``,
``no_answer``); a line ``{"problem": "no_cluster", "detail": ...}`` tells that the cluster can't be joined, and that it
will be tried again.
``INTERVAL`` 0 asks each node once. Ends when its standard input does. Only Ray is imported. Runs on Python 3.9.
"""

import json
import os
import select
import sys
import time

LIMIT = 10.0  # seconds for one call of the tool on a node
PATIENCE = 30.0  # seconds for a node's answer: its first task starts a worker process there
MOST = 1 << 20  # bytes of one answer
AGAIN = 15.0  # seconds until a cluster that was not there is tried again


def ask(queries, limit=LIMIT, most=MOST):
    """Run the first device tool that this node has; the answer as a mapping. Executed on the node."""
    import shutil
    import signal
    import socket
    import subprocess

    answer = {"host": socket.gethostname(), "tool": "", "output": "", "problem": "no_tool"}
    more = os.pathsep.join(("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin"))
    for calls in queries:
        name = calls[0][0]
        path = shutil.which(name) or shutil.which(name, path=more)
        if path is None:
            continue
        answer.update(tool=os.path.basename(name), problem="")
        for call in calls:
            try:
                child = subprocess.Popen(
                    [path, *call[1:]],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, "LC_ALL": "C"},
                    start_new_session=True,
                )
            except OSError:
                answer["problem"] = "not_started"
                break
            try:
                said, _ = child.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                answer["problem"] = "timeout"
                break
            if len(said) > most:
                answer["problem"] = "flood"
                break
            answer["output"] += said.decode("utf-8", "replace") + "\n"
            if child.returncode:
                answer["problem"] = "failed"
                break
        break
    return answer


def say(**fields):
    """Print one answer."""
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def wait(seconds):
    """Wait; True when standard input has ended, which is how the reader says that it has gone."""
    end = time.monotonic() + seconds
    while True:
        left = end - time.monotonic()
        ready, _, _ = select.select([sys.stdin], [], [], max(left, 0))
        if ready and not os.read(sys.stdin.fileno(), 4096):
            return True
        if left <= 0:
            return False


def has_token():
    """Whether this user has a token of Ray's; clusters of newer releases ask for it."""
    path = os.environ.get("RAY_AUTH_TOKEN_PATH") or os.path.expanduser("~/.ray/auth_token")
    return bool(os.environ.get("RAY_AUTH_TOKEN")) or os.path.isfile(path)


def join(address):
    """Join the cluster; "" or why not."""
    if "RAY_AUTH_MODE" not in os.environ and has_token():
        os.environ["RAY_AUTH_MODE"] = "token"  # read when Ray is imported

    import ray

    try:
        ray.init(address=address, namespace="agentic-rl-devices", log_to_driver=False, logging_level="ERROR")
    except Exception as error:  # whatever Ray says about a cluster that is not there, or is of another version
        return str(error).strip().splitlines()[-1][:300] if str(error).strip() else type(error).__name__
    return ""


def nodes():
    """Id and address of each living node."""
    import ray

    return {one["NodeID"]: one["NodeManagerAddress"] for one in ray.nodes() if one["Alive"]}


def watch(interval, queries):
    """Ask all nodes again and again (once when ``interval`` is 0), none twice at a time, until the input ends."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    remote = ray.remote(num_cpus=0, max_retries=0)(ask)
    pending = {}
    due = 0.0
    while True:
        now = time.monotonic()
        if now >= due:
            due = now + interval if interval else float("inf")
            busy = {node for node, _, _ in pending.values()}
            for node, address in nodes().items():
                if node not in busy:
                    here = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
                    pending[remote.options(scheduling_strategy=here).remote(queries)] = (node, address, now)
        ready, _ = ray.wait(list(pending), num_returns=len(pending), timeout=0) if pending else ([], [])
        for task in ready:
            node, address, _ = pending.pop(task)
            try:
                say(id=node, node=address, **ray.get(task))
            except Exception as error:  # the node died, its worker was killed: that is the answer
                say(id=node, node=address, problem="no_answer", detail=type(error).__name__)
        for task, (node, address, since) in list(pending.items()):
            if now - since > PATIENCE:
                ray.cancel(task, force=True)
                del pending[task]
                say(id=node, node=address, problem="no_answer", detail="timeout")
        if interval:
            if wait(0.2):
                return
        elif pending:
            time.sleep(0.05)
        else:
            return


def main(argv):
    """Join, watch, leave; exit status 0, or 3 when a single look found no cluster."""
    address, interval, queries = argv[1], float(argv[2]), json.loads(argv[3])
    while True:
        try:
            problem = join(address)
        except ImportError as error:
            problem = str(error)
        if not problem:
            break
        say(problem="no_cluster", detail=problem)
        if not interval:
            return 3
        if wait(AGAIN):
            return 0
    watch(interval, queries)
    return 0


if __name__ == "__main__":
    # The script's own folder must not shadow anything (it holds modules with plain names).
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
    sys.exit(main(sys.argv))
