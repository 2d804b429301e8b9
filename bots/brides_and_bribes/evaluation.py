"""Estimate the values of goods, marriages and attacks in Brides & Bribes.

All values are in points of influence.
"""
# compiled: see setup.py

import functools
import math
from typing import Final

from bots.brides_and_bribes.tiles import (
    END_INFLUENCE,
    GUARDS,
    KILLERS,
    LAST_ROUND,
    Place,
    is_character,
    kind_of,
)
from bots.brides_and_bribes.view import Borough, View, bride_at
from bots.brides_and_bribes.weights import Weights
from bots.brides_and_bribes.workers import Workers

# Tuned by playing many games. Half or twice as much is seldom clearly worse.
MARRIAGE_VALUE = {"first": 5.0, "second": 3.0}
ADDITIONAL_VALUE = {"first": 3.0, "second": 1.0}
MOVING_UP_VALUE = 2.0
COIN_VALUE: Final = 0.2
COIN_VALUE_PER_ROUND: Final = 0.08
"""Extra value of a coin per remaining round."""
OBJECT_VALUE: Final = 0.8
# What one more character gains in each remaining round, after paying its upkeep.
CHARACTER_VALUE_PER_ROUND: Final = 0.25
MAX_KEPT = 256

USEFUL: Final = frozenset([*KILLERS, *GUARDS, "thief", "merchant", "archivist"])


class Evaluation:
    def __init__(self, view: View, weights: Weights, last: "Evaluation | None" = None) -> None:
        self.view = view
        self.weights = weights
        self.seat = view.seat
        self.me = me = view.players[view.seat]
        self.rivals_to_send: list[int] = []
        influence = []
        for player in view.players:
            influence.append(player.influence)
            if player is not me and player.coaches_left and not player.passed:
                self.rivals_to_send.append(player.seat)
        self.number_of_rivals = len(influence) - 1
        self.boroughs = {borough.borough: borough for borough in view.boroughs}
        to_gain = END_INFLUENCE[len(influence)] - max(influence)
        rounds_to_end = math.ceil(to_gain / weights.leader_gain) - 1
        self.rounds_left = max(0, min(LAST_ROUND - view.round, rounds_to_end))
        self.coin = weights.coins * (COIN_VALUE + COIN_VALUE_PER_ROUND * self.rounds_left)
        workers = (me, view.workshops, self.rounds_left)
        if last is not None and last._workers.hold_for(*workers):
            self._workers: Workers = last._workers
        else:
            income = weights.earning * self.rounds_left * self.coin
            self._workers = Workers(*workers, income=income, weight=weights.workers)

    # -- goods ------------------------------------------------------------------------------------

    def worker(self, colour: str, more: int = 0) -> float:
        """Return the value of a worker of a colour if the seat first gains `more` others of this
        colour.
        """
        return self._workers.value(colour, more)

    def voyage(self, price: int, passengers: int) -> float:
        """Return the value of sending another character to a ship.

        `price` is the price of a worker in coins, or 0 if workers are exchanged instead of
        bought. `passengers` is the number of the seat's characters that are already on the ship.
        """
        best = self._workers.best()
        if price == 0:
            return 0.0 if passengers else best - self._workers.worst()
        return best * 0.8**passengers - price * self.coin

    def income(self) -> float:
        return self._workers.income

    def workers(self, borough: Borough) -> float:
        number = borough.workers.items()
        return sum(
            [self.worker(kind, more) for kind, many in number if many for more in range(many)]
        )

    def tokens(self, borough: Borough) -> float:
        weights = self.weights
        return (weights.tokens + weights.early_tokens * self.rounds_left) * borough.influence_tokens

    def sale(self, what: str) -> float:
        if what == "influence":
            return 5 * self.coin - 1
        return 3 * self.coin - self.worker(what, -1)

    def common(self, tile: str) -> float:
        character = CHARACTER_VALUE_PER_ROUND * self.rounds_left * self.usefulness(tile)
        return self.weights.commons * (0.1 + character)

    def usefulness(self, tile: str) -> float:
        """Return a factor for a character's value. Each additional character is less useful."""
        characters = _number_of_characters(tuple(self.me.tiles))
        demand = 1.5 if characters < 4 else 1.0 if characters < 6 else 0.5
        kind = kind_of(tile)
        special = 0.8 if kind in USEFUL else 0.3
        return demand * (0.5 + special)

    # -- harm -------------------------------------------------------------------------------------

    def harm(self, loss: float, seat: int) -> float:
        """Return our gain from an opponent's loss. Harming an opponent who leads is worth more."""
        victim = self.view.players[seat]
        ahead = 1.5 if victim.influence >= self.me.influence else 1.0
        return self.weights.harm * ahead * loss / self.number_of_rivals

    def murder(self, borough: Borough, place: Place) -> float:
        bride = bride_at(borough.brides, place)
        if bride is None:
            return 0.0
        gain = -0.1
        if bride.married_seat == self.seat:
            gain -= ADDITIONAL_VALUE[place] + MARRIAGE_VALUE[place]
        elif bride.married_seat is not None:
            loss = ADDITIONAL_VALUE[place]
            gain += self.harm(loss, bride.married_seat) + 0.3 * min(1, self.rounds_left)
        second = borough.brides.second
        if place == "first" and second is not None and second.married_seat is not None:
            moves_up = second.married_seat
            own = self.weights.marriages * MOVING_UP_VALUE
            gain += own if moves_up == self.seat else -self.harm(MOVING_UP_VALUE, moves_up)
        return gain

    # -- marriages --------------------------------------------------------------------------------

    def marriage(self, place: Place) -> float:
        weights, left = self.weights, self.rounds_left
        more = weights.early_marriages * left
        if not self.me.marriages:
            more += weights.first_marriage - weights.patience * left
            more += weights.urgency if left <= 1 else 0.0
        if place == "second":
            more += weights.second_brides
        return weights.marriages * MARRIAGE_VALUE[place] + more


@functools.lru_cache(MAX_KEPT)
def _number_of_characters(tiles: tuple[str, ...]) -> int:
    return len([tile for tile in tiles if is_character(tile)])
