"""The state of the form, without Textual: the screens, the plain twin and the tests work on the same object."""
