"""`agentic-rl rollouts`: the trajectories of a run."""
