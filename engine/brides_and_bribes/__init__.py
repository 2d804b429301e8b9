"""Brides & Bribes: families of Genoa marry, bribe and murder their way to the Doge's seat."""

from engine.brides_and_bribes.variant import BRIDES_AND_BRIBES

__all__ = ["BRIDES_AND_BRIBES"]
