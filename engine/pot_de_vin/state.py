"""The state of a game: a position, and the floor that answers each question about it."""

import random

import msgspec

from engine.contract import Outcome, State, Variant
from engine.errors import GameNotOver
from engine.pot_de_vin.events import PastEvents, events_for, update_past_events
from engine.pot_de_vin.hidden import redraw
from engine.pot_de_vin.position import Position
from engine.pot_de_vin.result import describe
from engine.pot_de_vin.rules import apply, legal_actions
from engine.pot_de_vin.scoring import rank_sides, score_side
from engine.pot_de_vin.view import PastView, View, update_past_view, view_for


class PotDeVinState(State):
    """A game in progress; owns its position and keeps what views and events share over turns."""

    __slots__ = ("past_events", "past_view", "position", "seat_to_act", "variant")

    variant: Variant
    seat_to_act: int | None
    position: Position
    past_view: PastView | None
    past_events: PastEvents | None

    def legal_actions(self) -> list[str]:
        """Return the legal actions in canonical order [5.2]."""
        return legal_actions(self.position)

    def apply(self, action: str) -> None:
        """Do `action` for the seat to act [5.2]; raises `IllegalAction`."""
        self.seat_to_act = apply(self.position, action)

    def view(self, seat: int | None) -> View:
        """Return the view of section 10.1."""
        self.past_view = update_past_view(self.past_view, self.position)
        return view_for(self.position, seat, self.past_view)

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        """Return the events of section 9."""
        self.past_events = update_past_events(self.past_events, self.position)
        return events_for(self.position, seat, since, self.past_events)

    def outcome(self) -> Outcome:
        """Return points and ranks by seat, and as detail the result of section 10.2."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        position = self.position
        sides, tallies = position.parameters.sides, position.tallies()
        scores = [score_side([tallies[seat] for seat in seats]) for seats in sides]
        mates = len(sides[0])  # seat `s` is on side `s` modulo the number of sides
        return Outcome(
            tuple([points for points, _, _ in scores] * mates),
            tuple(rank_sides(scores) * mates),
            lambda: describe(sides, *position.winnings()),
        )

    def clone(self) -> "PotDeVinState":
        """Return an independent copy."""
        other = PotDeVinState()
        other.variant = self.variant
        other.seat_to_act = self.seat_to_act
        other.position = self.position.copy()
        other.past_view = self.past_view
        other.past_events = self.past_events
        return other

    def determinize(self, seat: int, rng: random.Random) -> "PotDeVinState":
        """Return a copy in which all that `seat` cannot know is redrawn."""
        other = self.clone()
        redraw(other.position, seat, rng)
        return other


def make_state(variant: Variant, position: Position) -> PotDeVinState:
    """Return the state of a position."""
    state = PotDeVinState()
    state.variant = variant
    state.seat_to_act = position.seat_to_act
    state.position = position
    state.past_view = None
    state.past_events = None
    return state
