"""Native keys: which ones each verl declares, and what a file of another shape becomes in them."""

from .agentsdk import Handed, agentsdk_constants, agentsdk_parameters, converted, value_in
from .flat import leaves
from .loaded import omegaconf_value
from .mindspeed_keys import (
    AGENTSDK_MINDSPEED,
    MINDSPEED_VERSIONS,
    NEWEST_MINDSPEED,
    agentsdk_mindspeed_constants,
    home_of,
    known_mindspeed,
    mindspeed_default,
    mindspeed_keys,
    mindspeed_preset,
    mindspeed_table,
    versions_knowing,
)
from .verl_keys import default_of, is_declared, verl_keys
from .verl_moves import Move, changed_defaults, is_open, moved, of_other_trainer, versions_with
from .versions import AGENTSDK_VERL, NEWEST_VERL, VERL_VERSIONS, is_older_than_known, known_verl

__all__ = [
    "AGENTSDK_MINDSPEED",
    "AGENTSDK_VERL",
    "MINDSPEED_VERSIONS",
    "NEWEST_MINDSPEED",
    "NEWEST_VERL",
    "VERL_VERSIONS",
    "Handed",
    "Move",
    "agentsdk_constants",
    "agentsdk_mindspeed_constants",
    "agentsdk_parameters",
    "changed_defaults",
    "converted",
    "default_of",
    "home_of",
    "is_declared",
    "is_older_than_known",
    "is_open",
    "known_mindspeed",
    "known_verl",
    "leaves",
    "mindspeed_default",
    "mindspeed_keys",
    "mindspeed_preset",
    "mindspeed_table",
    "moved",
    "of_other_trainer",
    "omegaconf_value",
    "value_in",
    "verl_keys",
    "versions_knowing",
    "versions_with",
]
