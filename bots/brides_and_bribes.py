"""What the bots of Brides & Bribes share: in each window, what each decision is worth to them.

This is no bot. A style is a list of tastes; what is worth most is done.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from arena.bot import Bot
from bots.brides_and_bribes_outlook import FAVOR, OBJECT, Errand, Outlook, Tastes
from bots.brides_and_bribes_plays import Plays
from bots.brides_and_bribes_view import View, as_place, is_character, values

MEAN_CHARM = {"first": 9, "second": 6}
"""Of the brides in a box."""
SHIP_COINS = {"ship-1": 0, "ship-2": 2, "ship-3": 3, "ship-4": 4}
"""The price of a worker; on the first ship that is another worker."""
SPARED = 0.02
"""What it costs to send a character, by its prestige and charm: a lesser one may do as well."""
FAR = 1.2
"""How much more a worker is worth of a colour that no borough in play has."""


class BridesBot(Bot):
    """A bot that does what it thinks worth most."""

    games: ClassVar[Sequence[str]] = ("brides-and-bribes",)
    view_type: ClassVar[Any] = View
    tastes: ClassVar[Tastes] = Tastes()

    outlook: Outlook
    price: int
    """Of a worker on the ship that we have sent tiles to: when it is back no view tells."""

    def act(self, view: View, legal: list[str]) -> str:
        """Return the action that is worth most; of equals the first."""
        if len(legal) == 1:
            return legal[0]
        self.view = view
        self.outlook = Outlook(view, self.tastes)
        if view.resolution is not None:
            self.plays = Plays(self.outlook, view.resolution)
        weigh = self._weighs[view.window]
        best = max(legal, key=lambda action: weigh(self, *action.split()))
        if best.startswith("place ship-"):
            self.price = SHIP_COINS[best.removeprefix("place ")]
        return best

    # -- opening, placement, colonies -------------------------------------------------------------

    def opening(self, _verb: str, colour: str) -> float:
        """Weigh the first worker."""
        here = [borough.colour for borough in self.view.boroughs]
        return self.outlook.worker(colour) * (1.0 if colour in here else FAR)

    def place(self, verb: str, place: str = "") -> float:
        """Weigh where to place a tile: by the best one for it."""
        if verb == "pass":
            return 0.0
        return max([self._placing(tile, place) for tile in self.view.own.hand])

    def tile(self, verb: str, first: str, second: str = "") -> float:
        """Weigh which tile to place."""
        if verb == "favor":
            return self._placing(first, "favor")
        return (
            self._placing(second, f"ship-{first}")
            if verb == "ship"
            else self._placing(first, second)
        )

    def _placing(self, tile: str, place: str) -> float:
        """Weigh a tile at a place, on top of the tiles that are there."""
        own = values(tile)
        spared = SPARED * (own.prestige + own.charm)
        if place in self.outlook.boroughs:
            return self._sending(tile, place) - spared
        if not is_character(tile):
            return -1.0
        return (self._flattering() if place == "favor" else self._shipping(place)) - spared

    def _sending(self, tile: str, place: str) -> float:
        outlook = self.outlook
        borough, purse = outlook.boroughs[place], outlook.left_for(place)
        there = self.view.own.delegations.get(place, [])
        with_it = outlook.delegation(borough, [*there, tile], purse)
        return with_it.worth - outlook.delegation(borough, there, purse).worth

    def _flattering(self) -> float:
        outlook = self.outlook
        behind = self.view.favor_order.index(outlook.seat) / len(outlook.rivals)
        return self.tastes.favor * FAVOR * behind * min(2, outlook.left)

    def _shipping(self, place: str) -> float:
        """Weigh one more character on a ship: a worker for coins, or for another worker."""
        outlook = self.outlook
        there = self.view.own.delegations.get(place, [])
        before = len([one for one in there if is_character(one)])
        price = SHIP_COINS[place]
        workers = outlook.me.workers
        best = max([outlook.worker(colour) for colour in workers])
        if price == 0:
            own = [outlook.worker(colour, -1) for colour, has in workers.items() if has]
            return 0.0 if before else best - min(own, default=best)
        if price * (before + 1) > outlook.left_for(place).coins:
            return -1.0
        return best * 0.8**before - price * outlook.coin

    def ship(self, verb: str, first: str = "", second: str = "") -> float:
        """Weigh an exchange."""
        outlook = self.outlook
        if verb == "decline":
            return 0.0
        if verb == "swap":
            return outlook.worker(second) - outlook.worker(first, -1)
        return outlook.worker(first) - self.price * outlook.coin

    # -- resolution -------------------------------------------------------------------------------

    def activate(self, _verb: str, name: str) -> float:
        """Weigh a borough: first that where we have most to gain."""
        return self.outlook.planned.get(name, Errand(0.0)).worth

    def guide(self, _verb: str, tile: str) -> float:
        """Weigh a guide."""
        borough, known = self.plays.borough, self.plays.own.known
        tiles = known if tile in known else [*known, tile]
        return self.outlook.guided(borough, tile, tiles, self.outlook.left_for("")).worth

    def declare(self, verb: str, place: str = "") -> float:
        """Weigh an action."""
        outlook, borough = self.outlook, self.plays.borough
        if verb == "marry":
            return self._marrying(place)
        if verb == "employ":
            return outlook.workers(borough)
        if verb == "hire":
            assert borough.common is not None, "only legal if there is one"
            return outlook.common(borough.common)
        return outlook.tokens(borough) if verb == "influence" else outlook.coin

    def _marrying(self, word: str) -> float:
        """Weigh a marriage; where the bride is wed, she dies first and another comes."""
        outlook, plays, place = self.outlook, self.plays, as_place(word)
        bride = plays.borough.brides.at(place)
        assert bride is not None, "only legal if there is one"
        terms, purse = plays.best_terms(), plays.best_purse()
        if bride.married_seat is None:
            errand = outlook.marriage(place, bride, terms, purse)
            return errand.worth if errand else -1.0
        kills = outlook.murder(plays.borough, place)
        if kills <= 0 or not terms.can_be_paid(MEAN_CHARM[place], purse):
            return kills
        return kills + (outlook.prize(place) - terms.bribe(MEAN_CHARM[place]) * outlook.coin) / 2

    def play(self, verb: str, tile: str = "", *argument: str) -> float:
        """Weigh a play."""
        if verb == "decline":
            return 0.0
        return self.plays.worth(self.view.window, tile, argument)

    def counter(self, verb: str, tile: str = "") -> float:
        """Weigh to guard against a play or to stop it."""
        return 0.0 if verb == "decline" else self.plays.countering(self.view.window, tile)

    def peek(self, verb: str) -> float:
        """Weigh to switch: what lies below is as good as what is above, so the first will do."""
        return 0.0

    # -- end of the round -------------------------------------------------------------------------

    def upkeep(self, verb: str, tile: str = "") -> float:
        """Weigh to keep all commons, or to let one go and be asked again."""
        outlook = self.outlook
        if verb == "keep":
            return 0.0 if outlook.left else -1.0
        return outlook.coin - outlook.common(tile)

    def buy_back(self, verb: str, _kind: str = "") -> float:
        """Weigh to have an object again."""
        if verb == "decline":
            return 0.0
        return OBJECT * min(1, self.outlook.left) - self.outlook.coin

    def build(self, verb: str, kind: str = "") -> float:
        """Weigh a workshop; its workers earn nothing any more."""
        if verb == "decline":
            return 0.0
        outlook = self.outlook
        (shop,) = [one for one in self.view.workshops if one.kind == kind]
        income = outlook.income() * sum(shop.workers.values())
        return (shop.influence or 0) + OBJECT * min(1, outlook.left) - income

    _weighs: ClassVar[Mapping[str, Callable[..., float]]] = {
        "opening": opening,
        "place": place,
        "tile": tile,
        "ship": ship,
        "activate": activate,
        "guide": guide,
        "replace": guide,
        "order": play,
        "react": play,
        "before": play,
        "wedding": play,
        "after": play,
        "declare": declare,
        "counter": counter,
        "save": counter,
        "peek": peek,
        "upkeep": upkeep,
        "buy-back": buy_back,
        "build": build,
    }
    """How the decisions of each window are weighed, by the words of an action."""
