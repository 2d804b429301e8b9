"""Charts of a run, a module a figure, each with a table of its numbers."""
