"""Estimate the value of playing a tile during the resolution of a Brides & Bribes borough."""
# compiled: see setup.py

from collections.abc import Sequence

from bots.brides_and_bribes.abilities import STOLEN_COINS
from bots.brides_and_bribes.delegations import Delegations
from bots.brides_and_bribes.evaluation import (
    ADDITIONAL_VALUE,
    MARRIAGE_VALUE,
    OBJECT_VALUE,
)
from bots.brides_and_bribes.situation import Situation
from bots.brides_and_bribes.terms import SHIFTS, Terms
from bots.brides_and_bribes.tiles import (
    CHARM,
    GUARDS,
    KILLERS,
    LOYALS,
    as_place,
    is_character,
    kind_of,
)
from bots.brides_and_bribes.view import Bride, bride_at

# Tuned by playing many games. Half or twice as much is seldom clearly worse.
CHARACTER_COST = 0.05
FALLBACK_VALUE = 1.0
SAVED_MARRIAGE_VALUE = 3.0
LOST_GUIDE_DAMAGE = 1.5
FIRST_MARRIAGE_DAMAGE = 2.0
DELAY_DAMAGE = {"magistrate": 0.4, "rat": 0.4, "defamer": 0.6}


def seat_of(word: str) -> int:
    return int(word.removeprefix("seat-"))


