"""Benchmarks of the arena on this machine, and comparisons of two bots in one process."""
