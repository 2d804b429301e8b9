"""The ladder of a contest: one process plays games, another process computes the boards."""
