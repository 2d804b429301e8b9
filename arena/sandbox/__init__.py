"""Sandboxes: what a bot may do to the machine, a module for each level."""
