"""Estimate the values of workers in Brides & Bribes."""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Final

from bots.brides_and_bribes.view import Player, Workshop

WORKSHOP_FACTOR: Final = 2.0  # value of a point of influence that a workshop may give later


class Workers:
    def __init__(
        self,
        me: Player,
        workshops: Sequence[Workshop],
        rounds_left: int,
        *,
        income: float,
        weight: float,
    ) -> None:
        self.income = income
        self._weight = weight
        self._basis = _basis(me, workshops, rounds_left)
        self._workers = me.workers
        owned = [card.rpartition("-")[0] for card in me.workshops]
        self._shops = [
            (shop.workers, self._value_in(shop, rounds_left))
            for shop in workshops
            if shop.left > 0 and shop.kind not in owned
        ]
        self._values: dict[tuple[str, int], float] = {}
        self._best: float | None = None

    def hold_for(self, me: Player, workshops: Sequence[Workshop], rounds_left: int) -> bool:
        return self._basis == _basis(me, workshops, rounds_left)

    def best(self) -> float:
        if self._best is None:
            self._best = max([self.value(colour, 0) for colour in self._workers])
        return self._best

    def worst(self) -> float:
        """Return the value of the seat's least valuable worker."""
        own = [self.value(colour, -1) for colour, number in self._workers.items() if number]
        return min(own) if own else self.best()

    def value(self, colour: str, more: int) -> float:
        key = (colour, more)
        value = self._values.get(key)
        if value is None:
            have = self._workers[colour] + more
            useful = [worth for needs, worth in self._shops if needs.get(colour, 0) > have]
            part = self._weight * WORKSHOP_FACTOR * max(useful, default=0.0)
            value = part + self.income
            self._values[key] = value
        return value

    def _value_in(self, shop: Workshop, rounds_left: int) -> float:
        whole = missing = 0
        for colour, need in shop.workers.items():
            whole += need
            missing += max(0, need - self._workers[colour])
        soon = 0.5 ** max(0, missing - 1 - 1.5 * rounds_left)
        close = 0.5 + 0.5 * (1 - missing / whole) if soon == 1 else soon / 2
        return close * (shop.influence or 0) / whole


def _basis(me: Player, workshops: Sequence[Workshop], rounds_left: int) -> tuple[object, ...]:
    return rounds_left, me.workers, me.workshops, workshops
