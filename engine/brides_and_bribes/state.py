"""The state of a game: owns a position and hands each question to the floor that answers it."""

import random

import msgspec

from engine.brides_and_bribes import rules
from engine.brides_and_bribes.hidden import determinize
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.result import describe, scores_of
from engine.brides_and_bribes.scoring import rank
from engine.brides_and_bribes.view import view_for
from engine.contract import Outcome, State, Variant
from engine.errors import GameNotOver


class BridesAndBribesState(State):
    """A state of one game."""

    variant: Variant
    seat_to_act: int | None
    position: Position

    def legal_actions(self) -> list[str]:
        """Return the legal actions, by ASCII code [5]."""
        return [*self.position.options]

    def apply(self, action: str) -> None:
        """Do `action` for the seat to act; raises `IllegalAction`."""
        position = self.position
        rules.apply(position, action)
        self.seat_to_act = position.seat_to_act

    def outcome(self) -> Outcome:
        """Return final influence and ranks by seat, and as detail the result of section 11."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        position = self.position
        return Outcome(
            points=tuple(position.influence),
            ranks=tuple(rank(scores_of(position))),
            describe=lambda: describe(position),
        )

    def view(self, seat: int | None) -> msgspec.Struct:
        """Return the view of section 11."""
        return view_for(self.position, seat)

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        """Return the events of section 10."""
        return self.position.log.events(seat, since)

    def determinize(self, seat: int, rng: random.Random) -> "BridesAndBribesState":
        """Return a copy in which all that `seat` cannot know is redrawn."""
        return state_of(self.variant, determinize(self.position, seat, rng))

    def clone(self) -> "BridesAndBribesState":
        """Return an independent copy."""
        return state_of(self.variant, self.position.copy())


def state_of(variant: Variant, position: Position) -> BridesAndBribesState:
    """Return the state that owns `position`."""
    state = BridesAndBribesState()
    state.variant = variant
    state.position = position
    state.seat_to_act = position.seat_to_act
    return state
