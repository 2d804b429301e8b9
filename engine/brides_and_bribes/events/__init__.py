"""Events of Brides & Bribes: what each seat is told during a game, from the notes of its log."""

from engine.brides_and_bribes.events.history import list_events

__all__ = ["list_events"]
