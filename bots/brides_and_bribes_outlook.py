"""What things are worth to a seat of Brides & Bribes: coins, workers, tiles, delegations, murders.

This is no bot. All worths are in points of influence. A style is a list of tastes: how much it
cares for each thing, and for the harm that it does to others.
"""

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from bots.brides_and_bribes_view import (
    END_INFLUENCE,
    GUARDS,
    KILLERS,
    LAST_ROUND,
    LOYALS,
    PLACES,
    Borough,
    Bride,
    Place,
    View,
    Workshop,
    is_character,
    kind_of,
    values,
)


class Tastes(msgspec.Struct, frozen=True):
    """How much a style cares for what brings influence: 1 is for what it truly brings."""

    marriages: float = 1.0
    workers: float = 1.0
    commons: float = 1.0
    tokens: float = 1.0
    coins: float = 1.0
    favor: float = 1.0
    harm: float = 1.0


# Chosen by playing games with other numbers; half or twice as much is seldom clearly worse.
MARRIAGE = {"first": 5.0, "second": 3.0}
ADDITIONAL = {"first": 3.0, "second": 1.0}
"""What of it is lost with the bride."""
MOVING_UP = 2.0
"""What the second bride's family gains when the first one dies."""
ELIGIBLE = 4.0
"""The first marriage more, to any taste: who has none ranks behind all who have one."""
COIN = 0.2
"""At the end of the game."""
COIN_A_ROUND = 0.08
"""More for each round in which it can still bribe."""
OBJECT = 0.8
"""What it is worth to have an object for later rounds."""
WORKSHOP = 2.0
"""How much more than its influence a workshop is worth, with the speed and the object."""
EARNING = 0.7
"""For how many of the rounds to come a worker earns coins: then it is spent on a workshop."""
BODY = 0.25
"""What a character is worth for each round to come, less its upkeep."""
GROWTH = 3.5
"""What the leader gains in a round, about: it tells when the game will end."""
FAVOR = 0.5
"""To be the first in favor rather than the last, for a round."""
FORESTALLED = 0.6
"""How likely a rival who acts before us takes what we want."""
LATECOMER = 0.2
"""How likely a seat that can still send a delegation to a borough does."""
STEALS = {"thief": 2, "gabriele": 1, "groomsman": 1}
"""Coins, by kind."""
SPOILING = {
    "hag": 1.5,
    "charmer": 1.5,
    "plague-spreader": 1.2,
    "damsel": 1.2,
    "crook": 1.2,
    "magistrate": 0.7,
    "defamer": 0.7,
    "barker": 0.5,
    "rat": 0.3,
    "beguiler": 0.4,
    "tutor": 0.4,
    "lover": 0.5,
}
"""What a kind takes from a rival on average."""


class Purse(NamedTuple):
    """What can be spent on a marriage."""

    coins: float
    influence: float


class Errand(NamedTuple):
    """An action that a delegation may take, and what it costs."""

    worth: float
    bribe: int = 0
    forfeit: int = 0


class Terms(NamedTuple):
    """What a guide meets in a borough, and impresses it with; or what a tile changes of that."""

    lord: int = 0
    prestige: int = 0
    charm: int = 0
    dearer: int = 0
    """What is added to the charm of the brides."""

    def shifted(self, kind: str) -> "Terms":
        """Return the terms when a tile of this kind takes effect."""
        return Terms(*[was + more for was, more in zip(self, SHIFTS[kind], strict=True)])

    def forfeit(self) -> int:
        """Return the influence that a marriage costs."""
        return max(0, self.lord - max(0, self.prestige))

    def bribe(self, bride_charm: int) -> int:
        """Return the coins that a bride costs."""
        return max(0, bride_charm + self.dearer - max(0, self.charm))

    def can_be_paid(self, bride_charm: int, purse: Purse) -> bool:
        """Return whether a purse has what a bride costs."""
        return self.forfeit() <= purse.influence and self.bribe(bride_charm) <= purse.coins


SHIFTS = {
    "ring": Terms(charm=4),
    "bard": Terms(charm=3),
    "suit": Terms(prestige=4),
    "archivist": Terms(prestige=3),
    "plague-spreader": Terms(charm=-3),
    "damsel": Terms(dearer=3),
    "crook": Terms(lord=3),
    "magistrate": Terms(prestige=-1),
    "defamer": Terms(prestige=-2),
}
"""What tiles change, by kind: of the own terms the first four, of a rival's the others."""
EASING = ("ring", "bard", "suit", "archivist")


