"""`agentic-rl devices`: the NPUs or GPUs of this node, or of a cluster."""
