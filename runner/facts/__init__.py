"""Looks at the world and returns values; knows no other room."""

from .checkpoints import CheckpointFacts, look_at_checkpoints
from .dataset import DatasetFacts
from .machine import Machine, look_at_machine
from .megatron import MegatronFacts, look_at_megatron
from .model import FACT_NAMES, ModelFacts, model_facts
from .model_files import look_at_model
from .paths import PathFacts, look_at_path
from .training import DataFacts, TrainingFacts, default_python, probe_training
from .tree import Offender, TreeFacts

__all__ = [
    "FACT_NAMES",
    "CheckpointFacts",
    "DataFacts",
    "DatasetFacts",
    "Machine",
    "MegatronFacts",
    "ModelFacts",
    "Offender",
    "PathFacts",
    "TrainingFacts",
    "TreeFacts",
    "default_python",
    "look_at_checkpoints",
    "look_at_machine",
    "look_at_megatron",
    "look_at_model",
    "look_at_path",
    "model_facts",
    "probe_training",
]
