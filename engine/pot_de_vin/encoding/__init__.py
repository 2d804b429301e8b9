"""Encoding of Pot de Vin for learning: actions by number, and views as vectors."""

from engine.pot_de_vin.encoding.encoding import PotDeVinEncoding

__all__ = ["PotDeVinEncoding"]
