"""Bots for Bribery, and what they share."""
