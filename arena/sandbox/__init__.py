"""Sandboxes restrict what a bot can do to the machine. Each level has its own module."""
