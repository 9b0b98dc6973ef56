"""Tells which training software an interpreter has; run in it as a plain script: ``python software_probe.py``.

Nothing of it is imported: versions come from metadata, source installs from the folders on the import path. One JSON
object is printed:

- ``python``, ``executable``, ``machine``;
- ``found``: name -> list of copies, each ``{"version", "place", "editable", "commit",
  "requires"}`` (unknown: "" or []; ``place`` is the folder of the package, ``editable`` the source tree of a
  development install, ``commit`` of its git checkout); the first copy is the one that is imported;
- ``programs``: name -> path, beside the interpreter or on PATH;
- ``pythonpath``: entries of PYTHONPATH, each ``{"path", "exists", "shadows": [modules of the standard library]}``;
- ``broken``: distributions whose metadata can't be read.

Runs on Python 3.8; an older one answers with its version alone.
"""

import json
import os
import platform
import shutil
import sys

# Distribution (normalised) -> its top-level module.
PACKAGES = {
    "torch": "torch", "torch-npu": "torch_npu", "torchvision": "torchvision", "vllm": "vllm",
    "vllm-ascend": "vllm_ascend", "triton": "triton", "triton-ascend": "", "verl": "verl",
    "mindspeed-rl": "mindspeed_rl",
    "mindspeed": "mindspeed", "mindspeed-llm": "mindspeed_llm", "megatron-core": "megatron", "agentic-rl": "agentic_rl",
    "aura": "aura", "ray": "ray", "transformers": "transformers", "tensordict": "tensordict", "numpy": "numpy",
    "transferqueue": "transfer_queue", "setuptools": "setuptools", "flash-attn": "flash_attn", "sglang": "sglang",
    "pyarrow": "pyarrow", "mbridge": "mbridge", "apex": "apex",
}  # fmt: skip
PROGRAMS = ("agentic_rl", "ascendfactory-cli", "ray")
STANDARD = frozenset(getattr(sys, "stdlib_module_names", ("json", "logging", "types", "typing", "random", "queue")))


def normal(name):
    """A distribution's name as the index compares it."""
    return (name or "").lower().replace("_", "-").replace(".", "-")


def installed():
    """Name -> copies that have metadata, in the order of the import path, and names whose metadata is broken."""
    import importlib.metadata

    found, broken, seen = {}, [], set()
    for distribution in importlib.metadata.distributions():
        try:
            metadata = distribution.metadata
            name, version = normal(metadata["Name"]), metadata["Version"]
        except Exception as error:  # one broken package must not hide the others
            broken.append(type(error).__name__)
            continue
        # torch, whose files lie beside it: only the path of the metadata tells two copies apart.
        place = str(getattr(distribution, "_path", "") or "")
        if name not in PACKAGES or (name, os.path.realpath(place)) in seen:
            if not name and place:
                broken.append(os.path.basename(place))
            continue
        seen.add((name, os.path.realpath(place)))
        copy = {"version": version or "", "place": os.path.dirname(place), "editable": "", "commit": "", "requires": []}
        try:
            copy["requires"] = [str(one) for one in distribution.requires or () if "extra ==" not in str(one)]
            copy.update(origin(distribution.read_text("direct_url.json")))
        except Exception as error:
            broken.append(name + ": " + type(error).__name__)
        found.setdefault(name, []).append(copy)
    return found, broken


def origin(text):
    """Where a distribution was installed from: the source tree of a development install and its commit."""
    told = json.loads(text) if text else {}
    answer = {}
    url = told.get("url", "")
    if told.get("dir_info", {}).get("editable") and url.startswith("file://"):
        answer["editable"] = url[len("file://") :]
        answer["commit"] = commit(answer["editable"])
    if told.get("vcs_info"):
        answer["commit"] = str(told["vcs_info"].get("commit_id", ""))
    return answer


def commit(folder):
    """Commit of a git checkout, read from its files; "" when there is none."""
    try:
        git = os.path.join(folder, ".git")
        if os.path.isfile(git):  # a worktree or submodule
            with open(git, encoding="utf-8") as stream:
                git = os.path.normpath(os.path.join(folder, stream.read().partition("gitdir:")[2].strip()))
        with open(os.path.join(git, "HEAD"), encoding="utf-8") as stream:
            head = stream.read().strip()
        if not head.startswith("ref:"):
            return head
        name = head[4:].strip()
        common = git
        if os.path.isfile(os.path.join(git, "commondir")):
            with open(os.path.join(git, "commondir"), encoding="utf-8") as stream:
                common = os.path.normpath(os.path.join(git, stream.read().strip()))
        for place in (git, common):
            if os.path.isfile(os.path.join(place, name)):
                with open(os.path.join(place, name), encoding="utf-8") as stream:
                    return stream.read().strip()
        with open(os.path.join(common, "packed-refs"), encoding="utf-8") as stream:
            for line in stream:
                if line.rstrip().endswith(" " + name):
                    return line.split()[0]
    except (OSError, ValueError, IndexError):
        pass
    return ""


