"""A faster version of the bundled bot `DogeBot`, for simulated games of Brides & Bribes."""

from collections.abc import Callable, Sequence
from typing import cast

from bots.brides_and_bribes.styles import DogeBot
from bots.brides_and_bribes.view import View
from bots.brides_and_bribes.weights import Weights
from engine.brides_and_bribes.position.position import Position
from engine.brides_and_bribes.tiles import SEATS
from engine.state import GameState

MAX_KEPT = 50_000
PLACEMENT = ("place", "tile")


class Model:
    def __init__(self, seats: int, weights: Weights = DogeBot.weights) -> None:
        player: type[DogeBot] = type("Player", (DogeBot,), {"weights": weights})
        self._players = [player() for _ in range(seats)]
        self._kept: dict[tuple[object, ...], Sequence[float]] = {}

    def values(self, state: GameState, legal: Sequence[str]) -> Sequence[float]:
        position = state.position
        if position.window not in PLACEMENT:
            return self._compute(state, legal)
        key = *_goods(position), *_placed(position), tuple(legal)
        values = self._kept.get(key)
        if values is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            values = self._kept[key] = self._compute(state, legal)
        return values

    def best(
        self,
        state: GameState,
        legal: Sequence[str],
        error: Callable[[], float] | None = None,
    ) -> str:
        """Return the action with the highest value. If the function `error` is given, a new random
        number from it is added to each value.
        """
        values = self.values(state, legal)
        if error is not None:
            values = [value + error() for value in values]
        return legal[values.index(max(values))]

    def _compute(self, state: GameState, legal: Sequence[str]) -> Sequence[float]:
        seat = state.seat_to_act
        assert seat is not None, "expected a game that is not over"
        # The view of the engine has the fields that bots read, so it need not be converted.
        return self._players[seat].values(cast("View", state.view(seat)), legal)


def _goods(position: Position) -> tuple[object, ...]:
    return (
        position.round,
        *position.influence,
        *position.coins,
        *map(tuple, position.workers),
        *position.shops,
        *position.brides,
        *position.spouse_seat,
        *position.commons,
        *position.borough_workers,
        *position.tokens,
        position.favor_order,
    )


def _placed(position: Position) -> tuple[object, ...]:
    seat = position.seat_to_act
    assert seat is not None, "expected a game that is not over"
    return (
        seat,
        position.hands[seat],
        position.ship_tiles[seat],
        *position.delegations[seat::SEATS],
        *map(bool, position.delegations),
        position.alley_shown[seat],
        position.passed,
        *position.coaches,
    )
