"""Check bots, games and the sandbox before a run, and explain bots' faults afterwards."""
