"""Sandboxes: what a bot may do to the machine, with a module for each level."""
