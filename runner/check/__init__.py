"""Document and facts in, problems out; touches neither disk nor process."""

from .run import check_document, check_key, paths_of
from .target import TARGETS, directive_of, generation_of, shape_of, target_of
from .world import World

__all__ = [
    "TARGETS",
    "World",
    "check_document",
    "check_key",
    "directive_of",
    "generation_of",
    "paths_of",
    "shape_of",
    "target_of",
]
