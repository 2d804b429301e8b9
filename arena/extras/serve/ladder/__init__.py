"""The ladder: one process plays its games, another computes its boards."""
