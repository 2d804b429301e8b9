"""Bribery: win majorities in countries by bribing the officials who vote there."""

from engine.bribery.variant import BRIBERY

__all__ = ["BRIBERY"]
