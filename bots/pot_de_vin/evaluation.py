"""Values of cards and gems in Pot de Vin: the points that a seat gains by taking them."""

import functools
from collections.abc import Iterable, Mapping

from bots.pot_de_vin.cards import POT_DE_VIN, POT_DE_VIN_POINTS, VALUE, column_points
from bots.pot_de_vin.view import View

FLAT_POINTS = {"joker": 2.3, "bonus": 2.0, "penalty": -2.0}
"""A joker nearly always finds a column in which one more symbol gains 2 or 3 points."""

# Tuned by playing many boards. All of these may be wrong by half or more.
FORCED_SHARE = 0.52
"""The part of a guild's remaining cards that a side must take, divided by the number of seats."""
CHOSEN_SHARE = 0.4
"""The part that a side takes only if it gains, divided by the number of seats."""

MAX_SYMBOLS = 8
MAX_REMAINING = 7

Forecast = list[list[list[float]]]


class Evaluation:
    """The values of cards and gems if the game ended with the current trick."""

    def __init__(self, view: View, kinds: Mapping[str, str]) -> None:
        self._view = view
        self._kinds = kinds
        """The guild of each card, or its kind if it has none."""

    def gain(self, seat: int, cards: Iterable[str], gems: int) -> float:
        """Return the points that the side of `seat` gains if it takes `cards` and `gems`."""
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
        """Return the points of a side with `own` and `partner` symbols in its columns."""
        return column_points(own, partner)


class ForecastEvaluation(Evaluation):
    """The expected values of cards and gems at the end of the game."""

    def __init__(self, view: View, kinds: Mapping[str, str], unseen: Iterable[str]) -> None:
        super().__init__(view, kinds)
        self._forecast = forecast(view.n, teamed=len(view.teams) < view.n)
        self._remaining = dict.fromkeys(kinds.values(), 0)
        """The number of cards of each kind that no seat has taken yet."""
        for card in [*unseen, *view.hand]:
            self._remaining[kinds[card]] += 1

    def column(self, guild: str, own: int, partner: int) -> float:
        """Return the expected points of the columns at the end of the game."""
        return self._forecast[own][partner][self._remaining[guild]]


@functools.cache
def forecast(seats: int, teamed: bool) -> Forecast:
    """Return the expected final points of columns: `[own][partner][remaining cards]`.

    Each remaining card of the guild grows the own column, the partner's, or neither. Three symbols
    are good at the end of the game, and bad in the middle of it.
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
