"""`agentic-rl quickstart`: a tiny model trained on this CPU."""
