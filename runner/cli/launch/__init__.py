"""`agentic-rl plan` and `run`: from a file to a started training."""
