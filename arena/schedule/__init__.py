"""Schedules, which determine the opponents of each bot."""
