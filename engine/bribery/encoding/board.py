"""Slices of the board of Bribery: the bribes on the officials, and what they give to whom."""

from array import array
from collections.abc import Sequence
from functools import lru_cache

from engine.bribery.cards import (
    BIT,
    BRIBES,
    JOKER_1,
    JOKER_2,
    JOKER_4,
    JOKER_POINTS,
    JOKERS,
    OFFICIALS,
    POINTS,
    SEATS,
    SUITS,
    VALUE_OF,
)
from engine.bribery.control import NO_SIDE, Controller, Pile
from engine.bribery.encoding.seen import Seen
from engine.bribery.parameters import Parameters
from engine.bribery.scoring import Evaluation, evaluate
from engine.encoding import MAX_VALUE, Layout, distances, relative_seats, relative_sides

_REASONS = ("forced", "spent", "assassinated")
_REASON = {reason: number for number, reason in enumerate(_REASONS)}
_COUNTRIES = ("s", "h", "d", "c", *JOKERS)
_COUNTRY_OF_SUIT = tuple([_COUNTRIES.index(suit) for suit in SUITS])
_COUNTRY_OF_JOKER = {joker: _COUNTRIES.index(OFFICIALS[joker]) for joker in JOKER_POINTS}
MAX_KEPT = 4096
"""Kept parts of vectors, of each kind and for each seat; enough for a few dozen games."""

Entries = list[tuple[int, int]]
"""Places of a vector, and the numbers there."""


