"""Bots for Bribery that collude: a boss that gives a sign, and feeders that help it."""
