"""State of Pot de Vin: a position, and the questions that the contract asks of it."""
# compiled: see setup.py

import random

import msgspec

from engine.contract import Outcome, Variant
from engine.errors import GameNotOver
from engine.pot_de_vin import hidden, rules
from engine.pot_de_vin.events import History, list_events, update_history
from engine.pot_de_vin.position import Position
from engine.pot_de_vin.result import describe
from engine.pot_de_vin.scoring import rank, score_side
from engine.pot_de_vin.view import PastView, View, build_view, update_past_view


class PotDeVinState:
    """A state of one game; `build_state` builds one."""

    variant: Variant
    position: Position
    seat_to_act: int | None
    # What views and events share over turns, as a cache; replaced, never changed.
    history: History | None
    past_view: PastView | None

    def legal_actions(self) -> list[str]:
        """Return the legal actions in canonical order [5.2]."""
        return rules.legal_actions(self.position)

    def apply(self, action: str) -> None:
        """Carry out `action` for the seat to act; raises `IllegalAction`."""
        position = self.position
        rules.apply(position, action)
        self.seat_to_act = position.seat_to_act

    def view(self, seat: int | None) -> View:
        """Return the view of a seat, or of a spectator (None) [10.1]."""
        self.past_view = update_past_view(self.position, self.past_view)
        return build_view(self.position, seat, self.past_view)

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        """Return the events that a seat, or a spectator (None), was told [9]."""
        self.history = update_history(self.position, self.history)
        return list_events(self.position, seat, since, self.history)

    def outcome(self) -> Outcome:
        """Return points and ranks by seat, and as detail the result [10.2]."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        position = self.position
        sides, tallies = position.parameters.sides, position.tallies
        scores = [score_side([tallies[seat] for seat in seats]) for seats in sides]
        mates = len(sides[0])  # seat `s` is on side `s` modulo the number of sides
        return Outcome(
            points=tuple([points for points, _, _ in scores] * mates),
            ranks=tuple(rank(scores) * mates),
            describe=lambda: describe(sides, *position.winnings()),
        )

    def clone(self) -> "PotDeVinState":
        """Return an independent copy."""
        other = PotDeVinState()
        other.variant = self.variant
        other.position = self.position.copy()
        other.seat_to_act = self.seat_to_act
        other.history = self.history
        other.past_view = self.past_view
        return other

    def play_out(self, rng: random.Random) -> int:
        """Play on at random until the game is over, and return the number of actions."""
        actions = rules.play_out(self.position, rng)
        self.seat_to_act = None
        return actions

    def determinize(self, seat: int, rng: random.Random) -> "PotDeVinState":
        """Return a copy in which all that `seat` cannot know is redrawn."""
        other = build_state(self.variant, hidden.redraw(self.position, seat, rng))
        other.history = self.history
        other.past_view = self.past_view
        return other


def build_state(variant: Variant, position: Position) -> PotDeVinState:
    """Return the state that owns `position`."""
    state = PotDeVinState()
    state.variant = variant
    state.position = position
    state.seat_to_act = position.seat_to_act
    state.history = None
    state.past_view = None
    return state
