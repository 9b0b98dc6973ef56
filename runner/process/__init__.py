"""Start, supervise and stop runs; the run directory and the index of runs."""
