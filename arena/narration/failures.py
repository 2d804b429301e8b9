"""Why a declared action of Brides & Bribes failed, in words.

The event says only that it failed. The reason follows from what all see: the view after the move
or, if this move also ended the resolution of the borough, the view before it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from arena.narration.words import counted, kind_of
from engine import State

CAN_FAIL: Final = "brides-and-bribes"
"""The game whose declared actions may fail."""


class Failures:
    """Why actions failed so far, in a game that goes on."""

    def __init__(self, state: State) -> None:
        """Follow the game of `state`, which changes with each move."""
        self._state = state
        self._heard = len(state.events(None))
        self._before: Any = None
        self._reasons: list[str] = []

    def look(self) -> Sequence[str]:
        """Return a reason for each failed action so far, in their order. Call it at each move."""
        if self._state.variant.game == CAN_FAIL:
            events = self._state.events(None, self._heard)
            self._heard += len(events)
            after: Any = self._state.view(None)
            if self._before is not None:
                self._reasons += reasons(self._before, after, events)
            self._before = after
        return self._reasons


def reasons(before: Any, after: Any, events: Sequence[msgspec.Struct]) -> Iterator[str]:
    """Yield why each action failed that `events`, those of one move, tell to have failed.

    Args:
        before: the view of a spectator before the move.
        after: the view of a spectator after it.
        events: what all were told of it.
    """
    for at, event in enumerate(events):
        if kind_of(event) == "failed":
            goes_on = after.resolution and after.resolution.borough == before.resolution.borough
            view = after if goes_on else before
            later = events[at + 1 :] if goes_on else ()
            yield reason(event, view, later)


def reason(failed: Any, view: Any, later: Sequence[Any] = ()) -> str:
    """Return why an action failed; empty if the view does not show it.

    `later` are the events between the failure and the view.
    """
    resolution = view.resolution
    borough = next(borough for borough in view.boroughs if borough.borough == resolution.borough)
    if failed.action == "employ":
        banned = resolution.workers_banned
        return "a barker is at work" if banned else "no worker is left"
    if failed.action == "hire":
        return "there is no common character any more"
    if failed.action == "influence":
        return "no influence is left"
    if resolution.marriage_banned:
        return "a hag is at work"
    place = failed.action.removeprefix("marry ")
    return _no_marriage(failed.seat, getattr(borough.brides, place), view, later)


def _no_marriage(seat: int, bride: Any, view: Any, later: Sequence[Any]) -> str:
    """Return why a seat could not marry a bride that no hag protects."""
    resolution = view.resolution
    own = next(delegation for delegation in resolution.delegations if delegation.seat == seat)
    if bride is None:
        return "there is no bride any more"
    if own.charm is None:
        return "its guide is no loyal"
    if bride.married_seat is not None:
        return "she is still wed"
    forfeit = resolution.lord_prestige - own.prestige
    bribe = bride.charm + resolution.bride_charm_change - own.charm
    influence = view.players[seat].influence
    coins = view.players[seat].coins - _coins_since(seat, later)
    if forfeit > influence:
        return f"the lord asks for {forfeit} influence, and it has {influence}"
    if bribe > coins:
        return f"the bribe is {counted(bribe, 'coin')}, and it has {coins}"
    return ""


def _coins_since(seat: int, later: Sequence[Any]) -> int:
    """Return the coins that a seat has got by its later actions."""
    gains = [change for event in later if kind_of(event) == "done" for change in event.gains]
    return sum(
        [gain.amount for gain in gains if gain.what == "coins" and gain.where == f"seat-{seat}"]
    )
