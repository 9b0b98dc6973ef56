"""`agentic-rl agent`: wrappers checked, tried and written."""
