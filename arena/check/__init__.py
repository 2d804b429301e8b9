"""Checks of one bot, of a recorded game or fault, and of the sandbox before a run."""
