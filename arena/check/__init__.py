"""Check a bot, a game, a recorded fault, or the sandbox, before a run."""
