"""The sentences of `cluster`, in both languages."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "help": {
        "en": "Start Ray on this node for a training on several: first `cluster head`, then on each other node "
        "`cluster worker HEAD`. --print only shows the command.",
        "zh": "在本节点启动 Ray 以进行多机训练：先执行 `cluster head`，再在其余各节点执行 `cluster worker 首节点地址`。--print 只显示命令。",
    },
    "role": {"en": "head: the first node; worker: each other one", "zh": "head：首节点；worker：其余各节点"},
    "address": {
        "en": "of the head node, HOST or HOST:PORT; head takes its own address when none is given",
        "zh": "首节点地址，HOST 或 HOST:PORT；head 不指定时取本机地址",
    },
    "print": {"en": "show the command, start nothing", "zh": "只显示命令，不启动"},
    "port": {"en": "port of the head node's Ray (default: {port})", "zh": "首节点 Ray 的端口（默认 {port}）"},
    "interface": {
        "en": "network interface of the cluster (default: the one that leads to the head node)",
        "zh": "集群所用的网卡（默认为通往首节点的网卡）",
    },
    "devices": {
        "en": "devices of this node (default: as the machine has)",
        "zh": "本节点的设备数（默认为本机实际数量）",
    },
    "python": {"en": "the training interpreter", "zh": "训练所用的 Python 解释器"},
    "json": {"en": "one JSON object; starts nothing", "zh": "输出一个 JSON 对象，不启动"},
    "no_address": {
        "en": "`cluster worker` needs the head node's address: agentic-rl cluster worker HOST[:PORT]",
        "zh": "`cluster worker` 需要首节点地址：agentic-rl cluster worker HOST[:PORT]",
    },
    "bad_address": {
        "en": "{address} is no HOST or HOST:PORT that can be resolved",
        "zh": "{address} 不是可解析的 HOST 或 HOST:PORT",
    },
    "loopback": {
        "en": "{address} reaches only this machine: the other nodes can't join. Give the address of a network interface: {choices}",
        "zh": "{address} 只能到达本机，其他节点无法加入。请指定某个网卡的地址：{choices}",
    },
    "not_ours": {
        "en": "{address} is no address of this machine (it has {choices}); `cluster head` runs on the head node itself",
        "zh": "{address} 不是本机地址（本机有 {choices}）；`cluster head` 须在首节点上执行",
    },
    "no_interface": {
        "en": "there is no interface {interface} with an address (there are {choices})",
        "zh": "没有带地址的网卡 {interface}（现有 {choices}）",
    },
    "no_ray": {"en": "{python} has no Ray: {error}", "zh": "{python} 中没有 Ray：{error}"},
    "limit": {
        "en": "open files are limited to {limit}; Ray on a node with many devices needs {wanted} (ulimit -n {wanted}, as root or in limits.conf)",
        "zh": "打开文件数上限为 {limit}；设备较多的节点上 Ray 需要 {wanted}（ulimit -n {wanted}，需 root 或修改 limits.conf）",
    },
    "started": {"en": "Ray runs on this node.", "zh": "本节点的 Ray 已启动。"},
    "failed": {"en": "Ray did not start (exit code {code}).", "zh": "Ray 未能启动（退出码 {code}）。"},
    "then": {
        "en": "On each other node:  agentic-rl cluster worker {address}\nThen, here:         agentic-rl run F --ray-address {address}\nWho is there:       agentic-rl devices --ray-address {address}",
        "zh": "在其余各节点执行：  agentic-rl cluster worker {address}\n然后在本节点执行：  agentic-rl run F --ray-address {address}\n查看各节点：        agentic-rl devices --ray-address {address}",
    },
    "end": {
        "en": "It goes on until `ray stop` on this node; agentic-rl never stops a cluster.",
        "zh": "Ray 会一直运行，直到在本节点执行 `ray stop`；agentic-rl 不会停止集群。",
    },
}

say = sayer(TEXTS)
