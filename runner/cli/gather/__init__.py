"""The facts that a check may use, looked up for one file."""
