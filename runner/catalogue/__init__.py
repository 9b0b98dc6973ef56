"""What a configuration is: parameters, problems, schemas, texts and templates; read from templates/."""

from .catalogue import SECTIONS, Candidate, Catalogue, Group
from .data import CatalogueError, templates_root
from .load import load_catalogue, read_catalogue
from .parameter import Condition, Default, Kind, Parameter, Range, Text
from .problem import Edit, Language, Level, Problem
from .texts import ProblemText, problem_codes, problem_text
from .values import validate_value
from .yaml_text import yaml_text

__all__ = [
    "SECTIONS",
    "Candidate",
    "Catalogue",
    "CatalogueError",
    "Condition",
    "Default",
    "Edit",
    "Group",
    "Kind",
    "Language",
    "Level",
    "Parameter",
    "Problem",
    "ProblemText",
    "Range",
    "Text",
    "load_catalogue",
    "problem_codes",
    "problem_text",
    "read_catalogue",
    "templates_root",
    "validate_value",
    "yaml_text",
]
