"""Compute each side's points in Pot de Vin from the cards and gems that its seats won [7, 8]."""
# compiled: see setup.py

from itertools import pairwise
from typing import Final

from engine.pot_de_vin.cards import BONUS, GEM, GUILDS, JOKER, KIND_BITS, PENALTY, POT_DE_VIN

COLUMN_POINTS: Final = (0, 1, 3, 6, -1, -3, -6, 10, 15)  # by number of symbols [7.1]
POT_DE_VIN_POINTS: Final = (0, -1, -3, -6, 10)  # by number of Pot de Vin cards [7.4]

UNSCORED: Final = len(COLUMN_POINTS)  # marks a column that is not scored [R28]
_POINTS: Final = (*COLUMN_POINTS, 0)
# By number of symbols without a joker: the points gained by adding one.
_GAINS: Final = (*[more - less for less, more in pairwise(COLUMN_POINTS)], 0, 0)

Tally = int
Columns = list[int]  # by guild: the number of symbols, or `UNSCORED`
Score = tuple[int, int, int]  # points, cards, gems [8]

# -- tallies ------------------------------------------------------------------------------------

_BITS_OF_THREE: Final = 3 * KIND_BITS
_JOKERS: Final = JOKER * KIND_BITS
_NEUTRAL: Final = BONUS * KIND_BITS
_GEMS: Final = GEM * KIND_BITS
_MASK: Final = (1 << KIND_BITS) - 1
_MASK_OF_THREE: Final = (1 << _BITS_OF_THREE) - 1


def count(tally: Tally, kind: int) -> int:
    return tally >> kind * KIND_BITS & _MASK


def _neutral_points(tally: Tally) -> int:
    bonuses, penalties, pots = (count(tally, kind) for kind in (BONUS, PENALTY, POT_DE_VIN))
    # There are only four Pot de Vin cards. The zeros are for tallies that never occur.
    return 2 * (bonuses - penalties) + (*POT_DE_VIN_POINTS, 0, 0, 0)[pots]


_THREES: Final = [
    [n & _MASK, n >> KIND_BITS & _MASK, n >> 2 * KIND_BITS] for n in range(1 << _BITS_OF_THREE)
]
_CARDS_OF_THREE: Final = [sum(counts) for counts in _THREES]
_POINTS_OF_THREE: Final = [sum([_POINTS[symbols] for symbols in three]) for three in _THREES]
_GAINS_OF_THREE: Final = [tuple([_GAINS[s] for s in three if s]) for three in _THREES]
_NEUTRAL_POINTS: Final = [_neutral_points(n << _NEUTRAL) for n in range(len(_THREES))]


# -- columns ------------------------------------------------------------------------------------


def columns_of(tally: Tally) -> Columns:
    return [*_THREES[tally & _MASK_OF_THREE], *_THREES[tally >> _BITS_OF_THREE & _MASK_OF_THREE]]


def place_jokers(columns: Columns, jokers: int) -> list[int]:
    """Choose the guilds to which a seat's jokers are added [7.2, R20]."""
    if not jokers:
        return []
    guilds = [guild for guild, symbols in enumerate(columns) if symbols]
    # The sort is stable, so ties are resolved in guild order [R21].
    guilds.sort(key=lambda guild: -_GAINS[columns[guild]])
    return guilds[:jokers]


def _best_gain(gains: list[int], jokers: int) -> int:
    gains.sort()
    best = 0
    for gain in gains[-jokers:]:
        best += gain
    return best


def choose_columns(lower: Tally, higher: Tally) -> tuple[int, Columns, Columns]:
    """Choose which teammate's column is scored for each guild [7.3].

    Return a correction of the team's points, and both teammates' scored columns. The correction
    is the value of the team's jokers minus the value of its unscored columns.
    """
    low, high = columns_of(lower), columns_of(higher)
    tied: list[int] = []
    points = 0
    for guild in range(len(GUILDS)):
        symbols, others = low[guild], high[guild]
        if symbols and others:
            if symbols > others:
                points -= _POINTS[symbols]
                low[guild] = UNSCORED
            else:
                if symbols == others:
                    tied.append(guild)
                points -= _POINTS[others]
                high[guild] = UNSCORED
    jokers, more_jokers = lower >> _JOKERS & _MASK, higher >> _JOKERS & _MASK
    if not (jokers or more_jokers):
        return points, low, high  # equal columns are worth the same
    gain, low, high = _choose_tied(low, high, jokers, more_jokers, tied)
    return points + gain, low, high


def _choose_tied(
    low: Columns, high: Columns, jokers: int, more_jokers: int, tied: list[int]
) -> tuple[int, Columns, Columns]:
    """Choose which teammate's column is scored if both have equally many cards of a guild."""
    tied.reverse()  # so the choice for the last guild changes first
    best_gain, best_low, best_high = 0, low, high
    for choice in range(1 << len(tied)):
        new_low, new_high = low.copy(), high.copy()
        for place, guild in enumerate(tied):
            if choice >> place & 1:
                new_high[guild] = low[guild]
                new_low[guild] = UNSCORED
        gain = 0
        if jokers:
            gain += _best_gain([_GAINS[symbols] for symbols in new_low if symbols], jokers)
        if more_jokers:
            gain += _best_gain([_GAINS[symbols] for symbols in new_high if symbols], more_jokers)
        if choice == 0 or gain > best_gain:
            best_gain, best_low, best_high = gain, new_low, new_high
    return best_gain, best_low, best_high


# -- sides --------------------------------------------------------------------------------------


def score_side(tallies: list[Tally]) -> Score:
    points = cards = gems = 0
    for tally in tallies:
        first, second = tally & _MASK_OF_THREE, tally >> _BITS_OF_THREE & _MASK_OF_THREE
        neutral, jokers = tally >> _NEUTRAL & _MASK_OF_THREE, tally >> _JOKERS & _MASK
        points += _POINTS_OF_THREE[first] + _POINTS_OF_THREE[second] + _NEUTRAL_POINTS[neutral]
        cards += _CARDS_OF_THREE[first] + _CARDS_OF_THREE[second] + _CARDS_OF_THREE[neutral]
        gems += tally >> _GEMS
        if jokers:  # a joker without a column is discarded and does not count [R25]
            columns = len(_GAINS_OF_THREE[first]) + len(_GAINS_OF_THREE[second])
            cards += jokers if jokers < columns else columns
    if len(tallies) == 2:
        points += choose_columns(tallies[0], tallies[1])[0]
    elif jokers:
        points += _best_gain([*_GAINS_OF_THREE[first], *_GAINS_OF_THREE[second]], jokers)
    return points + gems, cards, gems
