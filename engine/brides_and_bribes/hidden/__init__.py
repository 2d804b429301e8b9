"""Redraw the information hidden from a seat [10]."""

from engine.brides_and_bribes.hidden.layout import lay_out_view
from engine.brides_and_bribes.hidden.redrawing import forget, redraw

__all__ = ["forget", "lay_out_view", "redraw"]
