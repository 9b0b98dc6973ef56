"""Native keys: which ones each verl declares, and what a file of another shape becomes in them."""

from .agentsdk import Handed, agentsdk_constants, agentsdk_parameters, converted, value_in
from .flat import leaves
from .verl_keys import default_of, is_declared, verl_keys
from .versions import AGENTSDK_VERL, NEWEST_VERL, VERL_VERSIONS, known_verl

__all__ = [
    "AGENTSDK_VERL",
    "NEWEST_VERL",
    "VERL_VERSIONS",
    "Handed",
    "agentsdk_constants",
    "agentsdk_parameters",
    "converted",
    "default_of",
    "is_declared",
    "known_verl",
    "leaves",
    "value_in",
    "verl_keys",
]
