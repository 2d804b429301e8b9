"""Describe games in plain English, for the terminal and for web replays."""
