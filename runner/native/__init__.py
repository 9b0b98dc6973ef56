"""Native keys: which ones each verl declares, and what a file of another shape becomes in them."""

from .agentsdk import Handed, agentsdk_constants, agentsdk_parameters, converted, value_in
from .flat import leaves
from .loaded import omegaconf_value
from .verl_keys import default_of, is_declared, verl_keys
from .verl_moves import Move, changed_defaults, is_open, moved, of_other_trainer, versions_with
from .versions import AGENTSDK_VERL, NEWEST_VERL, VERL_VERSIONS, is_older_than_known, known_verl

__all__ = [
    "AGENTSDK_VERL",
    "NEWEST_VERL",
    "VERL_VERSIONS",
    "Handed",
    "Move",
    "agentsdk_constants",
    "agentsdk_parameters",
    "changed_defaults",
    "converted",
    "default_of",
    "is_declared",
    "is_older_than_known",
    "is_open",
    "known_verl",
    "leaves",
    "moved",
    "of_other_trainer",
    "omegaconf_value",
    "value_in",
    "verl_keys",
    "versions_with",
]
