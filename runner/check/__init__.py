"""Document and facts in, problems out; touches neither disk nor process."""

from ..native.generation import generation_named, generation_of
from .model_source import ModelSource, model_source
from .quick_data import QUICK_KEYS, example_wrapper, quick_data_folder, quick_task
from .run import check_document, check_key, paths_of
from .target import TARGETS, directive_of, native_backend, shape_of, target_of
from .world import World

__all__ = [
    "QUICK_KEYS",
    "TARGETS",
    "ModelSource",
    "World",
    "check_document",
    "check_key",
    "directive_of",
    "example_wrapper",
    "generation_named",
    "generation_of",
    "model_source",
    "native_backend",
    "paths_of",
    "quick_data_folder",
    "quick_task",
    "shape_of",
    "target_of",
]
