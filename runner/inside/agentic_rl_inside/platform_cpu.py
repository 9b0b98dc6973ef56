"""The CPU as a verl platform.

Extension point: ``verl.plugin.platform.PlatformRegistry``. verl imports this module because of
``VERL_USE_EXTERNAL_MODULES=agentic_rl_inside.platform_cpu`` in every process that imports verl, and picks the
platform because of ``VERL_PLATFORM=cpu``.
"""

from __future__ import annotations

import importlib
import os
import resource
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psutil
import torch
import torch.distributed
from verl.plugin.platform.platform_base import PlatformBase
from verl.plugin.platform.platform_manager import PlatformRegistry


def _resident_bytes(*_args: Any) -> int:
    return psutil.Process().memory_info().rss


def _peak_resident_bytes(*_args: Any) -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _nothing(*_args: Any, **_kwargs: Any) -> None:
    return None


class CPUDeviceModule(types.ModuleType):
    """``torch.cpu`` plus what verl calls on ``torch.cuda``; memory figures are the process's own."""

    memory_allocated = memory_reserved = staticmethod(_resident_bytes)
    max_memory_allocated = max_memory_reserved = staticmethod(_peak_resident_bytes)
    empty_cache = ipc_collect = staticmethod(_nothing)
    reset_peak_memory_stats = reset_accumulated_memory_stats = staticmethod(_nothing)
    set_per_process_memory_fraction = set_device = staticmethod(_nothing)

    @staticmethod
    def get_rng_state(*_args: Any) -> torch.Tensor:
        return torch.get_rng_state()

    @staticmethod
    def set_rng_state(state: torch.Tensor, *_args: Any) -> None:
        torch.set_rng_state(state)

    @staticmethod
    def manual_seed(seed: int) -> None:
        torch.manual_seed(seed)

    manual_seed_all = manual_seed

    @staticmethod
    def get_device_name(*_args: Any) -> str:
        return "CPU"

    @staticmethod
    def mem_get_info(*_args: Any) -> tuple[int, int]:
        """Bytes available and bytes installed on this machine."""
        memory = psutil.virtual_memory()
        return memory.available, memory.total

    def __getattr__(self, name: str) -> Any:
        return getattr(torch.cpu, name)


_DEVICE_MODULE = CPUDeviceModule("agentic_rl_inside.cpu_device")


@PlatformRegistry.register(platform="cpu")
class PlatformCPU(PlatformBase):
    """One CPU "device" a process. Ray sees it as a logical GPU, which ``ray_init.num_gpus`` supplies."""

    @property
    def device_name(self) -> str:
        return "cpu"

    @property
    def vendor_name(self) -> str:
        return "cpu"

    @property
    def device_module(self) -> types.ModuleType:
        return _DEVICE_MODULE

    def is_available(self) -> bool:
        return True

    def is_platform_available(self, use_smi_check: bool = False) -> bool:
        """Only on request: a machine with an accelerator must never fall back to the CPU by itself."""
        return os.environ.get("VERL_PLATFORM", "").strip().lower() == "cpu"

    def current_device(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        """``"cpu"``: verl passes the answer to ``Tensor.to``, where 0 would mean an accelerator."""
        return "cpu"

    def device_count(self) -> int:
        return 1

    def set_device(self, device_index: int) -> None:
        pass

    def synchronize(self, device_index: int | None = None) -> None:
        pass

    def manual_seed(self, seed: int) -> None:
        torch.manual_seed(seed)

    def manual_seed_all(self, seed: int) -> None:
        torch.manual_seed(seed)

    def set_allocator_settings(self, settings: str) -> None:
        pass

    def empty_cache(self) -> None:
        pass

    def get_device_capability(self, device_index: int = 0) -> tuple[int | None, int | None]:
        return None, None

    def communication_backend_name(self) -> str:
        """Gloo. verl asks right before a worker joins its process group and looks its engine up.

        The critic's worker asks for its engine without building a model config first, so that
        ``external_lib`` has not been imported there: the engines are registered here as well.
        """
        importlib.import_module("agentic_rl_inside.engines")
        return "gloo"

    def visible_devices_envvar(self) -> str:
        return "AGENTIC_RL_CPU_VISIBLE_DEVICES"

    @contextmanager
    def nvtx_range(self, msg: str) -> Iterator[None]:  # pyright: ignore[reportIncompatibleMethodOverride]
        yield

    def profiler_start(self) -> None:
        pass

    def profiler_stop(self) -> None:
        pass

    def ray_resource_name(self) -> str:
        """Verl's resource check counts GPU and NPU only."""
        return "GPU"

    def ray_noset_envvars(self) -> list[str]:
        return []

    def is_ipc_supported(self) -> bool:
        return False

    def cudart(self) -> Any:
        return None


def accept_gloo_for_both(init_process_group: Any) -> Any:
    """Wrap ``torch.distributed.init_process_group`` so that it takes verl's backend string for a CPU.

    verl builds ``cpu:gloo,<device>:<backend>``; with the device "cpu" torch refuses the doubled entry. There
    is no option for it in verl 0.9.1.
    """

    def init(backend: str | None = None, *args: Any, **kwargs: Any) -> Any:
        return init_process_group("gloo" if backend == "cpu:gloo,cpu:gloo" else backend, *args, **kwargs)

    vars(init)["accepts_gloo_for_both"] = True
    return init


if not hasattr(torch.distributed.init_process_group, "accepts_gloo_for_both"):
    torch.distributed.init_process_group = accept_gloo_for_both(torch.distributed.init_process_group)
