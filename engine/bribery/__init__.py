"""Bribery: a card game about controlling countries by bribing their officials."""

from engine.bribery.variant import BRIBERY

__all__ = ["BRIBERY"]
