"""Plan what each delegation does in Brides & Bribes, given a player's coins and influence."""
# compiled: see setup.py

from bots.brides_and_bribes.actions import NOTHING, ActionValue
from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.leaders import leader
from bots.brides_and_bribes.prospects import Prospects
from bots.brides_and_bribes.terms import Budget


class Delegations:
    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self._boroughs = evaluation.boroughs
        self._prospects: dict[str, Prospects] = {}
        self._planned: dict[str, ActionValue] = {}
        self._left: Budget | None = None

    def planned(self) -> dict[str, ActionValue]:
        """Return our best action in each borough."""
        if self._left is None:
            self._left = self._plan()
        return self._planned

    def budget_for(self, place: str) -> Budget:
        """Return the coins and influence left for a borough after the planned actions in other
        boroughs.
        """
        if self._left is None:
            self._left = self._plan()
        _, bribe, forfeit = self._planned.get(place, NOTHING)
        if not bribe and not forfeit:
            return self._left
        return Budget(self._left.coins + bribe, self._left.influence + forfeit)

    def _plan(self) -> Budget:
        evaluation, boroughs = self.evaluation, self._boroughs
        left = Budget(evaluation.me.coins, evaluation.me.influence)
        for place, tiles in evaluation.view.own.delegations.items():
            if place in boroughs and not boroughs[place].resolved:
                action = self.prospects_in(place).best(tuple(tiles), left)
                self._planned[place] = action
                left = Budget(left.coins - action[1], left.influence - action[2])
        return left

    def guided(self, place: str, guide: str, tiles: tuple[str, ...], budget: Budget) -> ActionValue:
        return self.prospects_in(place).led_by(leader(guide, tiles), tiles, budget)

    def prospects_in(self, place: str) -> Prospects:
        prospects = self._prospects.get(place)
        if prospects is None:
            prospects = self._prospects[place] = Prospects(self.evaluation, self._boroughs[place])
        return prospects
