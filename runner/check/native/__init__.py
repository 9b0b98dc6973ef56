"""Files that hold verl's own keys: a tree, flat dotted keys, or AscendFactory's tree below ``backend_config``."""

from .outside import check_outside
from .run import check_native, check_native_key, native_paths

__all__ = ["check_native", "check_native_key", "check_outside", "native_paths"]
