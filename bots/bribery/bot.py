"""Base class of the Bribery bots."""

# Do not import the engine here: it is slow to load.

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from arena.bot import Bot
from bots.bribery.board import (
    Board,
    SideBribe,
    board_of,
    bribes_on,
    count_places,
    move,
    open_suits,
    put,
    side_bribe,
    take,
    with_bribes,
)
from bots.bribery.cards import BRIBES
from bots.bribery.control import Future
from bots.bribery.evaluation import Evaluation, lead
from bots.bribery.view import Pending, View

CANCEL_PROBABILITY = 0.6


class BriberyBot(Bot):
    """Plays the action that leads to the best board for the bot's side."""

    games: ClassVar[Sequence[str]] = ("bribery",)
    view_type: ClassVar[Any] = View
    min_ability_gain: ClassVar[float] = 0.0
    """Minimum gain in points for using an ability. A negative number accepts a loss."""

    view: View
    board: Board
    evaluation: Evaluation | None = None
    present: Evaluation | None = None

    def act(self, view: View, legal: list[str]) -> str:
        if len(legal) == 1:
            return legal[0]
        return self.choose(self.values(view, legal))

    def values(self, view: View, legal: Sequence[str]) -> Mapping[str, float]:
        self.view = view
        self.board = board_of(view)
        future = self._future()
        if self.evaluation is None or self.evaluation.future != future:
            self.evaluation = Evaluation(future)
        return {action: self._value(action) for action in legal}

    def choose(self, values: Mapping[str, float]) -> str:
        """Return the most valuable action. Ties go to the lowest bribe."""
        highest = max(values.values())
        best = [action for action, value in values.items() if value == highest]
        return min(best, key=_bribe_value)

    def utility(self, points: Sequence[float]) -> float:
        raise NotImplementedError

    def future_bribes(self) -> list[int]:
        """Return the expected number of bribes that each side has yet to play. Default: 0."""
        return [0] * len(self.view.sides)

    def _future(self) -> Future:
        expected = self.future_bribes()
        number = sum(expected)
        places = count_places(self.board) if number else 0
        if not places:
            return Future(0.0, (0.0,) * len(expected))
        return Future(number / places, tuple([each / number for each in expected]))

    def lead(self, points: Sequence[float]) -> float:
        return lead(points, self.view.side)

    def current_value(self) -> float:
        return self._value_of(self.board)

    def _value(self, action: str) -> float:
        match action.split():
            case ["bribe", card, official]:
                return self._value_of(put(self.board, side_bribe(card, self.view.side), official))
            case ["ability", source, card, target]:
                return self._ability_value(source, card, target)
            case ["protect", card]:
                heart = _protector_of(self._pending().target)
                return self._value_of(take(self.board, card, heart)[0])
            case ["allow"]:
                pending = self._pending()
                spent = SideBribe(pending.spent, pending.seat % len(self.view.sides))
                return self._effect_value(self.board, pending.source, spent, pending.target)
            case ["swindle", card, official]:
                return self._value_of(move(self.board, card, self._pending().target, official))
            case ["no-ability"]:
                return self.current_value() + self.min_ability_gain
        return self.current_value()  # the other actions do not change the bribes on the board

    def _value_of(self, board: Board) -> float:
        assert self.evaluation is not None, "made before the actions are valued"
        return self.utility(self.evaluation.points(board))

    def _pending(self) -> Pending:
        assert self.view.pending is not None, "only asked while an ability is pending"
        return self.view.pending

    def _ability_value(self, source: str, card: str, target: str) -> float:
        paid, spent = take(self.board, card, source)
        effect = self._effect_value(paid, source, spent, target)
        if self._controller(_protector_of(target)) in (None, self.view.side):
            return effect
        return CANCEL_PROBABILITY * self._value_of(paid) + (1 - CANCEL_PROBABILITY) * effect

    def _controller(self, official: str) -> int | None:
        if self.present is None:
            self.present = Evaluation(Future(0.0, (0.0,) * len(self.view.sides)))
        return self.present.controller(self.board, official)

    def _effect_value(self, paid: Board, source: str, spent: SideBribe, target: str) -> float:
        if source[1] == "c":
            return self._value_of(with_bribes(paid, target, None))
        if source[1] == "s":
            return self._value_of(put(paid, spent, target))
        swindles = self._swindle_values(paid, target) or [self._value_of(paid)]
        return max(swindles) if spent.side == self.view.side else min(swindles)

    def _swindle_values(self, board: Board, target: str) -> list[float]:
        open_at = {
            official.card: open_suits(official.card[1], bribes)
            for official in self.view.board
            if (bribes := bribes_on(board, official.card)) is not None
        }
        values = []
        for bribe in bribes_on(board, target) or ():
            left, _ = take(board, bribe.card, target)
            suit = bribe.card[-1]
            places = [official for official, suits in open_at.items() if suit in suits]
            values += [self._value_of(put(left, bribe, official)) for official in places]
        return values


def _protector_of(official: str) -> str:
    return f"{official[0]}h"


def _bribe_value(action: str) -> int:
    return max([BRIBES.get(word, 0) for word in action.split()])
