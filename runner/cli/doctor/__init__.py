"""`agentic-rl doctor`: this machine, examined."""
