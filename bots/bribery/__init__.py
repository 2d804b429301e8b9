"""Bots for Bribery and their shared code."""
