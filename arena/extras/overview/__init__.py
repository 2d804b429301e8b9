"""Commands that list games, bots and runs."""
