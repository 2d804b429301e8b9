"""Check bots, games and the sandbox before a run, and explain faults after it."""
