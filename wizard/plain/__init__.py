"""The plain twin: the same form asked line by line, for dumb terminals and for those who prefer it."""
