"""What the tests of the training process's package share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

INSIDE = Path(__file__).resolve().parents[2] / "runner" / "inside"
if str(INSIDE) not in sys.path:
    sys.path.insert(0, str(INSIDE))


@pytest.fixture(scope="session")
def inside() -> Path:
    """The folder that goes on the training interpreter's PYTHONPATH."""
    return INSIDE


@pytest.fixture(scope="session")
def tokenizer() -> Any:
    from agentic_rl_inside.tiny_model import build_tokenizer

    return build_tokenizer()


@pytest.fixture
def model(tokenizer: Any) -> Any:
    """A random tiny model; its weights are spread so that log-probabilities differ visibly."""
    import torch

    from agentic_rl_inside.tiny_model import build_model

    torch.set_num_threads(1)
    built = build_model(tokenizer, seed=3, hidden=32).eval()
    with torch.no_grad():
        built.lm_head.weight.mul_(20)
    return built


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A quick-start directory after a token warm-up of three steps."""
    from agentic_rl_inside.quickstart import prepare

    out = tmp_path_factory.mktemp("quickstart") / "made"
    prepare(out, 1, lambda message: None, steps=3)
    return out


@pytest.fixture
def verl_config(prepared: Path, inside: Path) -> Any:
    """verl's whole configuration with the CPU's overrides applied."""
    from .overrides import compose

    return compose(inside / "agentic_rl_inside", prepared)
