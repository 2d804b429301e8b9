"""Base class of the Brides & Bribes bots."""

# Do not import the engine here: it is slow to load.

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from arena.bot import Bot
from bots.brides_and_bribes.actions import NOTHING, marriage
from bots.brides_and_bribes.delegations import Delegations
from bots.brides_and_bribes.evaluation import OBJECT_VALUE, Evaluation
from bots.brides_and_bribes.placements import SHIP_PRICES, Placements
from bots.brides_and_bribes.plays import Plays
from bots.brides_and_bribes.situation import Situation
from bots.brides_and_bribes.tiles import as_place, tile_data
from bots.brides_and_bribes.view import View, bride_at, have_same_goods
from bots.brides_and_bribes.weights import Weights

MEAN_CHARM = {"first": 9, "second": 6}
RARE_COLOUR_FACTOR = 1.2


class BridesBot(Bot):
    """Plays the action with the highest value. Subclasses define their style by weights."""

    games: ClassVar[Sequence[str]] = ("brides-and-bribes",)
    view_type: ClassVar[Any] = View
    weights: ClassVar[Weights] = Weights()

    view: View
    _valued: View | None = None  # the view that the evaluation was made for
    evaluation: Evaluation
    delegations: Delegations
    placements: Placements
    situation: Situation
    plays: Plays

    def act(self, view: View, legal: list[str]) -> str:
        if len(legal) == 1:
            return legal[0]
        values = self.values(view, legal)
        return legal[values.index(max(values))]

    def values(self, view: View, legal: Sequence[str]) -> list[float]:
        if self._valued is None or not have_same_goods(view, self._valued):
            self._evaluate(view)
        self.view = view
        if view.resolution is not None:
            self.situation = Situation(self.evaluation, view.resolution)
            self.plays = Plays(self.situation, self.delegations)
        value: Callable[..., float] = getattr(self, METHODS.get(view.window, view.window))
        return [value(*action.split()) for action in legal]

    def _evaluate(self, view: View) -> None:
        last = None if self._valued is None else self.evaluation
        self.evaluation = Evaluation(view, self.weights, last)
        self._valued = view
        self.delegations = Delegations(self.evaluation)
        self.placements = Placements(self.evaluation, self.delegations)

    # Each method below returns the value of an action in a window, given the words of the action.

    # -- opening, placement, colonies -------------------------------------------------------------

    def opening(self, _verb: str, colour: str) -> float:
        here = [borough.colour for borough in self.view.boroughs]
        return self.evaluation.worker(colour) * (1.0 if colour in here else RARE_COLOUR_FACTOR)

    def place(self, verb: str, place: str = "") -> float:
        return 0.0 if verb == "pass" else max(self.placements.values(place).values())

    def tile(self, verb: str, first: str, second: str = "") -> float:
        if verb == "favor":
            return self.placements.values("favor")[first]
        if verb == "ship":
            return self.placements.values(f"ship-{first}")[second]
        return self.placements.values(second)[first]

    def ship(self, verb: str, first: str = "", second: str = "") -> float:
        evaluation = self.evaluation
        if verb == "decline":
            return 0.0
        if verb == "swap":
            return evaluation.worker(second) - evaluation.worker(first, -1)
        trade = self.view.trade
        assert trade is not None, "only asked about a trade"
        return evaluation.worker(first) - SHIP_PRICES[f"ship-{trade.ship}"] * evaluation.coin

    # -- resolution -------------------------------------------------------------------------------

    def activate(self, _verb: str, name: str) -> float:
        value, *_ = self.delegations.planned().get(name, NOTHING)
        return value

    def guide(self, _verb: str, tile: str) -> float:
        known = self.situation.own.known
        tiles = tuple(known) if tile in known else (*known, tile)
        budget = self.delegations.budget_for("")
        place = self.situation.resolution.borough
        value, *_ = self.delegations.guided(place, tile, tiles, budget)
        return value + self.weights.guides * tile_data(tile).prestige

    def declare(self, verb: str, place: str = "") -> float:
        evaluation, borough = self.evaluation, self.situation.borough
        if verb == "marry":
            return self._marriage(place) + self.weights.declared_marriages
        if verb == "employ":
            return evaluation.workers(borough)
        if verb == "hire":
            assert borough.common is not None, "only legal if there is one"
            return evaluation.common(borough.common) + self.weights.declared_hires
        return evaluation.tokens(borough) if verb == "influence" else evaluation.coin

    def _marriage(self, word: str) -> float:
        evaluation, situation, place = self.evaluation, self.situation, as_place(word)
        bride = bride_at(situation.borough.brides, place)
        assert bride is not None, "only legal if there is one"
        terms, budget = situation.best_terms(), situation.best_budget()
        if bride.married_seat is None:
            value = marriage(evaluation, place, bride, terms, budget)
            return -1.0 if value is None else value
        murder = evaluation.murder(situation.borough, place)
        if murder <= 0 or not terms.can_be_paid(MEAN_CHARM[place], budget):
            return murder
        price = terms.bribe(MEAN_CHARM[place]) * evaluation.coin
        return murder + (evaluation.marriage(place) - price) / 2

    def play(self, verb: str, tile: str = "", *arguments: str) -> float:
        if verb == "decline":
            return 0.0
        return self.plays.value(self.view.window, tile, arguments)

    def counter(self, verb: str, tile: str = "") -> float:
        return 0.0 if verb == "decline" else self.plays.counter(tile)

    def peek(self, verb: str) -> float:
        return 0.0  # both commons are assumed to be equally good

    # -- end of the round -------------------------------------------------------------------------

    def upkeep(self, verb: str, tile: str = "") -> float:
        evaluation = self.evaluation
        if verb == "keep":
            return 0.0 if evaluation.rounds_left else -1.0
        return evaluation.coin - evaluation.common(tile)

    def buy_back(self, verb: str, _kind: str = "") -> float:
        if verb == "decline":
            return 0.0
        return OBJECT_VALUE * min(1, self.evaluation.rounds_left) - self.evaluation.coin

    def build(self, verb: str, kind: str = "") -> float:
        if verb == "decline":
            return 0.0
        evaluation = self.evaluation
        (shop,) = [workshop for workshop in self.view.workshops if workshop.kind == kind]
        income = evaluation.income() * sum(shop.workers.values())
        new_object = OBJECT_VALUE * min(1, evaluation.rounds_left)
        return (shop.influence or 0) + new_object - income


METHODS = {
    "replace": "guide",
    **dict.fromkeys(("order", "react", "before", "wedding", "after"), "play"),
    "save": "counter",
    "buy-back": "buy_back",
}
