"""A bot that searches in any game, guided by the knowledge of the game's own bots."""
