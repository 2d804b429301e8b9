"""Estimate the value of each action that a delegation can take in Brides & Bribes."""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Final

from bots.brides_and_bribes.evaluation import OBJECT_VALUE, Evaluation
from bots.brides_and_bribes.terms import Budget, Terms
from bots.brides_and_bribes.tiles import PLACES, Place
from bots.brides_and_bribes.view import Borough, Bride, bride_at

ActionValue = tuple[float, int, int]
NOTHING: Final[ActionValue] = (0.0, 0, 0)


class Actions:
    def __init__(self, evaluation: Evaluation, borough: Borough) -> None:
        self._coin = evaluation.coin
        self._lord_prestige = borough.lord_prestige
        gains = [evaluation.coin, evaluation.workers(borough), evaluation.tokens(borough)]
        if borough.common is not None:
            gains.append(evaluation.common(borough.common))
        gains.sort(reverse=True)
        self._of_all: list[ActionValue] = [(gain, 0, 0) for gain in gains]
        self._brides: list[tuple[int, float]] = []
        for place in PLACES:
            bride = bride_at(borough.brides, place)
            if bride is not None and bride.married_seat is None:
                self._brides.append((bride.charm, _worth(evaluation, place, bride)))

    def of_guide(self, prestige: int, charm: int | None, budget: Budget) -> Sequence[ActionValue]:
        if charm is None or not self._brides:
            return self._of_all
        forfeit = max(0, self._lord_prestige - max(0, prestige))
        return self._with_marriages(forfeit, -max(0, charm), budget)

    def best_first(self, terms: Terms | None, budget: Budget) -> Sequence[ActionValue]:
        """Return the delegation's actions, best first. Commons have no marriage terms."""
        if terms is None:
            return self._of_all
        more_charm = terms.bride_charm_change - max(0, terms.charm)
        return self._with_marriages(terms.forfeit(), more_charm, budget)

    def _with_marriages(
        self, forfeit: int, more_charm: int, budget: Budget
    ) -> Sequence[ActionValue]:
        coins, influence = budget
        if forfeit > influence:
            return self._of_all
        marriages = [
            (worth - forfeit - bribe * self._coin, bribe, forfeit)
            for charm, worth in self._brides
            if (bribe := max(0, charm + more_charm)) <= coins
        ]
        return sorted(self._of_all + marriages, reverse=True) if marriages else self._of_all


def marriage(
    evaluation: Evaluation, place: Place, bride: Bride, terms: Terms, budget: Budget
) -> float | None:
    """Return the value of marrying a bride, or None if the seat can't afford the marriage."""
    if not terms.can_be_paid(bride.charm, budget):
        return None
    worth = _worth(evaluation, place, bride)
    return worth - terms.forfeit() - terms.bribe(bride.charm) * evaluation.coin


def _worth(evaluation: Evaluation, place: Place, bride: Bride) -> float:
    dowry = bride.dowry_coins * evaluation.coin
    if bride.dowry_object is not None:
        dowry += OBJECT_VALUE * min(1, evaluation.rounds_left)
    return evaluation.marriage(place) + dowry
