"""AgentSDK's schema with the original's library and settings: pydantic, strict, nothing extra."""

# ruff: noqa: UP045 - the models are made from a table

import os
from typing import Annotated, Literal, Optional

from pydantic import AfterValidator, BaseModel, ConfigDict, create_model, model_validator
from standin_filecheck import check_path

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "agentsdk_schema.tsv")
SEVEN = ("tokenizer_name_or_path", "data_path", "load_params_path", "save_params_path", "agent_name",
         "agent_engine_wrapper_path")  # fmt: skip


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, validate_assignment=True, protected_namespaces=())


class StrictVerl(Strict):
    @model_validator(mode="after")
    def bounds(self):
        if self.policy_loss_clip_cov_lb >= self.policy_loss_clip_cov_ub:
            raise ValueError("policy_loss_clip_cov_lb should be less than policy_loss_clip_cov_ub")
        return self


def positive(value):
    if value is not None and value <= 0:
        raise ValueError("should be greater than 0")
    return value


def share(value):
    if not 0 <= value <= 1:
        raise ValueError("should be in [0, 1]")
    return value


def not_negative(value):
    if value < 0:
        raise ValueError("should not be negative")
    return value


def minus_one_or_positive(value):
    if value != -1 and value <= 0:
        raise ValueError("should be -1 or greater than 0")
    return value


def unique(value):
    if len(set(value)) != len(value):
        raise ValueError("items should be unique")
    return value


RULES = {">0": positive, "[0,1]": share, ">=0": not_negative, "-1|>0": minus_one_or_positive}


def rows():
    with open(TABLE, encoding="utf-8") as stream:
        for line in stream:
            if not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def _field(kind, rule, default, paths):
    optional, kind = kind.endswith("?"), kind.rstrip("?")
    if kind == "enum":
        made = Literal[tuple(rule.split("|"))]
    elif kind == "enums":
        made = Annotated[list[Literal[tuple(rule.split("|"))]], AfterValidator(unique)]
    elif kind == "path":
        made = Annotated[str, AfterValidator(check_path)] if paths else str
    else:
        made = {"int": int, "float": float, "bool": bool, "str": str, "list": list[str]}[kind]
        if rule in RULES:
            made = Annotated[made, AfterValidator(RULES[rule])]
    made = Optional[made] if optional else made
    if default == "!":
        return (made, ...)
    plain = {"True": True, "False": False, "None": None}
    if kind == "enums":
        return (made, default.strip("[]").split(","))
    convert = {"int": int, "float": float}.get(kind, str)
    return (made, plain[default] if default in plain else convert(default))


def model(generation, paths=True):
    """The schema of B, B+ or C; without ``paths`` no path is looked at."""
    fields = {"-": {}, "mindspeed_rl": {}, "verl": {}}
    for section, name, kind, default, rule, known in rows():
        if generation[0] in known or (generation == "B+" and "+" in known):
            fields[section][name] = _field(kind, rule, default, paths)
    sections = {
        "mindspeed_rl": (Optional[create_model("MindSpeedRL", __base__=Strict, **fields["mindspeed_rl"])], None),
        "verl": (Optional[create_model("Verl", __base__=StrictVerl, **fields["verl"])], None),
    }
    return create_model("GlobalConfig", __base__=Strict, **fields["-"], **sections)


def validate(values, generation="C", paths=True):
    """The values with their defaults; raises ValueError with the original's words."""
    if any(not isinstance(key, str) for key in values):
        raise ValueError("config must be a dictionary with string keys")
    if generation == "A":
        return _seven(values, paths)
    try:
        made = model(generation, paths)(**values)
    except ValueError as error:  # pydantic's is one
        raise ValueError(f"Configuration validation failed:\n{error}") from None
    if getattr(made, made.train_backend) is None:
        name = made.train_backend
        raise ValueError(f"{name} config section is required when train_backend is '{name}'")
    return made.model_dump()


def _seven(values, paths):
    """The check of 7.3.0, written by hand there: exactly these keys are looked at."""
    for name in SEVEN:
        if name not in values:
            raise ValueError(f"The yaml's {name} is required.")
        if not isinstance(values[name], str):
            raise ValueError(f"The yaml's {name} should be str type.")
    if "train_iters" not in values:
        raise ValueError("The yaml's train_iters is required.")
    if type(values["train_iters"]) is not int:
        raise ValueError("The yaml's train_iters should be int type.")
    if values["train_iters"] <= 0:
        raise ValueError("The yaml's train_iters should be greater than 0.")
    if not values["agent_name"][:1].isalpha():
        raise ValueError("The yaml's agent_name should start with a letter")
    for name in SEVEN:
        if paths and name.endswith("path") and name != "data_path":
            check_path(values[name])
    names = (*SEVEN, "train_iters")
    return {"train_backend": "mindspeed_rl", **{name: values[name] for name in names if name != "data_path"},
            "mindspeed_rl": {name: values[name] for name in names if name.endswith(("_params_path", "iters"))}
            | {"save_interval": 1000}}  # fmt: skip
