"""Descriptions and terminal drawings for the built-in games, registered as plugins."""
