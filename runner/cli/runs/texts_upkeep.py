"""The sentences of `bundle` and `clean`, in both languages."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "bundle.help": {
        "en": "pack what a colleague needs to understand a run: configuration, plan, log, metrics, diagnosis; secrets masked",
        "zh": "打包他人了解训练任务所需的一切：配置、计划、日志、指标、诊断；敏感信息已脱敏",
    },
    "bundle.reference": {"en": "a run: id, start of one, path, or last", "zh": "训练任务：编号、编号前缀、路径或 last"},
    "bundle.output": {
        "en": "the archive (default: ID.tar.gz here)",
        "zh": "压缩包路径（默认为当前目录下的 编号.tar.gz）",
    },
    "bundle.rollouts": {
        "en": "also the trajectories (texts of the model and of the data set)",
        "zh": "同时打包轨迹（含模型与数据集的文本）",
    },
    "bundle.json": {"en": "one JSON object", "zh": "输出一个 JSON 对象"},
    "bundle.done": {"en": "{path}: {count} files, {size}", "zh": "{path}：{count} 个文件，{size}"},
    "bundle.left_out": {
        "en": "  {name}: {size} of its middle left out",
        "zh": "  {name}：中间 {size} 未打包",
    },
    "bundle.checkpoints": {
        "en": "Checkpoints are not in it. Values of secret names (tokens, API keys, passwords in addresses) are ***; look "
        "through train.log before it leaves the house: a program may have printed secrets in a form nobody can recognise.",
        "zh": "不含检查点。名称像敏感信息的取值（令牌、API 密钥、地址中的口令）已替换为 ***；外发前请检查 train.log：程序可能以无法识别的形式打印过敏感信息。",
    },
    "bundle.exists": {
        "en": "{path} exists; choose another name with -o, or add --force",
        "zh": "{path} 已存在；请用 -o 另选名称，或加 --force",
    },
    "bundle.failed": {"en": "{path} can't be written: {error}", "zh": "无法写入 {path}：{error}"},
    "bundle.force": {"en": "replace an existing archive", "zh": "覆盖已有的压缩包"},
    "clean.help": {
        "en": "show what dead runs left on this machine (processes, Ray's directories, shared memory); --yes removes it",
        "zh": "列出已结束训练任务在本机的残留（进程、Ray 目录、共享内存）；--yes 将其清除",
    },
    "clean.yes": {"en": "remove what is shown", "zh": "清除所列内容"},
    "clean.json": {"en": "one JSON object", "zh": "输出一个 JSON 对象"},
    "clean.nothing": {"en": "Nothing is left of dead runs.", "zh": "没有已结束训练任务的残留。"},
    "clean.process": {"en": "process {pid} {name}, of run {run}", "zh": "进程 {pid} {name}，属于训练任务 {run}"},
    "clean.ray": {"en": "directory of Ray {name}, {size}{of}", "zh": "Ray 目录 {name}，{size}{of}"},
    "clean.memory": {
        "en": "shared memory {name}, {size}, its process is gone",
        "zh": "共享内存 {name}，{size}，所属进程已不存在",
    },
    "clean.of": {"en": ", of run {run}", "zh": "，属于训练任务 {run}"},
    "clean.how": {
        "en": "agentic-rl clean --yes removes these. Runs that live, and other people's Ray, are left alone.",
        "zh": "agentic-rl clean --yes 清除以上内容。仍在运行的训练任务与他人的 Ray 不受影响。",
    },
    "clean.done": {"en": "Removed {count}.", "zh": "已清除 {count} 项。"},
    "clean.left": {"en": "Could not be removed: {what}", "zh": "未能清除：{what}"},
}

say = sayer(TEXTS)


def size_text(count: int) -> str:
    """Bytes for people: ``1.5 MiB``."""
    value = float(count)
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"
