"""Games in one process, one decision at a time: for notebooks and for learning.

`pettingzoo` and `vector` need the extra `rl`; import them by their own names.
"""

from arena.envs.environment import Environment, Step, make
from arena.envs.process_agent import ProcessAgent, as_agent
from arena.envs.seats import Agent, Seated

__all__ = ["Agent", "Environment", "ProcessAgent", "Seated", "Step", "as_agent", "make"]
