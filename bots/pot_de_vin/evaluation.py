"""Estimate the value of cards and gems in Pot de Vin, in points."""

import functools
from collections.abc import Iterable, Mapping

from bots.pot_de_vin.cards import POT_DE_VIN, POT_DE_VIN_POINTS, VALUE, column_points
from bots.pot_de_vin.view import View

FLAT_POINTS = {"joker": 2.3, "bonus": 2.0, "penalty": -2.0}
"""Expected points of cards without a guild."""

# Tuned by playing many boards. All of these may be wrong by half or more.
# Divided by the number of seats: the probability that a side has to take a guild's card.
FORCED_SHARE = 0.52
# Divided by the number of seats: the probability that a side can choose to take the card.
CHOSEN_SHARE = 0.4

MAX_SYMBOLS = 8
MAX_REMAINING = 7

Forecast = list[list[list[float]]]


class Evaluation:
    def __init__(self, view: View, kinds: Mapping[str, str]) -> None:
        self._view = view
        self._kinds = kinds

    def gain(self, seat: int, cards: Iterable[str], gems: int) -> float:
        points = float(gems)
        taken: dict[str, int] = {}
        for card in cards:
            kind = self._kinds[card]
            if kind in FLAT_POINTS:
                points += FLAT_POINTS[kind]
            else:
                taken[kind] = taken.get(kind, 0) + 1
        view = self._view
        sides = len(view.teams)
        for kind, number in taken.items():
            if kind == POT_DE_VIN:
                have = len([card for card in view.neutral[seat] if VALUE[card] == 13])
                points += POT_DE_VIN_POINTS[have + number] - POT_DE_VIN_POINTS[have]
            else:
                have = len(view.columns[seat][kind])
                teamed = sides < view.n
                partner = len(view.columns[(seat + sides) % view.n][kind]) if teamed else 0
                points += self.column(kind, have + number, partner)
                points -= self.column(kind, have, partner)
        return points

    def column(self, guild: str, own: int, partner: int) -> float:
        return column_points(own, partner)


class ForecastEvaluation(Evaluation):
    def __init__(self, view: View, kinds: Mapping[str, str], unseen: Iterable[str]) -> None:
        super().__init__(view, kinds)
        self._forecast = forecast(view.n, teamed=len(view.teams) < view.n)
        self._remaining = dict.fromkeys(kinds.values(), 0)
        for card in [*unseen, *view.hand]:
            self._remaining[kinds[card]] += 1

    def column(self, guild: str, own: int, partner: int) -> float:
        return self._forecast[own][partner][self._remaining[guild]]


@functools.cache
def forecast(seats: int, teamed: bool) -> Forecast:
    """Compute a side's expected final points from one guild.

    The result has three indices: the number of the guild's cards that the seat has, that its
    partner has, and that nobody has taken yet.
    """
    forced, chosen = FORCED_SHARE / seats, CHOSEN_SHARE / seats
    sizes = range(MAX_SYMBOLS + 1)
    table: Forecast = [[[float(column_points(a, b))] for b in sizes] for a in sizes]
    for remaining in range(MAX_REMAINING):
        for own in sizes:
            for partner in sizes:
                now = table[own][partner][remaining]
                grown = [table[min(own + 1, MAX_SYMBOLS)][partner][remaining]]
                if teamed:
                    grown.append(table[own][min(partner + 1, MAX_SYMBOLS)][remaining])
                value = now
                for after in grown:
                    value += forced * (after - now) + chosen * max(0.0, after - now)
                table[own][partner].append(value)
    return table
