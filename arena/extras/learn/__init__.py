"""Games in one process, one decision at a time: for notebooks and for learning.

`pettingzoo` and `vector` need the extra `learn`; import them by their own names.
"""

from arena.extras.learn.environment import Environment, Step, make
from arena.extras.learn.process_agent import ProcessAgent, as_agent
from arena.extras.learn.seats import Agent, Seated

__all__ = ["Agent", "Environment", "ProcessAgent", "Seated", "Step", "as_agent", "make"]
