"""Values of the actions of a delegation in a borough of Brides & Bribes."""

from typing import NamedTuple

from bots.brides_and_bribes.evaluation import OBJECT_VALUE, Evaluation
from bots.brides_and_bribes.terms import Budget, Terms
from bots.brides_and_bribes.tiles import PLACES, Place
from bots.brides_and_bribes.view import Borough, Bride


class ActionValue(NamedTuple):
    """The value of an action of a delegation, and what the action costs."""

    value: float
    bribe: int = 0
    forfeit: int = 0


class Actions:
    """The actions in a borough. They do not depend on the delegations there."""

    def __init__(self, evaluation: Evaluation, borough: Borough) -> None:
        self._coin = evaluation.coin
        gains = [evaluation.coin, evaluation.workers(borough), evaluation.tokens(borough)]
        if borough.common is not None:
            gains.append(evaluation.common(borough.common))
        gains.sort(reverse=True)
        self._of_all = [ActionValue(gain) for gain in gains]
        """The actions that every character can take, best first."""
        self._brides: list[tuple[int, float]] = []
        """The charm of each free bride, and the value of a marriage with her that costs nothing."""
        for place in PLACES:
            bride = borough.brides.at(place)
            if bride is not None and bride.married_seat is None:
                self._brides.append((bride.charm, _worth(evaluation, place, bride)))

    def best_first(self, terms: Terms | None, budget: Budget) -> list[ActionValue]:
        """Return the values of all actions; `terms` is None for a common, which can't marry."""
        if terms is None or not self._brides:
            return self._of_all
        forfeit = terms.forfeit()
        if forfeit > budget.influence:
            return self._of_all
        found = self._of_all
        for charm, worth in self._brides:
            bribe = terms.bribe(charm)
            if bribe <= budget.coins:
                value = worth - forfeit - bribe * self._coin
                found = [*found, ActionValue(value, bribe, forfeit)]
        return found if found is self._of_all else sorted(found, reverse=True)


def marriage(
    evaluation: Evaluation, place: Place, bride: Bride, terms: Terms, budget: Budget
) -> float | None:
    """Return the value of marrying a bride, or None if `budget` does not suffice."""
    if not terms.can_be_paid(bride.charm, budget):
        return None
    worth = _worth(evaluation, place, bride)
    return worth - terms.forfeit() - terms.bribe(bride.charm) * evaluation.coin


def _worth(evaluation: Evaluation, place: Place, bride: Bride) -> float:
    """Return the value of marrying a bride for nothing."""
    dowry = bride.dowry_coins * evaluation.coin
    if bride.dowry_object is not None:
        dowry += OBJECT_VALUE * min(1, evaluation.rounds_left)
    return evaluation.marriage(place) + dowry
