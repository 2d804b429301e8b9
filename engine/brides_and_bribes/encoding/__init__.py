"""The encoding of Brides & Bribes for learning: actions as numbers, and views as vectors."""

from engine.brides_and_bribes.encoding.encoding import BridesAndBribesEncoding
from engine.brides_and_bribes.encoding.vocabulary import list_actions

__all__ = ["BridesAndBribesEncoding", "list_actions"]
