"""The commands that deal with started runs: list, watch, logs, metrics, diagnose, stop, bundle, clean."""
