"""Stand-in of the command `ray`: start, status, stop; its cluster is one file beside the environment."""

import os
import sys


def main():
    """As `ray start|status|stop`; what a start was told goes into the file."""
    print("[stand-in] ray of agentic-rl's tests", file=sys.stderr)
    state = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "..", "ray_cluster")
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command == "start" and any(word == "--head" or word.startswith("--address") for word in sys.argv[2:]):
        with open(state, "w", encoding="utf-8") as stream:
            stream.write("\n".join(sys.argv[2:]))
        print("Ray runtime started.")
        return 0
    if command == "status":
        if not os.path.exists(state):
            print("Could not find any running Ray instance.", file=sys.stderr)
            return 1
        print("======== Autoscaler status ========\nResources\n Usage:\n 0.0/8.0 NPU")
        return 0
    if command == "stop":
        if os.path.exists(state):
            os.remove(state)
        return 0
    print("Usage: ray [OPTIONS] COMMAND [ARGS]...", file=sys.stderr)
    return 2
