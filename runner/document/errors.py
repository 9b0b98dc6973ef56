"""What can go wrong when a file is changed."""

from __future__ import annotations


class EditError(Exception):
    """The text can't be changed that way; it stays as it was. The message says why, for the log and for a test."""


class FileChanged(Exception):
    """The file on disk is no longer the one that was read."""
