"""Everything interactive: the Textual app, the run view and the plain twin."""
