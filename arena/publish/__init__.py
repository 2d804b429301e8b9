"""The web site of a run."""
