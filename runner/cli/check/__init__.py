"""`agentic-rl check` and `fix`: the mistakes of a file, and the repairs that need nobody's choice."""
