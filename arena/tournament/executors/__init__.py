"""Executors: what carries batches of games to where they are played."""
