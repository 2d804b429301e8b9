"""A bot that searches in any game, guided by what the bots of the game know."""
