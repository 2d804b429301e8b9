"""The rules of Bribery: set-up, legal actions and their effects [4, 5, 8]."""

from engine.bribery.rules.turns import apply, legal_actions, play_out, start

__all__ = ["apply", "legal_actions", "play_out", "start"]
