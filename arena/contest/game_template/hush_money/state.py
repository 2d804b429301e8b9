"""The state of the contract: owns a position, and hands each question to its floor."""

from engine import GameNotOver, Outcome, State, Variant
from hush_money import rules, scoring
from hush_money.position import Position
from hush_money.view import Opened, View, view_of


class HushMoneyState(State):
    """A state of the game."""

    def __init__(self, variant: Variant, position: Position) -> None:
        self.variant, self.position = variant, position
        self.seat_to_act = position.seat_to_act()

    def legal_actions(self) -> list[str]:
        return rules.legal_actions(self.position)

    def apply(self, action: str) -> None:
        rules.apply(self.position, action)
        self.seat_to_act = self.position.seat_to_act()

    def view(self, seat: int | None) -> View:
        return view_of(self.position, seat)

    def events(self, seat: int | None, since: int = 0) -> list[Opened]:
        return [Opened(notes) for notes in self.position.opened[since:]]

    def outcome(self) -> Outcome:
        if self.seat_to_act is not None:
            raise GameNotOver(f"seat {self.seat_to_act} is to act")
        points, ranks = scoring.influence(self.position), scoring.ranks(self.position)
        return Outcome(points, ranks, describe=lambda: self.view(None))

    def clone(self) -> "HushMoneyState":
        return HushMoneyState(self.variant, self.position.copy())
