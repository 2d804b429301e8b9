"""The chance of each seat to be placed before the others, from a position of Brides & Bribes.

It is what a search knows of an unfinished game. The delegations that still wait in their boroughs
first take what they want by the plain rules, as if nobody played a tile. Then the *goods* of the
seats are compared by a linear model: the chance that a seat ends before another one is a logistic
function of the difference of their goods.

The weights say what goods cause, not what goes with winning: they were measured in pairs of games
that are equal up to one action, which is drawn by chance in one of the two
(`python -m benchmarks.brides_forecast`).
"""

from collections.abc import Sequence
from math import exp
from typing import Final

from bots.brides_and_bribes.tiles import END_INFLUENCE, LAST_ROUND
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.tiles import (
    BRIDE_CHARM,
    CARD_INFLUENCE,
    CARD_WORKERS,
    DOWRY_COINS,
    DOWRY_OBJECT,
    FIRST_COMMON,
    FIRST_OBJECT,
    KIND,
    LORD_PRESTIGE,
    NONE,
    PRESTIGE,
    SEATS,
    SHOP_OF,
    STACKS,
)
from engine.brides_and_bribes.tiles import CHARM as LOYAL_CHARM

PAUSES: Final = ("activate", "ship", "upkeep", "buy-back", "build")
"""The windows between two parts of a round, in which no goods are about to change hands."""
GOODS: Final = (
    "influence",
    "married",
    "coins",
    "workers",
    "workshops in reach",
    "characters",
    "objects",
    "favor",
)
"""What is counted of each seat."""
WEIGHTS: Final = (0.15, 0.25, 0.02, 0.10, 0.09, 0.05, 0.065, 0.055)
"""By good: its weight in the last round."""
WEIGHTS_BEFORE: Final = (0.0, -0.19, 0.0, 0.4, 0.0, 0.24, 0.0, 0.0)
"""By good: what is added to its weight if all rounds are left. Less is added if fewer are."""

MARRIAGE: Final = (5.0, 3.0)
"""By place: the influence of a marriage."""
FIRST_MARRIAGE: Final = 4.0
"""The extra value of a first marriage."""
SUCCESS: Final = 0.75
"""The part of marriages that succeed when rivals are present."""
WORKER, COIN, CHARACTER = 1.3, 0.4, 0.7
"""What a waiting delegation thinks these are worth in influence."""
GAIN_PER_ROUND: Final = 3.5
"""The influence that the leader gains in a round."""
USED_OBJECT: Final = 0.5
"""The part of an object that a used one counts, since it can be bought back."""
IN_REACH: Final = 0.6
"""The part of a workshop that counts for each worker that is missing."""

CHARM_OF_KIND: Final = {"ring": 4, "bard": 3}
PRESTIGE_OF_KIND: Final = {"suit": 4, "archivist": 3}


class Holdings:
    """The goods of all seats, by seat; those that they expect are added to what they have."""

    def __init__(self, position: Position) -> None:
        seats = range(position.parameters.seats)
        self.influence = [float(one) for one in position.influence]
        self.coins = [float(one) for one in position.coins]
        self.workers = [[float(one) for one in row] for row in position.workers]
        self.married = [float(seat in position.spouse_seat) for seat in seats]
        self.characters: list[float] = []
        self.objects: list[float] = []
        for seat in seats:
            tiles = _tiles_of(position, seat)
            characters = len([tile for tile in tiles if tile < FIRST_OBJECT])
            self.characters.append(float(characters))
            self.objects.append(len(tiles) - characters + USED_OBJECT * len(position.used[seat]))

    def goods(self, position: Position, seat: int) -> tuple[float, ...]:
        """Return the goods of a seat, in the order of `GOODS`."""
        workers = self.workers[seat]
        return (
            self.influence[seat],
            self.married[seat],
            self.coins[seat],
            sum(workers),
            _workshops_in_reach(position, seat, workers),
            self.characters[seat],
            self.objects[seat],
            -float(position.favor_order.index(seat)),
        )


def _tiles_of(position: Position, seat: int) -> list[int]:
    """Return all tiles of a seat that can still be of use to it, without used objects."""
    resolution = position.resolution
    tiles = [
        *position.hands[seat],
        *position.alley_shown[seat],
        *position.alley_hidden[seat],
        *position.ship_tiles[seat],
        *resolution.hand[seat],
    ]
    for delegation in position.delegations[seat::SEATS]:
        tiles += delegation
    guide = resolution.guide[seat]
    if guide >= 0 and not resolution.guide_married[seat]:
        tiles.append(guide)
    return tiles


def _workshops_in_reach(position: Position, seat: int, workers: Sequence[float]) -> float:
    """Return the influence of the two workshops that are nearest, less for what they lack."""
    owned = [SHOP_OF[card] for card in position.shops[seat]]
    values = [0.0, 0.0]
    for shop, stack in enumerate(STACKS):
        taken = position.shops_taken[shop]
        if shop not in owned and taken < len(stack):
            missing = 0.0
            for need, own in zip(CARD_WORKERS[stack[0]], workers, strict=True):
                if need > own:
                    missing += need - own
            part: float = IN_REACH**missing
            values.append(CARD_INFLUENCE[stack[taken]] * part)
    values.sort()
    return values[-1] + 0.5 * values[-2]


# -- waiting delegations --------------------------------------------------------------------------


