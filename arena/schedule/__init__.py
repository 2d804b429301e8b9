"""Schedules determine the opponents of each bot."""
