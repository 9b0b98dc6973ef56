"""What the run view shows, without Textual: the index of a log, metrics, devices, the state of a run."""
