"""Bribery: a majority game of officials, who bring votes, and of bribes, which control them."""

from engine.bribery.variant import BRIBERY

__all__ = ["BRIBERY"]
