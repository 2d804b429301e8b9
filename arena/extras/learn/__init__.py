"""Games in one process, one decision at a time: for notebooks and for learning.

`pettingzoo` and `vector` need the extra `learn`; import them by their own names.

From the core it takes bots in seats (`agents`), the referee of a game (`match`), and for
ratings from pairs, which the site shows, boards (`rating`) and charts (`publish`).
"""

from arena.extras.learn.environment import Environment, Step, make
from arena.extras.learn.options import as_agent
from arena.tournament.agents import Agent, ProcessAgent, Seated

__all__ = ["Agent", "Environment", "ProcessAgent", "Seated", "Step", "as_agent", "make"]
