"""`agentic-rl convert` and `diff`: one file in another form, two files by parameter."""