class Outlook:
    """A position, and what things are worth in it to the seat that sees it."""

    def __init__(self, view: View, tastes: Tastes) -> None:
        self.view = view
        self.tastes = tastes
        self.seat = view.seat
        self.me = view.players[view.seat]
        self.rivals = [player for player in view.players if player.seat != view.seat]
        self.boroughs = {borough.borough: borough for borough in view.boroughs}
        seats = len(view.players)
        lead = max([player.influence for player in view.players])
        growths = math.ceil((END_INFLUENCE[seats] - lead) / GROWTH) - 1
        self.left = max(0, min(LAST_ROUND - view.round, growths))
        """Rounds after this one, about."""
        self.coin = tastes.coins * (COIN + COIN_A_ROUND * self.left)
        self._shops = [shop for shop in view.workshops if self._is_open(shop)]
        self._colours: dict[tuple[str, int], float] = {}
        self._known_chores: dict[str, list[Errand]] = {}

    # -- goods ------------------------------------------------------------------------------------

    def _is_open(self, shop: Workshop) -> bool:
        owned = [card.rpartition("-")[0] for card in self.me.workshops]
        return shop.left > 0 and shop.kind not in owned

    def worker(self, colour: str, more: int = 0) -> float:
        """Return what a worker is worth on top of the own ones and `more` of its colour."""
        key = (colour, self.me.workers[colour] + more)
        if key not in self._colours:
            self._colours[key] = self._worker(*key)
        return self._colours[key]

    def _worker(self, colour: str, have: int) -> float:
        best = 0.0
        for shop in self._shops:
            if shop.workers.get(colour, 0) > have:
                whole = sum(shop.workers.values())
                ready = [min(self.me.workers[one], need) for one, need in shop.workers.items()]
                missing = whole - sum(ready)
                soon = 0.5 ** max(0, missing - 1 - 1.5 * self.left)
                close = 0.5 + 0.5 * (1 - missing / whole) if soon == 1 else soon / 2
                best = max(best, close * (shop.influence or 0) / whole)
        return self.tastes.workers * WORKSHOP * best + self.income()

    def income(self) -> float:
        """Return what a worker earns before it is spent or the game is over."""
        return EARNING * self.left * self.coin

    def workers(self, borough: Borough) -> float:
        """Return what all workers in a borough are worth."""
        number = borough.workers.items()
        return sum([self.worker(one, more) for one, many in number for more in range(many)])

    def tokens(self, borough: Borough) -> float:
        """Return what the influence in a borough is worth."""
        return self.tastes.tokens * borough.influence_tokens

    def selling(self, what: str) -> float:
        """Return what it is worth to sell a worker or influence to a merchant."""
        if what == "influence":
            return 5 * self.coin - 1
        return 3 * self.coin - self.worker(what, -1)

    def common(self, tile: str) -> float:
        """Return what it is worth to hire a common."""
        return self.tastes.commons * (0.1 + BODY * self.left * self.usefulness(tile))

    def usefulness(self, tile: str) -> float:
        """Return how good a character is, 1 being average; of many each is less so."""
        bodies = len([one for one in self.me.tiles if is_character(one)])
        crowd = 1.5 if bodies < 4 else 1.0 if bodies < 6 else 0.5
        kind = kind_of(tile)
        special = 0.8 if kind in (*KILLERS, *GUARDS, "thief", "merchant", "archivist") else 0.3
        return crowd * (0.5 + special)

    # -- harm -------------------------------------------------------------------------------------

    def harm(self, loss: float, seat: int) -> float:
        """Return what it is worth to us that a seat loses points: more if it is ahead of us."""
        victim = self.view.players[seat]
        ahead = 1.5 if victim.influence >= self.me.influence else 1.0
        return self.tastes.harm * ahead * loss / len(self.rivals)

    def murder(self, borough: Borough, place: Place) -> float:
        """Return what it is worth that the bride at a place dies."""
        bride = borough.brides.at(place)
        if bride is None:
            return 0.0
        gain = -0.1
        if bride.married_seat == self.seat:
            gain -= ADDITIONAL[place] + MARRIAGE[place]
        elif bride.married_seat is not None:
            gain += self.harm(ADDITIONAL[place], bride.married_seat) + 0.3 * min(1, self.left)
        second = borough.brides.second
        if place == "first" and second is not None and second.married_seat is not None:
            moves = second.married_seat
            up = self.tastes.marriages * MOVING_UP
            gain += up if moves == self.seat else -self.harm(MOVING_UP, moves)
        return gain

    # -- actions of a delegation ------------------------------------------------------------------

    def purse(self) -> Purse:
        """Return what we have."""
        return Purse(self.me.coins, self.me.influence)

    def marriage(self, place: Place, bride: Bride, terms: Terms, purse: Purse) -> Errand | None:
        """Return what it is worth to marry a bride; None if it cannot be paid."""
        if not terms.can_be_paid(bride.charm, purse):
            return None
        forfeit, bribe = terms.forfeit(), terms.bribe(bride.charm)
        dowry = bride.dowry_coins * self.coin
        if bride.dowry_object is not None:
            dowry += OBJECT * min(1, self.left)
        worth = self.prize(place) + dowry - forfeit - bribe * self.coin
        return Errand(worth, bribe, forfeit)

    def errands(self, borough: Borough, terms: Terms | None, purse: Purse) -> list[Errand]:
        """Return what can be done in a borough, the best first; a common has no terms."""
        found = [*self._chores(borough)]
        for place in PLACES:
            bride = borough.brides.at(place)
            if terms is not None and bride is not None and bride.married_seat is None:
                marriage = self.marriage(place, bride, terms, purse)
                if marriage is not None:
                    found.append(marriage)
        found.sort(reverse=True)
        return found

    def _chores(self, borough: Borough) -> list[Errand]:
        """Return what any character can do."""
        found = self._known_chores.get(borough.borough)
        if found is None:
            worths = [self.coin, self.workers(borough), self.tokens(borough)]
            if borough.common is not None:
                worths.append(self.common(borough.common))
            found = self._known_chores[borough.borough] = [Errand(worth) for worth in worths]
        return found

    # -- delegations ------------------------------------------------------------------------------

    @functools.cached_property
    def planned(self) -> dict[str, Errand]:
        """What each of our delegations is for, by borough; a later one has what is left."""
        purse = self.purse()
        found = {}
        for place, tiles in self.view.own.delegations.items():
            if place in self.boroughs and not self.boroughs[place].resolved:
                found[place] = errand = self.delegation(self.boroughs[place], tiles, purse)
                purse = Purse(purse.coins - errand.bribe, purse.influence - errand.forfeit)
        return found

    def left_for(self, place: str) -> Purse:
        """Return what we have but for what other delegations need."""
        coins, influence = self.purse()
        for other, errand in self.planned.items():
            if other != place:
                coins, influence = coins - errand.bribe, influence - errand.forfeit
        return Purse(coins, influence)

    def prize(self, place: Place) -> float:
        """Return what a marriage is worth without its costs and dowry."""
        more = 0 if self.me.marriages else ELIGIBLE
        return self.tastes.marriages * MARRIAGE[place] + more

    def delegation(self, borough: Borough, tiles: Sequence[str], purse: Purse) -> Errand:
        """Return what a delegation is worth in a borough with its best guide."""
        ways = [self.guided(borough, tile, tiles, purse) for tile in tiles if is_character(tile)]
        return max(ways, default=Errand(0.0))

    def guided(self, borough: Borough, guide: str, tiles: Sequence[str], purse: Purse) -> Errand:
        """Return what a delegation is worth in a borough with this guide."""
        own = values(guide)
        kinds = [kind_of(tile) for tile in tiles]
        terms = Terms(borough.lord_prestige, own.prestige, own.charm)
        for kind in kinds:
            if kind in EASING:
                terms = terms.shifted(kind)
        errands = self.errands(borough, terms if guide in LOYALS else None, purse)
        rivals = self.rivals_at(borough)
        ahead = FORESTALLED * rivals * self._chance_ahead(borough, terms.prestige)
        if "edict" in kinds:
            ahead = 0.0
        best = errands[0]
        below = errands[min(len(errands) - 1, 1 + int(ahead))].worth
        worth = best.worth - min(1.0, ahead) * (best.worth - below)
        for tile in tiles:
            worth += self.help(borough, tile, rivals, beside=tile != guide)
        return Errand(worth, best.bribe, best.forfeit)

    def rivals_at(self, borough: Borough) -> float:
        """Return how many others will be in a borough, about."""
        there = [sent.seat for sent in borough.delegations if sent.seat != self.seat]
        number = float(len(there))
        for player in self.rivals:
            if not player.passed and player.coaches_left and player.seat not in there:
                number += LATECOMER
        return number

    def _chance_ahead(self, borough: Borough, prestige: int) -> float:
        """Return how likely a rival acts before us."""
        wed = [bride.married_seat for place in PLACES if (bride := borough.brides.at(place))]
        if self.seat in wed:
            return 0.1
        return min(0.9, max(0.1, 0.6 - 0.12 * (prestige - 3)))

    def help(self, borough: Borough, tile: str, rivals: float, *, beside: bool) -> float:
        """Return what a tile adds to a delegation by its ability, and by being there."""
        kind = kind_of(tile)
        worth = 0.1 * min(1, rivals) if beside and is_character(tile) else 0.0
        wed = [bride.married_seat for place in PLACES if (bride := borough.brides.at(place))]
        if kind in GUARDS:
            worth += min(1, rivals) * (0.2 + 1.0 * wed.count(self.seat))
        elif kind in KILLERS:
            killing = max([self.murder(borough, place) for place in PLACES])
            worth += max(0.0, killing) + self.tastes.harm * 0.3 * min(1, rivals)
        elif kind in STEALS:
            worth += STEALS[kind] * self.coin * min(1, rivals)
        elif kind in SPOILING:
            worth += self.tastes.harm * SPOILING[kind] * min(1, rivals) / len(self.rivals)
        elif kind == "merchant":
            worth += self.coin
        elif kind in ("raineo", "two-ducati"):
            worth += 0.7 * self.coin
        elif kind in ("wine", "extra-worker"):
            worth += 0.7 * self.worker(borough.colour, 1)
        return worth
