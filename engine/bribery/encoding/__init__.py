"""Encoding of Bribery for learning: actions by number, and views as vectors."""

from engine.bribery.encoding.encoding import BriberyEncoding, list_actions

__all__ = ["BriberyEncoding", "list_actions"]
