"""Schedules: who meets whom, and when."""
