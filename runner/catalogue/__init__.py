"""What a configuration is: parameters, problems, schemas, texts and templates; read from templates/."""

from .catalogue import SECTIONS, Candidate, Catalogue, Group
from .data import CatalogueError, templates_root
from .explain import explain
from .explanation import Explanation
from .load import load_catalogue, read_catalogue
from .parameter import Condition, Default, Kind, Parameter, Range, Text
from .problem import Edit, Language, Level, Problem
from .render import render_template
from .template import Template, list_templates, load_template
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
    "Explanation",
    "Group",
    "Kind",
    "Language",
    "Level",
    "Parameter",
    "Problem",
    "ProblemText",
    "Range",
    "Template",
    "Text",
    "explain",
    "list_templates",
    "load_catalogue",
    "load_template",
    "problem_codes",
    "problem_text",
    "read_catalogue",
    "render_template",
    "templates_root",
    "validate_value",
    "yaml_text",
]
