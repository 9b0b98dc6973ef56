"""Proves that the extras of pyproject.toml resolve: `make extras`, or `python -m extras [gpu] [npu]`."""
