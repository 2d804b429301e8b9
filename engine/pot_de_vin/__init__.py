"""Pot de Vin: trick-taking for guild cards, where a gem buys you out of a trick."""

from engine.pot_de_vin.variant import POT_DE_VIN

__all__ = ["POT_DE_VIN"]
