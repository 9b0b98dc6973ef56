"""Stand-in of `npu-smi info`: a node of eight 910B with 64 GiB each, all idle."""

# ruff: noqa: E501

import sys

RULE = "+---------------------------+---------------+----------------------------------------------------+"
HEAD = """+------------------------------------------------------------------------------------------------+
| npu-smi 24.1.rc3                 Version: 24.1.rc3                                             |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+"""


def main():
    """As `npu-smi info`; other questions are not understood."""
    print("[stand-in] npu-smi of agentic-rl's tests: there is no NPU here; it knows `info` alone", file=sys.stderr)
    if sys.argv[1:] != ["info"]:
        return 1
    print(HEAD)
    for npu in range(8):
        print(
            f"| {npu}     910B3               | OK            | 9{npu}.1        4{npu}                0    / 0             |"
        )
        print(
            f"| 0                         | 0000:{npu:X}1:00.0  | 0           0    / 0          3{npu}51 / 65536         |"
        )
        print(RULE)
    print("| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |")
    print("+===========================+===============+====================================================+")
    for npu in range(8):
        print(f"| No running processes found in NPU {npu}                                                            |")
        print(RULE)
    return 0
