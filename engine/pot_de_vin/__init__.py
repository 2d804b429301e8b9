"""Pot de Vin: take tricks to collect guild cards, and pay a gem to stay out of a trick."""

from engine.pot_de_vin.variant import POT_DE_VIN

__all__ = ["POT_DE_VIN"]
