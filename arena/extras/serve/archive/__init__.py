"""Copies of a whole contest: backups, and exports in open formats."""
