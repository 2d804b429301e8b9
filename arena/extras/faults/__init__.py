"""Commands for finding the faults of bots."""
