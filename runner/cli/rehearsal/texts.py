"""The sentences of a rehearsal, in both languages."""

from __future__ import annotations

from ..sentences import sayer

TEXTS: dict[str, dict[str, str]] = {
    "making": {
        "en": "Making the stand-in of the model in {directory}",
        "zh": "正在 {directory} 中生成替代模型",
    },
    "made": {
        "en": "Stand-in: {architecture}, {parameters:,} random parameters, {tokenizer}.",
        "zh": "替代模型：{architecture}，{parameters:,} 个随机参数，{tokenizer}。",
    },
    "own_tokenizer": {"en": "with the model's own tokenizer", "zh": "使用模型自带的分词器"},
    "byte_tokenizer": {"en": "with one token a byte ({why})", "zh": "每字节一个 token（{why}）"},
    "other_family": {
        "en": "It has the shape of qwen2, because the model's own can't be built here: {why}",
        "zh": "采用 qwen2 结构，因为此处无法构建模型自身的结构：{why}",
    },
    "not_made": {
        "en": "The stand-in could not be made (exit code {code}): {error}",
        "zh": "无法生成替代模型（退出码 {code}）：{error}",
    },
    "title": {
        "en": "A rehearsal on this CPU: your data, reward, algorithm and batch proportions;\n"
        "a tiny model stands in for yours.",
        "zh": "在本机 CPU 上预演：数据、奖励、算法与批次比例取自文件，模型以微型模型代替。",
    },
    "scaled": {"en": "Changed for the rehearsal", "zh": "预演所作的改动"},
    "ignored": {"en": "Left out", "zh": "未传递"},
    "proved": {"en": "What the rehearsal proved", "zh": "预演已验证"},
    "data": {
        "en": "the data were read and {prompts} prompts tokenised ({cut} cut, {left_out} left out as too long)",
        "zh": "数据可读取，{prompts} 条提示词已分词（截断 {cut} 条，过长被过滤 {left_out} 条）",
    },
    "reward": {
        "en": "the reward was computed {count} times, {distinct} different values from {least:g} to {most:g}",
        "zh": "奖励计算了 {count} 次，共 {distinct} 个不同取值，范围 {least:g} 到 {most:g}",
    },
    "steps": {
        "en": "{steps} steps of {estimator} were trained; validation ran: {validated}",
        "zh": "以 {estimator} 训练了 {steps} 步，执行了验证：{validated}",
    },
    "yes": {"en": "yes", "zh": "是"},
    "no": {"en": "no", "zh": "否"},
    "checkpoint": {
        "en": "a whole checkpoint of step {step} was written; a run can resume from such a one",
        "zh": "已写出第 {step} 步的完整检查点，可由此类检查点续训",
    },
    "no_checkpoint": {"en": "no whole checkpoint was written", "zh": "未写出完整的检查点"},
    "unproved": {"en": "What it can't prove", "zh": "预演无法验证"},
    "unproved.devices": {
        "en": "memory and speed on the devices, communication between them",
        "zh": "设备上的显存与速度、设备间通信",
    },
    "unproved.engine": {"en": "vLLM or SGLang and their kernels", "zh": "vLLM 或 SGLang 及其算子"},
    "unproved.learning": {"en": "whether the real model learns", "zh": "真实模型能否学会"},
    "findings": {"en": "What it found in the file", "zh": "在文件中发现的问题"},
    "nothing_found": {"en": "It found no fault in the file.", "zh": "未在文件中发现问题。"},
}

say = sayer(TEXTS)
