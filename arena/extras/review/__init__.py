"""Find the decisions that cost a bot a game, based on what the bot knew at the time."""
