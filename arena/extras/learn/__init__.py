"""Reinforcement learning environments for all games.

Requires the extra `learn`. Import the modules of this package by name.
"""

from arena.extras.learn.options import as_agent
from arena.extras.shared.process_agent import ProcessAgent
from arena.tournament.agents import Agent, Seated

__all__ = ["Agent", "ProcessAgent", "Seated", "as_agent"]
