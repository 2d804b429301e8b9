"""Check bots, games and the sandbox before a run, and analyze recorded faults."""
