"""Rules: functions that start a game, list legal actions and apply an action to a position."""

from engine.bribery.rules.turns import apply, legal_actions, refresh, start

__all__ = ["apply", "legal_actions", "refresh", "start"]
