"""Executors distribute batches of games to the processes that play them."""