class Plays:
    def __init__(self, situation: Situation, delegations: Delegations) -> None:
        self._situation = situation
        self._evaluation = situation.evaluation
        self._delegations = delegations
        self._borough = situation.borough

    def value(self, window: str, tile: str, arguments: Sequence[str]) -> float:
        kind = kind_of(tile)
        if window == "order":
            value = self._order(kind, arguments)
        elif window == "react":
            value = self._reaction(kind, arguments)
        elif window == "before":
            value = self._preparation(kind, arguments)
        elif window == "wedding":
            value = self._wedding(kind)
        else:
            value = self._after_action(kind, arguments)
        return value - self._cost_of(tile)

    def counter(self, tile: str) -> float:
        situation, evaluation = self._situation, self._evaluation
        pending = situation.resolution.pending
        assert pending is not None, "only asked about a play"
        if kind_of(tile) in GUARDS:  # the play threatens our guide or our bride
            return SAVED_MARRIAGE_VALUE - self._cost_of(tile)
        if situation.resolution.active_seat == evaluation.seat:
            stake = SAVED_MARRIAGE_VALUE if situation.verb == "marry" else 0.5
        else:
            stake = evaluation.harm(1.0, pending.seat)
        return stake - 0.3 - self._cost_of(tile)

    def _cost_of(self, tile: str) -> float:
        if is_character(tile):
            return CHARACTER_COST
        if not self._evaluation.rounds_left:
            return 0.0
        can_be_bought_back = int(tile[-1]) <= 4
        return min(self._evaluation.coin, OBJECT_VALUE) if can_be_bought_back else OBJECT_VALUE

    def _order(self, kind: str, arguments: Sequence[str]) -> float:
        situation, evaluation = self._situation, self._evaluation
        rivals = situation.rivals()
        if kind in ("magistrate", "rat"):
            return sum([evaluation.harm(DELAY_DAMAGE[kind], rival.seat) for rival in rivals])
        if kind == "defamer":
            return evaluation.harm(DELAY_DAMAGE[kind], seat_of(arguments[0]))
        if kind == "falconer":
            return 0.0
        mine = situation.own.prestige or 0
        reached = mine + SHIFTS[kind].prestige if kind in SHIFTS else 99
        passed = [rival for rival in rivals if mine <= (rival.prestige or 0) <= reached]
        terms = situation.best_terms() if situation.own.guide in LOYALS else None
        actions = self._delegations.prospects_in(self._borough.borough).actions
        best, next_best, *_ = actions.best_first(terms, situation.best_budget())
        return (best[0] - next_best[0]) * min(1.0, len(passed) / 2)

    # -- against the active seat ------------------------------------------------------------------

    def _reaction(self, kind: str, arguments: Sequence[str]) -> float:
        evaluation, situation = self._evaluation, self._situation
        seat = situation.resolution.active_seat
        assert seat is not None, "only asked in a turn"
        terms = situation.terms_of(seat)
        coins = 0
        if kind in STOLEN_COINS:
            coins = min(STOLEN_COINS[kind], evaluation.view.players[seat].coins)
            loss = self._loss(seat, terms, coins=coins)
        elif kind in SHIFTS:
            loss = self._loss(seat, terms.shifted(kind))
        elif kind in ("beguiler", "tutor"):
            loss = self._loss(seat, terms, other_charm=self._charm_of_other_bride(arguments))
        elif kind in KILLERS:
            loss = self._failure(seat) * (0.6 if situation.by_seat[seat].hand else 1.0)
        elif kind == "giovanni":
            there = evaluation.workers(evaluation.boroughs[arguments[0]])
            loss = evaluation.workers(self._borough) - there
        elif kind in ("hag", "charmer", "barker"):
            loss = self._failure(seat)
        else:
            loss = 0.1
        return evaluation.harm(loss, seat) + coins * evaluation.coin

    def _failure(self, seat: int) -> float:
        player, verb = self._evaluation.view.players[seat], self._situation.verb
        value = FALLBACK_VALUE
        if verb == "marry":
            first = 0.0 if player.marriages else FIRST_MARRIAGE_DAMAGE
            value = MARRIAGE_VALUE[self._situation.place] + first
        elif verb == "employ":
            value = float(sum(self._borough.workers.values()))
        elif verb == "influence":
            value = float(self._borough.influence_tokens)
        return max(0.0, value - FALLBACK_VALUE)

    def _loss(
        self, seat: int, terms: Terms, *, coins: int = 0, other_charm: int | None = None
    ) -> float:
        """Return how much a seat loses if its declared marriage becomes more expensive or
        impossible.

        `coins` are lost before the seat pays for the marriage. `other_charm` is the charm of a
        bride who replaces the declared bride.
        """
        situation = self._situation
        if situation.bride is None:
            return 0.0
        budget, was = situation.budget_of(seat), situation.terms_of(seat)
        charm = situation.bride.charm
        if not was.can_be_paid(charm, budget):  # it fails anyway, unless the seat has help
            return 0.1
        now = charm if other_charm is None else other_charm
        if not terms.can_be_paid(now, budget._replace(coins=budget.coins - coins)):
            return self._failure(seat)
        extra_coins = coins + terms.bribe(now) - was.bribe(charm)
        return terms.forfeit() - was.forfeit() + extra_coins * self._evaluation.coin

    def _charm_of_other_bride(self, arguments: Sequence[str]) -> int:
        if len(arguments) == 1:
            return CHARM[arguments[0]]
        place, name = arguments
        bride = bride_at(self._evaluation.boroughs[name].brides, as_place(place))
        assert bride is not None, "only legal if there is one"
        return bride.charm

    def _wedding(self, kind: str) -> float:
        evaluation, situation = self._evaluation, self._situation
        if kind == "groomsman":
            return self._theft(kind, ())
        assert situation.bride is not None, "only asked about a marriage"
        assert situation.resolution.active_seat is not None, "only asked in a turn"
        dowry = situation.bride.dowry_coins * evaluation.coin
        if situation.bride.dowry_object is not None:  # the stock may not have it
            dowry += OBJECT_VALUE * min(1, evaluation.rounds_left) / 2
        return dowry + evaluation.harm(dowry, situation.resolution.active_seat)

    # -- in our own turn --------------------------------------------------------------------------

    def _preparation(self, kind: str, arguments: Sequence[str]) -> float:
        evaluation, situation = self._evaluation, self._situation
        if kind == "giovanni":
            there = evaluation.workers(evaluation.boroughs[arguments[0]])
            return there - evaluation.workers(self._borough)
        if kind in ("jester", "antonio"):
            return self._common_in(arguments[0]) - self._common_in(self._borough.borough)
        if kind in ("double", "ansaldo"):
            return 2 * CHARACTER_COST
        assert situation.bride is not None, "all others are played for a marriage"
        if kind in KILLERS:
            married = situation.bride.married_seat is not None
            return evaluation.murder(self._borough, situation.place) if married else -1.0
        if kind in ("thief", "gabriele"):
            return self._theft(kind, arguments)
        if kind == "merchant":
            price = situation.terms_of(evaluation.seat).bribe(situation.bride.charm)
            needed = SAVED_MARRIAGE_VALUE if price > evaluation.me.coins else 0.0
            return evaluation.sale(arguments[0]) + needed
        return self._cheaper_marriage(kind, arguments, situation.bride)

    def _cheaper_marriage(self, kind: str, arguments: Sequence[str], bride: Bride) -> float:
        situation, seat = self._situation, self._evaluation.seat
        budget, was = situation.budget_of(seat), situation.terms_of(seat)
        now, charm = was, bride.charm
        if kind in SHIFTS:
            now = was.shifted(kind)
        else:
            charm = self._charm_of_other_bride(arguments)
        saved = float(was.forfeit() - now.forfeit())
        saved += (was.bribe(bride.charm) - now.bribe(charm)) * self._evaluation.coin
        needed = not was.can_be_paid(bride.charm, budget)
        return saved + (SAVED_MARRIAGE_VALUE if needed and saved > 0 else 0.0)

    def _common_in(self, name: str) -> float:
        common = self._evaluation.boroughs[name].common
        return self._evaluation.common(common) if common else 0.0

    def _theft(self, kind: str, arguments: Sequence[str]) -> float:
        evaluation = self._evaluation
        seats = [seat_of(word) for word in arguments]
        value = 0.0
        for seat in seats or [rival.seat for rival in self._situation.rivals()]:
            coins = min(STOLEN_COINS[kind], evaluation.view.players[seat].coins)
            loss = coins * evaluation.coin
            value += loss + evaluation.harm(loss, seat)
        return value

    def _after_action(self, kind: str, arguments: Sequence[str]) -> float:
        evaluation, colour = self._evaluation, self._borough.colour
        queue = self._situation.resolution.queue
        if kind in KILLERS:
            return self._murder(arguments[0])
        if kind in ("wine", "extra-worker"):
            return evaluation.worker(colour)
        if kind in ("two-ducati", "raineo"):
            return evaluation.coin
        if kind == "merchant":
            return evaluation.sale(arguments[0])
        if kind == "mediator":
            return evaluation.worker(arguments[0]) - evaluation.worker(colour, -1)
        if kind == "defamer":
            seat = seat_of(arguments[0])
            return evaluation.harm(DELAY_DAMAGE[kind], seat) if seat in queue else 0.0
        if kind in DELAY_DAMAGE:
            return sum([evaluation.harm(DELAY_DAMAGE[kind], seat) for seat in queue])
        return self._theft(kind, arguments) if kind in STOLEN_COINS else 0.0

    def _murder(self, target: str) -> float:
        if target in ADDITIONAL_VALUE:
            return self._evaluation.murder(self._borough, as_place(target))
        seat = seat_of(target)
        in_queue = seat in self._situation.resolution.queue
        return self._evaluation.harm(LOST_GUIDE_DAMAGE, seat) if in_queue else 0.0
