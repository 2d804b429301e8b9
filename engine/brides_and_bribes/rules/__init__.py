"""The rules of Brides & Bribes: set-up, legal actions and their effects [4-9]."""

from engine.brides_and_bribes.rules.game import apply, legal_actions, play_out, start

__all__ = ["apply", "legal_actions", "play_out", "start"]
