"""Executors: they carry batches of games to the processes that play them."""
