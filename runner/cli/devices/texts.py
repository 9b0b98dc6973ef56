"""The sentences of `devices`, in both languages."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "desc": {
        "en": "Show the NPUs (or GPUs) of this machine and what they do, live or from saved output of npu-smi.",
        "zh": "显示本机的 NPU（或 GPU）及其状态，可实时查询，也可读取已保存的 npu-smi 输出。",
    },
    "help.from": {
        "en": "read saved output of npu-smi (any of its info commands) instead of asking it; - is standard input",
        "zh": "读取已保存的 npu-smi 输出（任意 info 子命令），不实际查询；- 表示标准输入",
    },
    "help.ray": {
        "en": "ask every node of the Ray cluster at A (auto: the one of this machine), through the training interpreter's Ray",
        "zh": "经由训练解释器中的 Ray 查询集群 A 的所有节点（auto：本机所在集群）",
    },
    "help.python": {
        "en": "the training interpreter, for --ray-address",
        "zh": "训练所用的 Python 解释器，用于 --ray-address",
    },
    "file_and_cluster": {
        "en": "--from and --ray-address exclude each other",
        "zh": "--from 与 --ray-address 不能同时使用",
    },
    "cluster.node": {"en": "node {node} ({host})", "zh": "节点 {node}（{host}）"},
    "cluster.none": {
        "en": "No Ray cluster at {address}: {detail}\nStart it first (agentic-rl cluster head, then agentic-rl cluster worker HEAD on each other node), or give its address.",
        "zh": "{address} 处没有可加入的 Ray 集群：{detail}\n请先启动集群（首节点 agentic-rl cluster head，其余各节点 agentic-rl cluster worker 首节点地址），或指定其地址。",
    },
    "cluster.failed": {
        "en": "{python} can't ask the cluster: {detail}",
        "zh": "{python} 无法查询集群：{detail}",
    },
    "problem.no_answer": {
        "en": "The node does not answer: it is busy, or it has just left the cluster.",
        "zh": "该节点没有应答：可能繁忙，或刚刚离开集群。",
    },
    "help.json": {"en": "machine-readable: one JSON object", "zh": "机器可读：一个 JSON 对象"},
    "help.watch": {"en": "again every SECONDS until Ctrl-C", "zh": "每隔若干秒刷新，直到 Ctrl-C"},
    "help.lang": {"en": "language of the output", "zh": "输出语言"},
    "seconds": {
        "en": "{value} is no number of seconds from 0.2 to 86400",
        "zh": "{value} 不是 0.2 到 86400 之间的秒数",
    },
    "stdin_watch": {"en": "--watch can't read standard input again", "zh": "--watch 无法重复读取标准输入"},
    "unreadable": {"en": "{path} can't be read: {error}", "zh": "无法读取 {path}：{error}"},
    "too_big": {"en": "larger than 16 MiB", "zh": "超过 16 MiB"},
    "nothing": {
        "en": "{path} holds no output of npu-smi or nvidia-smi that is known here.",
        "zh": "{path} 中没有可识别的 npu-smi 或 nvidia-smi 输出。",
    },
    "title": {"en": "{source}, driver {driver}", "zh": "{source}，驱动 {driver}"},
    "title.plain": {"en": "{source}", "zh": "{source}"},
    "cpu": {
        "en": "CPU: {cores} cores, {percent:.0f} % busy, memory {used} of {total} MiB used",
        "zh": "CPU：{cores} 核，占用 {percent:.0f} %，内存已用 {used}/{total} MiB",
    },
    "col.npu": {"en": "NPU", "zh": "NPU"},
    "col.gpu": {"en": "GPU", "zh": "GPU"},
    "col.chip": {"en": "chip", "zh": "芯片"},
    "col.phy_id": {"en": "phy", "zh": "物理号"},
    "col.name": {"en": "name", "zh": "名称"},
    "col.health": {"en": "health", "zh": "健康"},
    "col.power": {"en": "W", "zh": "功率W"},
    "col.temperature": {"en": "°C", "zh": "温度°C"},
    "col.utilization": {"en": "busy", "zh": "利用率"},
    "col.memory": {"en": "memory MiB", "zh": "显存 MiB"},
    "col.bus": {"en": "bus", "zh": "总线"},
    "col.pid": {"en": "pid", "zh": "进程号"},
    "col.process": {"en": "process", "zh": "进程"},
    "share": {"en": "{share} % of {total}", "zh": "{total} 的 {share} %"},
    # Problems: why there is no table, or what was odd about it.
    "problem.no_tool": {
        "en": "Neither npu-smi nor nvidia-smi was found: this machine has no NPU or GPU driver, or it is not mounted into this container.",
        "zh": "找不到 npu-smi 或 nvidia-smi：本机没有安装 NPU/GPU 驱动，或驱动未挂载到容器中。",
    },
    "problem.no_device": {
        "en": "The driver shows no device: none is mapped into this container (/dev/davinci*), the driver's folder is not mounted, or this user may not open them.",
        "zh": "驱动没有可见设备：容器未映射 /dev/davinci*，驱动目录未挂载，或当前用户无权访问。",
    },
    "problem.device_taken": {
        "en": "The device is held by another container.",
        "zh": "设备已被其他容器占用。",
    },
    "problem.driver": {
        "en": "The driver does not answer. Is it loaded, does it match the firmware, was the machine restarted after an upgrade?",
        "zh": "驱动没有响应。请确认驱动已加载、与固件版本匹配，且升级后已重启。",
    },
    "problem.library": {
        "en": "A library of the driver is missing: add the driver's lib64 folders to LD_LIBRARY_PATH.",
        "zh": "缺少驱动的动态库：请将驱动的 lib64 目录加入 LD_LIBRARY_PATH。",
    },
    "problem.query_failed": {"en": "The tool refused the query.", "zh": "工具拒绝了该查询。"},
    "problem.timeout": {
        "en": "{tool} did not answer within {seconds:g} s and was ended; a broken card does that.",
        "zh": "{tool} 在 {seconds:g} 秒内没有响应，已终止；故障卡会导致这种情况。",
    },
    "problem.flood": {"en": "{tool} printed without end and was ended.", "zh": "{tool} 不停输出，已终止。"},
    "problem.not_started": {"en": "{tool} can't be started: {detail}", "zh": "无法启动 {tool}：{detail}"},
    "problem.failed": {"en": "{tool} ended with exit code {code}.", "zh": "{tool} 退出码为 {code}。"},
    "problem.nothing": {
        "en": "{tool} printed nothing that is known here.",
        "zh": "{tool} 的输出无法识别。",
    },
    "problem.half_row": {"en": "one of the two rows of a device is missing", "zh": "设备的两行信息缺少一行"},
    "problem.bad_row": {"en": "a row that is no device", "zh": "无法识别的行"},
    "problem.process_without_device": {"en": "a process on a device that is not listed", "zh": "进程所在设备未列出"},
    "warning": {"en": "warning: {text}", "zh": "警告：{text}"},
    "said": {"en": "It said: {excerpt}", "zh": "其输出：{excerpt}"},
}

text = sayer(TEXTS)
