"""The rules: functions that start a game and change its position, by phase and ability."""

from engine.brides_and_bribes.rules.game import apply, start

__all__ = ["apply", "start"]
