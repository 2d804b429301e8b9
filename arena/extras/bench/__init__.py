"""Benchmarks of the arena on this machine, and comparisons of two bots in one process.

From the core it takes what it measures: runs (`tournament`, `schedule`), games (`match`, `process`)
and ratings (`rating`).
"""
