"""Values of the actions of a delegation in a borough of Brides & Bribes."""

from collections.abc import Sequence

from bots.brides_and_bribes.evaluation import OBJECT_VALUE, Evaluation
from bots.brides_and_bribes.terms import Budget, Terms
from bots.brides_and_bribes.tiles import PLACES, Place
from bots.brides_and_bribes.view import Borough, Bride

ActionValue = tuple[float, int, int]
"""The value of an action of a delegation; the bribe and the forfeit of influence that it costs."""
NOTHING: ActionValue = (0.0, 0, 0)


class Actions:
    """The actions in a borough. They do not depend on the delegations there."""

    def __init__(self, evaluation: Evaluation, borough: Borough) -> None:
        self._coin = evaluation.coin
        gains = [evaluation.coin, evaluation.workers(borough), evaluation.tokens(borough)]
        if borough.common is not None:
            gains.append(evaluation.common(borough.common))
        gains.sort(reverse=True)
        self._of_all: list[ActionValue] = [(gain, 0, 0) for gain in gains]
        """The actions that every character can take, best first."""
        self._brides = [
            (bride.charm, _worth(evaluation, place, bride))
            for place in PLACES
            if (bride := borough.brides.at(place)) is not None and bride.married_seat is None
        ]
        """The charm of each free bride, and the value of marrying her for nothing."""
        self._of_loyals: dict[tuple[Terms, Budget], list[ActionValue]] = {}

    def best_first(self, terms: Terms | None, budget: Budget) -> Sequence[ActionValue]:
        """Return the actions, best first; `terms` is None for a common, which can't marry."""
        if terms is None or not self._brides:
            return self._of_all
        key = (terms, budget)
        found = self._of_loyals.get(key)
        if found is None:
            found = self._of_loyals[key] = self._with_marriages(terms, budget)
        return found

    def _with_marriages(self, terms: Terms, budget: Budget) -> list[ActionValue]:
        found = self._of_all
        forfeit = terms.forfeit()
        if forfeit <= budget.influence:
            for charm, worth in self._brides:
                bribe = terms.bribe(charm)
                if bribe <= budget.coins:
                    value = worth - forfeit - bribe * self._coin
                    found = [*found, (value, bribe, forfeit)]
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