class _Guide:
    """The character that a waiting delegation sends forward, with the help of its tiles."""

    __slots__ = ("charm", "place_in_order", "prestige", "seat")

    def __init__(self, position: Position, borough: int, seat: int, tiles: Sequence[int]) -> None:
        characters = [tile for tile in tiles if tile < FIRST_OBJECT]
        guide = max(characters, key=lambda tile: (tile < FIRST_COMMON, PRESTIGE[tile]))
        others = [KIND[tile] for tile in tiles if tile != guide]
        self.seat = seat
        self.prestige = PRESTIGE[guide] + sum([PRESTIGE_OF_KIND.get(kind, 0) for kind in others])
        self.charm = NONE  # a common cannot marry
        if guide < FIRST_COMMON:
            self.charm = LOYAL_CHARM[guide] + sum([CHARM_OF_KIND.get(kind, 0) for kind in others])
        owners = position.spouse_seat[2 * borough : 2 * borough + 2]
        self.place_in_order = (
            "edict" not in others,
            owners[0] != seat,
            owners[1] != seat,
            -self.prestige,
            position.favor_order.index(seat),
        )


class _Spoils:
    """What a borough still has for the guides that act in it, one after another."""

    def __init__(self, position: Position, borough: int, chance: float) -> None:
        """Read a borough; `chance` is the probability that a marriage there succeeds."""
        self._chance = chance
        self._lord = LORD_PRESTIGE[position.lords[borough]]
        self._workers = position.borough_workers[borough]
        self._tokens = position.tokens[borough]
        self._has_common = position.commons[borough] != NONE
        spots = (2 * borough, 2 * borough + 1)
        self._brides = [
            NONE if position.spouse_seat[spot] != NONE else position.brides[spot] for spot in spots
        ]
        """By place: the bride that is free, or `NONE`."""

    def give(self, guide: _Guide, holdings: Holdings) -> None:
        """Let `guide` take what is worth most to it."""
        _, action, place = max(self._options(guide, holdings))
        seat = guide.seat
        if action == "marry":
            self._marry(guide, place, holdings)
        elif action == "employ":
            for colour, number in enumerate(self._workers):
                holdings.workers[seat][colour] += number
            self._workers = ()
        elif action == "influence":
            holdings.influence[seat] += self._tokens
            self._tokens = 0
        elif action == "hire":
            holdings.characters[seat] += 1
            self._has_common = False
        else:
            holdings.coins[seat] += 1

    def _options(self, guide: _Guide, holdings: Holdings) -> list[tuple[float, str, int]]:
        """Return the value of each action that is open to `guide`; a marriage has a place."""
        options = [
            (COIN, "ducato", 0),
            (WORKER * sum(self._workers), "employ", 0),
            (float(self._tokens), "influence", 0),
            (CHARACTER * self._has_common, "hire", 0),
        ]
        if guide.charm == NONE:
            return options
        seat, forfeit = guide.seat, self._forfeit(guide)
        more = FIRST_MARRIAGE * (1 - holdings.married[seat])
        for place, bride in enumerate(self._brides):
            bribe = _bribe(guide, bride)
            affordable = forfeit <= holdings.influence[seat] and bribe <= holdings.coins[seat]
            if bride != NONE and affordable:
                value = self._chance * (MARRIAGE[place] + more) - forfeit - COIN * bribe
                options.append((value, "marry", place))
        return options

    def _marry(self, guide: _Guide, place: int, holdings: Holdings) -> None:
        chance, seat, bride = self._chance, guide.seat, self._brides[place]
        holdings.influence[seat] += chance * (MARRIAGE[place] - self._forfeit(guide))
        holdings.coins[seat] += chance * (DOWRY_COINS[bride] - _bribe(guide, bride))
        holdings.objects[seat] += chance * (DOWRY_OBJECT[bride] != NONE)
        holdings.characters[seat] -= chance  # the loyal stays with her
        holdings.married[seat] += (1 - holdings.married[seat]) * chance
        self._brides[place] = NONE

    def _forfeit(self, guide: _Guide) -> int:
        return max(0, self._lord - guide.prestige)


def _bribe(guide: _Guide, bride: int) -> int:
    return max(0, BRIDE_CHARM[bride] - guide.charm)


def expect_gains(position: Position, holdings: Holdings) -> None:
    """Add to `holdings` what the delegations that still wait will take."""
    seats = range(position.parameters.seats)
    for borough in position.in_play:
        if borough in position.resolved:
            continue
        at = borough * SEATS
        sent = [(seat, tiles) for seat in seats if (tiles := position.delegations[at + seat])]
        guides = [
            _Guide(position, borough, seat, tiles)
            for seat, tiles in sent
            if min(tiles) < FIRST_OBJECT
        ]
        guides.sort(key=lambda guide: guide.place_in_order)
        spoils = _Spoils(position, borough, SUCCESS if len(guides) > 1 else 1.0)
        for guide in guides:
            spoils.give(guide, holdings)


# -- the model ------------------------------------------------------------------------------------


def goods_of(position: Position) -> list[tuple[float, ...]]:
    """Return by seat the goods that it has and expects in this round."""
    holdings = Holdings(position)
    expect_gains(position, holdings)
    return [holdings.goods(position, seat) for seat in range(position.parameters.seats)]


def rounds_left(position: Position) -> float:
    """Return the part of the game that is left after this round, from 0 to 1."""
    to_go = END_INFLUENCE[position.parameters.seats] - max(position.influence)
    rounds = min(LAST_ROUND - position.round, to_go / GAIN_PER_ROUND - 1)
    return max(0.0, rounds / LAST_ROUND)


def chances(position: Position) -> list[float]:
    """Return by seat the mean chance that it ends before another seat: 0.5 for equals."""
    left = rounds_left(position)
    weights = [now + left * more for now, more in zip(WEIGHTS, WEIGHTS_BEFORE, strict=True)]
    scores = [
        sum([weight * good for weight, good in zip(weights, goods, strict=True)])
        for goods in goods_of(position)
    ]
    others = len(scores) - 1
    return [
        (sum([1 / (1 + exp(other - own)) for other in scores]) - 0.5) / others for own in scores
    ]