def source_trees(found):
    """Add packages that lie on the import path without metadata (MindSpeed-RL, Megatron-LM on PYTHONPATH)."""
    for name, module in PACKAGES.items():
        for entry in sys.path if module else ():
            place = os.path.join(entry or os.getcwd(), module)
            known = [os.path.realpath(copy["editable"] or copy["place"]) for copy in found.get(name, ())]
            if not holds(place, name) or os.path.realpath(entry or os.getcwd()) in known:
                continue
            root = os.path.dirname(os.path.abspath(place))
            found.setdefault(name, []).append(
                {"version": version_in(place), "place": root, "editable": root, "commit": commit(root), "requires": []}
            )
        if len(found.get(name, ())) > 1:
            found[name].sort(key=import_rank)
    return found


def import_rank(copy):
    """Where on the import path a copy stands: the first one is imported."""
    paths = [os.path.realpath(entry or os.getcwd()) for entry in sys.path]
    for place in (copy["editable"], copy["place"]):
        if place and os.path.realpath(place) in paths:
            return paths.index(os.path.realpath(place))
    return len(paths)  # a development install with an import hook: asked last


def holds(place, name):
    """Whether a folder is the package: `megatron` is a namespace, which only `core` makes Megatron."""
    inner = os.path.join(place, "core") if name == "megatron-core" else place
    return os.path.isfile(os.path.join(inner, "__init__.py"))


def version_in(place):
    """A version that stands in the files of a source tree; "" when none does."""
    root = os.path.dirname(place)
    for path in ("version/version", "VERSION", "version.txt"):
        for folder in (place, root):
            try:
                with open(os.path.join(folder, path), encoding="utf-8") as stream:
                    return stream.read(64).strip()
            except (OSError, ValueError):
                pass
    numbers = {}
    try:
        with open(os.path.join(place, "core", "package_info.py"), encoding="utf-8") as stream:
            for line in stream:
                key, sign, value = line.partition("=")
                if sign:
                    numbers[key.strip()] = value.split("#")[0].strip().strip("'\"")
        return ".".join(numbers[key] for key in ("MAJOR", "MINOR", "PATCH"))
    except (OSError, ValueError, KeyError):
        pass
    for path in (os.path.join(root, "setup.py"), os.path.join(place, "__init__.py")):
        try:
            with open(path, encoding="utf-8") as stream:
                for line in stream:
                    key, sign, value = line.partition("=")
                    if sign and key.strip().strip("_") == "version" and value.strip()[:1] in ("'", '"'):
                        return value.strip().split(value.strip()[0])[1]
        except (OSError, ValueError, IndexError):
            pass
    return ""


def programs():
    """Programs of the back ends: beside the interpreter first, as a user who activated its environment finds them."""
    folder = os.path.dirname(os.path.abspath(sys.executable)) if sys.executable else ""
    search = os.pathsep.join([folder, os.environ.get("PATH", os.defpath), os.path.expanduser("~/.local/bin")])
    return {name: path for name in PROGRAMS for path in [shutil.which(name, path=search)] if path}


def pythonpath():
    """What PYTHONPATH puts before everything else, and which modules of the standard library that hides."""
    entries = []
    for path in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        try:
            names = os.listdir(path)
        except OSError:
            entries.append({"path": path, "exists": os.path.isdir(path), "shadows": []})
            continue
        modules = {name[:-3] for name in names if name.endswith(".py")}
        modules |= {name for name in names if os.path.isfile(os.path.join(path, name, "__init__.py"))}
        entries.append({"path": path, "exists": True, "shadows": sorted(modules & STANDARD)})
    return entries


def main():
    """Print the answer."""
    answer = {"python": platform.python_version(), "executable": sys.executable, "machine": platform.machine()}
    if sys.version_info >= (3, 8):  # noqa: UP036 - any interpreter may be named
        found, broken = installed()
        answer["found"] = source_trees(found)
        answer["broken"] = broken
        answer["programs"] = programs()
        answer["pythonpath"] = pythonpath()
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    # The script's own folder must not shadow anything (it holds modules with plain names).
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
    sys.exit(main())
