"""A small table of `npu-smi info`: one card, 25.0.1."""

TABLE = """
| npu-smi 25.0.1     Version: 25.0.1 |
| NPU   Name   | Health | Power(W)  Temp(C)  Hugepages-Usage(page)     |
| Chip  Phy-ID | Bus-Id | AICore(%) Memory-Usage(MB) HBM-Usage(MB)     |
| 2     Ascend910 | OK | 170.5  41  0 / 0 |
| 0     4         | 0000:9C:00.0 | 88  0 / 0  60000/ 65536 |
"""
