"""The variants as environments for learning.

The modules need the extra `learn`; import them by their own names. From the core they take bots in
seats (`tournament.agents`), the referee of a game (`match`) and boards (`rating`).
"""

from arena.extras.learn.options import as_agent
from arena.extras.shared.process_agent import ProcessAgent
from arena.tournament.agents import Agent, Seated

__all__ = ["Agent", "ProcessAgent", "Seated", "as_agent"]
