"""What the data must hold: rows for a batch, for every worker and for all steps; columns (V20, V21)."""

from __future__ import annotations

from ...catalogue.versions import version_holds
from ..numbers import factor_for, multiples_near
from ..view import View
from .relation import NATIVE, Finding, Relation
from .setup import BATCH, PROMPT, ROLLOUT, N, v1_trainer

WORKERS, MODE = ROLLOUT + "agent.num_workers", ROLLOUT + "mode"
STEPS, EPOCHS = "trainer.total_training_steps", "trainer.total_epochs"
FILES, KEY, SOURCE = "data.train_files", "data.prompt_key", "data.reward_fn_key"
LONG, CUT = "data.filter_overlong_prompts", "data.truncation"


def rows_of(view: View) -> int | None:
    """Rows of the training data, before any is filtered out."""
    rows = getattr(view.world.dataset, "rows", None)
    if rows is None:
        facts = view.world.data.get(view.file_key(FILES))
        rows = facts.rows if facts is not None else None
    return rows


def _workers(view: View) -> Finding | None:
    workers, batch, n = view.number(WORKERS), view.number(BATCH), view.number(N)
    if v1_trainer(view) or view.value(MODE) != "async" or not workers or not batch or not n:
        return None
    if batch * n % workers == 0:
        return None
    values = multiples_near(batch, factor_for(n, workers))
    params = {"product": batch * n, "workers": workers, "values": values}
    return Finding(params, ((BATCH, values[-1]),))


def _empty(view: View) -> Finding | None:
    rows, batch = getattr(view.world.dataset, "rows", None), view.number(BATCH)
    if rows is None or view.world.data.get(view.file_key(FILES)) is not None or not batch or rows >= batch:
        return None  # the data files have a check of their own, which names the file
    level = "warning" if version_holds(">=0.9", view.version) and view.value("data.gen_batch_size") == 1 else "error"
    return Finding({"rows": rows, "value": batch}, ((BATCH, rows),) if rows else (), level)


def _steps(view: View) -> Finding | None:
    steps, batch, epochs, rows = view.number(STEPS), view.number(BATCH), view.number(EPOCHS), rows_of(view)
    if not steps or not batch or not epochs or rows is None:
        return None
    available = rows // batch * epochs
    return Finding({"value": steps, "available": available, "rows": rows}) if 0 < available < steps else None


def _columns(view: View) -> Finding | None:
    columns = getattr(view.world.dataset, "columns", None)
    own = view.value("data.custom_cls.path")
    if not columns or own is not None or view.world.data.get(view.file_key(FILES)) is not None:
        return None
    rewarded = view.value("custom_reward_function.path") or view.value("reward.custom_reward_function.path")
    wanted = [view.text(KEY) or "prompt", view.text(SOURCE) or "data_source", "reward_model"]
    if view.value("reward_model.enable") is True and rewarded is None:
        wanted.remove("reward_model")
    names = {name.partition(".")[0] for name in columns}
    missing = [name for name in wanted if name not in names]
    return Finding({"missing": missing, "columns": list(columns)}) if missing else None


def _long_prompt(view: View) -> Finding | None:
    longest, limit = getattr(view.world.dataset, "longest_prompt", None), view.number(PROMPT)
    if longest is None or not limit or longest <= limit or view.true(LONG) or view.value(CUT) != "error":
        return None
    level = "warning" if version_holds(">=0.7", view.version) else "error"
    return Finding({"value": limit, "longest": longest}, ((PROMPT, longest), (LONG, True)), level)


DATASETS: tuple[Relation, ...] = (
    Relation("batch-not-for-workers", (BATCH, N, WORKERS, MODE), _workers, versions=">=0.5", launchers=NATIVE),
    Relation("dataset-below-batch", (BATCH, FILES), _empty, given="none"),
    Relation("steps-beyond-data", (STEPS, EPOCHS, BATCH), _steps, "warning", given="first"),
    Relation("dataset-columns-missing", (KEY, SOURCE, FILES), _columns, launchers=NATIVE, given="none"),
    Relation("prompt-beyond-limit", (PROMPT, CUT, LONG), _long_prompt, given="none"),
)
