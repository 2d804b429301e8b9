"""Check bots, games, recorded faults and the sandbox before a run."""
