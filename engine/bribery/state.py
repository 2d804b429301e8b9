"""State of Bribery: a position, and the questions that the contract asks of it."""
# compiled: see setup.py

import random

from engine.bribery import hidden, rules
from engine.bribery.events import Event, History, describe, list_events, update_history
from engine.bribery.position import Position
from engine.bribery.scoring import rank, score, win_weight
from engine.bribery.view import BoardView, View, build_view, update_board
from engine.contract import Outcome, Variant
from engine.errors import GameNotOver


class BriberyState:
    """A state of one game; `build_state` builds one."""

    variant: Variant
    position: Position
    seat_to_act: int | None
    # What events share over turns, by seat or None, as a cache; replaced, never changed.
    histories: dict[int | None, History]
    board: BoardView | None  # what views share over turns, likewise

    def legal_actions(self) -> list[str]:
        """Return the legal actions in ASCII order [9]."""
        return rules.legal_actions(self.position)

    def apply(self, action: str) -> None:
        """Carry out `action` for the seat to act; raises `IllegalAction`."""
        position = self.position
        rules.apply(position, action)
        self.seat_to_act = position.seat_to_act

    def view(self, seat: int | None) -> View:
        """Return the view of a seat, or of a spectator (None) [10.3]."""
        self.board = update_board(self.position, self.board)
        return build_view(self.position, seat, self.board)

    def events(self, seat: int | None, since: int = 0) -> list[Event]:
        """Return the events that a seat, or a spectator (None), was told [10.2]."""
        before = self.histories.get(seat)
        history = update_history(self.position, seat, before)
        if history is not before:
            self.histories = {**self.histories, seat: history}
        return list_events(self.position, since, history)

    def outcome(self) -> Outcome:
        """Return points and ranks by seat, and as detail the result [7]."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        parameters = self.position.parameters
        points = score(self.position.piles, parameters.side_table)
        ranks = rank(points)
        sides = parameters.side_of_seat
        return Outcome(
            points=tuple([points[side] for side in sides]),
            ranks=tuple([ranks[side] for side in sides]),
            describe=lambda: describe(points, sides),
            win_weight=win_weight(points),
        )

    def clone(self) -> "BriberyState":
        """Return an independent copy."""
        other = BriberyState()
        other.variant = self.variant
        other.position = self.position.copy()
        other.seat_to_act = self.seat_to_act
        other.histories = self.histories
        other.board = self.board
        return other

    def play_out(self, rng: random.Random) -> int:
        """Play on at random until the game is over, and return the number of actions."""
        actions = rules.play_out(self.position, rng)
        self.seat_to_act = None
        return actions

    def determinize(self, seat: int, rng: random.Random) -> "BriberyState":
        """Return a copy in which all that `seat` cannot know is redrawn.

        The copy respects more than the view of `seat`: also the order of past actions, and what
        forced discards show of the rest of a hand.
        """
        other = build_state(self.variant, hidden.redraw(self.position, seat, rng))
        # The events of another seat name the cards that it really drew.
        other.histories = {
            who: self.histories[who] for who in self.histories if who in (seat, None)
        }
        return other


def build_state(variant: Variant, position: Position) -> BriberyState:
    """Return the state that owns `position`."""
    state = BriberyState()
    state.variant = variant
    state.position = position
    state.seat_to_act = position.seat_to_act
    state.histories = {}
    state.board = None
    return state
