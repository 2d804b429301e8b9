"""Games in one process, one decision at a time: for notebooks and for learning.

`pettingzoo` and `vector` need the extra `learn`; import them by their own names.

From the core it takes bots in seats (`agents`) and the referee of a game (`match`).
"""

from arena.agents import Agent, ProcessAgent, Seated, as_agent
from arena.extras.learn.environment import Environment, Step, make

__all__ = ["Agent", "Environment", "ProcessAgent", "Seated", "Step", "as_agent", "make"]
