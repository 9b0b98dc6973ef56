"""Document and facts in, problems out; pure: no disk, no process."""
