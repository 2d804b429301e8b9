"""Schedules: which entrants meet in which round."""
