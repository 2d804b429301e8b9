"""A bot that learned to play, with its weights."""
