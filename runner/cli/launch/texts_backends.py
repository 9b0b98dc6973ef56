"""The words of `agentic-rl backends` and `--backend`, in both languages."""

from __future__ import annotations

from ..sentences import sayer

# As backends/choose.py has them; repeated so that `--help` loads no back end (a test holds the two together).
BACKENDS = ("auto", "agentsdk", "ascendfactory", "verl", "mindspeed-rl")

TEXTS: dict[str, dict[str, str]] = {
    "help.backend": {
        "en": "what starts the file; auto takes what is installed and says why",
        "zh": "由哪个后端启动；auto 采用已安装的后端并说明原因",
    },
    "desc": {
        "en": "List the back ends: which are installed, how they would be started, and for which files.",
        "zh": "列出训练后端：是否已安装、如何启动、可启动哪些文件。",
    },
    "help.python": {
        "en": "the training interpreter (default: $AGENTIC_RL_PYTHON, else the one of this tool)",
        "zh": "训练所用的 Python（默认：$AGENTIC_RL_PYTHON，否则为本工具的 Python）",
    },
    "help.json": {"en": "print JSON", "zh": "输出 JSON"},
    "help.lang": {"en": "language of the output", "zh": "输出语言"},
    "plan.info": {"en": "Worth knowing", "zh": "须知"},
    "plan.files": {"en": "Files written into the run directory", "zh": "写入运行目录的文件"},
    "yes": {"en": "installed", "zh": "已安装"},
    "no": {"en": "not installed", "zh": "未安装"},
    "start": {"en": "started as", "zh": "启动方式"},
    "files": {"en": "for", "zh": "适用于"},
    "why_not": {"en": "because", "zh": "原因"},
    "remark": {"en": "note", "zh": "说明"},
    "python_problem": {
        "en": "{python} does not answer: {error}. Name another interpreter with --python.",
        "zh": "{python} 无法应答：{error}。请用 --python 指定其他解释器。",
    },
    "files.agentsdk": {
        "en": "AgentSDK files (train_backend: verl or mindspeed_rl), on NPUs",
        "zh": "AgentSDK 配置（train_backend 为 verl 或 mindspeed_rl），在 NPU 上",
    },
    "files.ascendfactory": {
        "en": "AscendFactory files (backend_config), on NPUs",
        "zh": "AscendFactory 配置（backend_config），在 NPU 上",
    },
    "files.verl": {
        "en": "verl's own files, AgentSDK and AscendFactory files that mean verl; on NPU, GPU or, with --local, this CPU",
        "zh": "verl 原生配置，以及使用 verl 的 AgentSDK 与 AscendFactory 配置；可在 NPU、GPU 上运行，--local 时用本机 CPU",
    },
    "files.mindspeed-rl": {
        "en": "MindSpeed-RL's own files, AgentSDK and AscendFactory files that mean MindSpeed-RL; on NPUs",
        "zh": "MindSpeed-RL 原生配置，以及使用 MindSpeed-RL 的 AgentSDK 与 AscendFactory 配置；在 NPU 上",
    },
}

say = sayer(TEXTS)
