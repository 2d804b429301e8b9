"""Describe games in sentences for the terminal and for web replays."""
