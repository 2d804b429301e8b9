"""Describe games in words, for the terminal and for web replays."""
