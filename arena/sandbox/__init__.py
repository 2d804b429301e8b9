"""The walls round a bot's process: a module for each level, the interface, and the probe."""
