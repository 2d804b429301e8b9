"""What a seat cannot know: redraw it in a position, or imagine a position from a view."""

from engine.brides_and_bribes.hidden.from_view import imagine
from engine.brides_and_bribes.hidden.redraw import determinize

__all__ = ["determinize", "imagine"]
