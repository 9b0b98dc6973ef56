"""Lines in, events out: metrics, progress, stages, errors; knows no other room."""

from .attempts import Row, join_attempts, merge_steps
from .diagnosis import Cause, Diagnosis
from .errors import ErrorBlock, last_error
from .filelog import GrowingFile, JsonLines, metric_row
from .judge import Judge, diagnose_log
from .levels import Level, level_of
from .lines import LineSplitter, Origin, clean_line, split_prefix
from .metric_reader import METRIC_WORDS, MetricReader
from .metrics import finite_or_none, parse_metric_line, total_of_metric_line
from .outer import Message, message_of
from .progress import Progress, next_stage, reward_of
from .signatures import Signatures, read_signatures
from .stages import STAGES, Bar, Stage, bar_of, checkpoint_of, resume_of, stage_of, total_steps_of

__all__ = [
    "METRIC_WORDS",
    "STAGES",
    "Bar",
    "Cause",
    "Diagnosis",
    "ErrorBlock",
    "GrowingFile",
    "JsonLines",
    "Judge",
    "Level",
    "LineSplitter",
    "Message",
    "MetricReader",
    "Origin",
    "Progress",
    "Row",
    "Signatures",
    "Stage",
    "bar_of",
    "checkpoint_of",
    "clean_line",
    "diagnose_log",
    "finite_or_none",
    "join_attempts",
    "last_error",
    "level_of",
    "merge_steps",
    "message_of",
    "metric_row",
    "next_stage",
    "parse_metric_line",
    "read_signatures",
    "resume_of",
    "reward_of",
    "split_prefix",
    "stage_of",
    "total_of_metric_line",
    "total_steps_of",
]
