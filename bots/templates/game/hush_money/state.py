"""State of Hush Money: a position, and the questions that the contract asks of it."""

from engine import GameNotOver, Outcome, State, Variant
from hush_money import rules
from hush_money.position import Position
from hush_money.scoring import influence, rank
from hush_money.view import Opened, View, build_view, list_events


class HushMoneyState(State):
    """A state of the game."""

    def __init__(self, variant: Variant, position: Position) -> None:
        self.variant, self.position, self.seat_to_act = variant, position, position.seat_to_act()

    def legal_actions(self) -> list[str]:
        return rules.legal_actions(self.position)

    def apply(self, action: str) -> None:
        rules.apply(self.position, action)
        self.seat_to_act = self.position.seat_to_act()

    def view(self, seat: int | None) -> View:
        return build_view(self.position, seat)

    def events(self, seat: int | None, since: int = 0) -> list[Opened]:
        return list_events(self.position, since)

    def outcome(self) -> Outcome:
        if self.seat_to_act is not None:
            raise GameNotOver(f"seat {self.seat_to_act} is to act")
        return Outcome(influence(self.position), rank(self.position), lambda: self.view(None))

    def clone(self) -> "HushMoneyState":
        return HushMoneyState(self.variant, self.position.copy())
