"""Rules of Bribery: the start of a game, legal actions, and what each changes [4, 5, 8]."""

from engine.bribery.rules.turns import apply, legal_actions, play_out, refresh, start

__all__ = ["apply", "legal_actions", "play_out", "refresh", "start"]
