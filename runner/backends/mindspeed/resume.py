"""What a start does with earlier checkpoints: MindSpeed-RL goes on only when it is told so key by key.

Megatron reads the iteration, the optimizer and the random state only with ``finetune``, ``no_load_optim`` and
``no_load_rng`` false, from ``load``; the reference policy must then be told where the first weights are
(``integrated_mode_config.ref_model_load_path``), or the trained ones would become its reference.
"""

from __future__ import annotations

from pathlib import Path

from ..errors import PlanError
from ..plan import Resume, Text
from .facts import MindSpeedFacts
from .natives import Natives

_REFERENCE = "rl_config.integrated_mode_config.ref_model_load_path"
_SWITCHES = ("finetune", "no_load_optim", "no_load_rng")


def put_resume(natives: Natives, facts: MindSpeedFacts, stage: str) -> Resume | None:
    """Decide, and put the keys that make it true; None where the file saves nothing.

    Raises:
        PlanError: ``mindspeed-checkpoint-incomplete``, ``mindspeed-resume-ranks``.
    """
    save, load = natives.training("save"), natives.training("load")
    if not isinstance(save, str) or not save:
        natives.note("info", natives.place("save"), _NOTHING_SAVED)
        return None
    found = facts.saved
    step = int(found.iteration) if found is not None and found.iteration.isdecimal() else 0
    if found is None or step == 0:
        return Resume("fresh", save, 0, _NOTHING_FOUND)
    if load == save or stage == "dpo":
        return _as_written(natives, save, step)
    if not found.ranks:
        raise PlanError("mindspeed-checkpoint-incomplete", {"directory": save, "step": step}, exit_code=2)
    wanted = _ranks(natives)
    if len(found.ranks) != wanted:
        params = {"directory": save, "step": step, "written": len(found.ranks), "now": wanted}
        raise PlanError("mindspeed-resume-ranks", params, exit_code=2)
    if natives.training("no_save_optim") is True or natives.training("no_save_rng") is True:
        return Resume("fresh", save, 0, _WITHOUT_OPTIMIZER)
    for name in _SWITCHES:
        if natives.training(name) is not False:
            natives.note("differs", natives.place(name), _goes_on(step))
        natives.put(natives.place(name), False)
    natives.put(natives.place("load"), save)
    integrated = natives.values.get("rl_config.use_integrated_worker", True) is not False
    if integrated and isinstance(load, str) and _REFERENCE not in natives.values:
        natives.put(_REFERENCE, load)
        natives.note("constant", _REFERENCE, _FIRST_WEIGHTS)
    return Resume("resume", save, step, _resumes(step))


def fresh_directory(natives: Natives, experiment: str) -> None:
    """Save beside the earlier run (``--fresh``): ``experiment`` ends in the number that makes it new."""
    save = natives.training("save")
    number = experiment.rpartition("-")[2]
    if isinstance(save, str) and number.isdecimal():
        folder = Path(save)
        natives.put(natives.place("save"), str(folder.with_name(f"{folder.name}-{number}")))


def _as_written(natives: Natives, save: str, step: int) -> Resume:
    """One directory for the first weights and the checkpoints: the file alone says what is meant."""
    if any(natives.training(name) is True for name in _SWITCHES):
        return Resume("fresh", save, 0, _SAME_DIRECTORY)
    return Resume("resume", save, step, _resumes(step))


def _ranks(natives: Natives) -> int:
    found = 1
    for name in ("tensor_model_parallel_size", "pipeline_model_parallel_size", "expert_model_parallel_size"):
        value = natives.training(name, 1)
        found *= value if isinstance(value, int) and value > 0 else 1
    return found


def _resumes(step: int) -> Text:
    return {
        "en": f"checkpoint of iteration {step} found; weights, optimizer and data position are taken up from there",
        "zh": f"找到第 {step} 次迭代的检查点，权重、优化器状态与数据位置将由此恢复",
    }


def _goes_on(step: int) -> Text:
    return {
        "en": f"false, to go on from iteration {step}; agentic_rl would start at 0, as --fresh does",
        "zh": f"改为 false，以便从第 {step} 次迭代继续；agentic_rl 会从 0 开始并新建优化器。--fresh 也会从头开始",
    }


_NOTHING_SAVED: Text = {
    "en": "not set: no checkpoint will be written",
    "zh": "未设置：不会保存检查点",
}
_NOTHING_FOUND: Text = {
    "en": "no checkpoint there yet; training starts from the weights in load",
    "zh": "该目录尚无检查点，训练从 load 指定的权重开始",
}
_WITHOUT_OPTIMIZER: Text = {
    "en": "a checkpoint was found, written without optimizer or random state; MindSpeed-RL can't go on from it and "
    "starts at iteration 0",
    "zh": "找到检查点，但其中不含优化器或随机状态；MindSpeed-RL 无法由此继续，将从第 0 次迭代开始",
}
_SAME_DIRECTORY: Text = {
    "en": "load and save are one directory and finetune, no_load_optim or no_load_rng is true: its weights are read, "
    "training starts at iteration 0 and overwrites the checkpoints",
    "zh": "load 与 save 为同一目录，且 finetune、no_load_optim 或 no_load_rng 为 true：只读取其中的权重，"
    "训练从第 0 次迭代开始并覆盖已有检查点",
}
_FIRST_WEIGHTS: Text = {
    "en": "the reference policy keeps the first weights; without it the trained ones would become the reference",
    "zh": "参考策略保持最初的权重；否则已训练的权重会成为参考",
}
