"""Games in one process, one decision at a time: for notebooks and for learning."""

from arena.envs.environment import Environment, Step, make

__all__ = ["Environment", "Step", "make"]
