"""Start, supervise and stop runs; the run directory and the index of runs.

Nothing is imported here: the supervisor is a process of its own and loads only what it needs.
"""
