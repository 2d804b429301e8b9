"""Contests of released versions, and what this version makes of them."""