class BoardSlices:
    """Slices of the board."""

    def __init__(self, layout: Layout, parameters: Parameters) -> None:
        n, sides = parameters.seats, len(parameters.sides)
        self._parameters = parameters
        self._seat_from, self._side_from = distances(n), distances(sides)
        # By seat, and by official, its bribes and the bonus: what they write. From one turn to the
        # next, most officials keep their bribes.
        self._kept: list[dict[tuple[int, Pile, Controller], Entries]] = [{} for _ in range(n)]
        self._add_bribes(layout, relative_seats(n))
        self._add_control(layout, relative_sides(sides))

    def _add_bribes(self, layout: Layout, seats: Sequence[str]) -> None:
        add = layout.add
        self._board = add("board", "The officials on the board.", OFFICIALS)
        self._face_down = add("face_down", "The officials that are face down.", OFFICIALS)
        self._placed = layout.add_numbers(
            "placed",
            "By bribe: the official that it is on, as its place in the order of arrival, from 1.",
            OFFICIALS,
            (0, len(BRIBES)),
            BRIBES,
        )
        self._owner = add("owner", "By bribe that was played: its seat.", seats, BRIBES)
        self._discarded = add("discarded", "By bribe: why it was discarded.", _REASONS, BRIBES)

    def _add_control(self, layout: Layout, sides: Sequence[str]) -> None:
        add, add_numbers = layout.add, layout.add_numbers
        bounds = (0, MAX_VALUE)
        self._totals = add_numbers(
            "totals", "By official: the total of each side.", sides, bounds, OFFICIALS
        )
        self._controller = add("controller", "By official: the side in control.", sides, OFFICIALS)
        self._dominated = add("dominated", "The officials that are dominated.", OFFICIALS)
        self._votes = add_numbers("votes", "By official: its votes.", OFFICIALS, (0, 12))
        self._country_votes = add_numbers(
            "country_votes", "By country: the votes of each side.", sides, bounds, _COUNTRIES[:4]
        )
        self._country = add("country", "By country: the side in control.", sides, _COUNTRIES)
        self._country_dominated = add(
            "country_dominated", "The countries that are dominated.", _COUNTRIES
        )
        self._country_points = add_numbers(
            "country_points", "By country: its points.", _COUNTRIES, (0, 10)
        )
        self._effects = add_numbers(
            "effects",
            "By side: bonus of Joker #1, bonus of Joker #2, free placement by Joker #4.",
            ("bribe bonus", "vote bonus", "free placement"),
            (0, 2),
            sides,
        )
        self._points = add_numbers("points", "By side: points if it ended now.", sides, (0, 38))

    def write(self, vector: "array[int]", seen: Seen, seat_from: Sequence[int]) -> None:
        """Write what the seat sees of the board, which is what all see."""
        for official in _members(seen.face_up | seen.face_down):
            vector[self._board + official] = 1
        for official in _members(seen.face_down):
            vector[self._face_down + official] = 1
        owner, seats = self._owner, len(seat_from)
        for bribe, why in seen.discards:
            card, by = divmod(bribe, SEATS)
            vector[self._discarded + len(_REASONS) * card + _REASON[why]] = 1
            vector[owner + seats * card + seat_from[by]] = 1
        self._write_control(vector, seen)

    def _write_control(self, vector: "array[int]", seen: Seen) -> None:
        """Write the bribes on the board, and what they give to whom."""
        table, piles, kept = self._parameters.side_table, seen.piles, self._kept[seen.seat]
        evaluation = evaluate(piles, table)
        bonus, votes = evaluation.officials[JOKER_1], evaluation.votes
        for official, pile in enumerate(piles):
            if not pile:
                continue
            key = official, pile, bonus
            entries = kept.get(key)
            if entries is None:
                if len(kept) >= MAX_KEPT:
                    kept.clear()
                entries = kept[key] = self._pile_entries(official, pile, bonus, seen.seat)
            for place, number in entries:
                vector[place] = number
            vector[self._votes + official] = votes[official]
        side_from = self._side_from[self._parameters.side_of_seat[seen.seat]]
        self._write_countries(vector, evaluation, side_from)
        for place, (side, amount) in enumerate((bonus, evaluation.officials[JOKER_2])):
            if amount:
                vector[self._effects + 3 * side_from[side] + place] = amount
        free_side = evaluation.officials[JOKER_4][0]
        if free_side != NO_SIDE:
            vector[self._effects + 3 * side_from[free_side] + 2] = 1
        for side, points in enumerate(evaluation.points):
            vector[self._points + side_from[side]] = points

    def _pile_entries(self, official: int, pile: Pile, bonus: Controller, seat: int) -> Entries:
        """Return the entries of the bribes on an official, and of its control, as `seat` sees them.

        Args:
            official: the official.
            pile: its bribes, at least one.
            bonus: the controller of Joker #1.
            seat: the viewer.
        """
        table, seat_from = self._parameters.side_table, self._seat_from[seat]
        side_from = self._side_from[self._parameters.side_of_seat[seat]]
        seats, sides = len(seat_from), len(side_from)
        entries = []
        for arrived, bribe in enumerate(pile, start=1):
            card, by = divmod(bribe, SEATS)
            entries.append((self._placed + len(OFFICIALS) * card + official, arrived))
            entries.append((self._owner + seats * card + seat_from[by], 1))
        values = VALUE_OF if official == JOKER_1 else table.values[bonus]
        totals = self._totals + sides * official
        for side, total in enumerate(table.totals(pile, values)):
            entries.append((totals + side_from[side], min(total, MAX_VALUE)))
        side, factor = table.controller(pile, values)
        if factor:
            entries.append((self._controller + sides * official + side_from[side], 1))
            entries.append((self._dominated + official, int(factor == 2)))
        return entries

    def _write_countries(
        self, vector: "array[int]", evaluation: Evaluation, side_from: Sequence[int]
    ) -> None:
        sides = len(side_from)
        for row, country in zip(evaluation.country_votes, _COUNTRY_OF_SUIT, strict=True):
            at = self._country_votes + sides * country
            for side, votes in enumerate(row):
                vector[at + side_from[side]] = votes
        controlled = [*zip(_COUNTRY_OF_SUIT, POINTS, evaluation.countries, strict=True)]
        for joker, points in JOKER_POINTS.items():
            controlled.append((_COUNTRY_OF_JOKER[joker], points, evaluation.officials[joker]))
        for country, points, (side, factor) in controlled:
            if factor:
                vector[self._country + sides * country + side_from[side]] = 1
                vector[self._country_dominated + country] = int(factor == 2)
                vector[self._country_points + country] = points * factor


@lru_cache(MAX_KEPT)
def _members(officials: int) -> tuple[int, ...]:
    """Return the officials of a set."""
    return tuple([official for official, bit in enumerate(BIT) if officials & bit])
