"""Pot de Vin: a trick-taking game about collecting guild cards."""

from engine.pot_de_vin.variant import POT_DE_VIN

__all__ = ["POT_DE_VIN"]
