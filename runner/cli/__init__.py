"""The command `agentic-rl`."""
