"""Document and facts in, problems out; touches neither disk nor process."""

from .generation import generation_named, generation_of
from .run import check_document, check_key, paths_of
from .target import TARGETS, directive_of, shape_of, target_of
from .world import World

__all__ = [
    "TARGETS",
    "World",
    "check_document",
    "check_key",
    "directive_of",
    "generation_named",
    "generation_of",
    "paths_of",
    "shape_of",
    "target_of",
]
