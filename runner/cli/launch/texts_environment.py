"""The words of `--env-script`, in both languages."""

from __future__ import annotations

HELP = {
    "en": "a script to source before the start, such as CANN's set_env.sh (may be repeated; default on NPUs: those at "
    "the usual places that have not been sourced)",
    "zh": "启动前需 source 的脚本，例如 CANN 的 set_env.sh（可重复；NPU 上默认使用常见位置中尚未 source 的脚本）",
}
