"""Rules of Brides & Bribes: the start of a game, legal actions, and what each changes [4-9]."""

from engine.brides_and_bribes.rules.game import apply, legal_actions, play_out, start

__all__ = ["apply", "legal_actions", "play_out", "start"]
