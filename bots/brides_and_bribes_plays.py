"""What it is worth to play a tile of Brides & Bribes: before the order, for and against an action.

This is no bot.
"""

from collections.abc import Sequence

from bots.brides_and_bribes_outlook import (
    ADDITIONAL,
    EASING,
    ELIGIBLE,
    MARRIAGE,
    OBJECT,
    SHIFTS,
    STEALS,
    Outlook,
    Purse,
    Terms,
)
from bots.brides_and_bribes_view import (
    CHARM,
    GUARDS,
    KILLERS,
    LOYALS,
    Bride,
    Delegation,
    Resolution,
    as_place,
    is_character,
    kind_of,
)

TRIFLE = 0.05
"""What it costs to play a character: it cannot serve again here."""
FALLBACK = 1.0
"""What a seat gains all the same when what it declared fails."""
SAVED = 3.0
"""What it is worth that our marriage does not fail."""
DUE = 1.5
"""What a seat loses with its guide before it has acted."""
SLOWED = {"magistrate": 0.4, "rat": 0.4, "defamer": 0.6}
"""What a seat loses when it is made to act later."""


def seat_of(word: str) -> int:
    """Return the seat that an argument such as `seat-2` names."""
    return int(word.removeprefix("seat-"))


class Plays:
    """The borough that is resolved, and what tiles can do there."""

    def __init__(self, outlook: Outlook, here: Resolution) -> None:
        self.outlook = outlook
        self.here = here
        self.borough = outlook.boroughs[here.borough]
        self.by_seat = {one.seat: one for one in here.delegations}
        self.own = self.by_seat[outlook.seat]
        verb, _, place = (here.declared or "").partition(" ")
        self.verb = verb
        """Of what is declared."""
        self.place = as_place(place)
        self.bride = self.borough.brides.at(self.place) if verb == "marry" else None

    # -- what there is ----------------------------------------------------------------------------

    def terms_of(self, seat: int) -> Terms:
        """Return what the guide of a seat meets and brings."""
        here, there = self.here, self.by_seat[seat]
        prestige, charm = there.prestige or 0, there.charm or 0
        return Terms(here.lord_prestige, prestige, charm, here.bride_charm_change)

    def purse_of(self, seat: int) -> Purse:
        """Return what a seat has."""
        player = self.outlook.view.players[seat]
        return Purse(player.coins, player.influence)

    def usable(self) -> list[str]:
        """Return the tiles that we can play here."""
        own = self.own
        return [*own.known, own.guide] if own.guide and not own.guide_used else own.known

    def best_terms(self) -> Terms:
        """Return our terms when all tiles that improve them are played."""
        terms = self.terms_of(self.outlook.seat)
        for tile in self.usable():
            if kind_of(tile) in EASING:
                terms = terms.shifted(kind_of(tile))
        return terms

    def best_purse(self) -> Purse:
        """Return what we can pay here, with what a merchant brings."""
        me = self.outlook.me
        sells = any(me.workers.values()) and "merchant" in [kind_of(one) for one in self.usable()]
        return Purse(me.coins + 3 * sells, me.influence)

    def rivals(self) -> list[Delegation]:
        """Return the other delegations that take part."""
        return [one for one in self.here.delegations if one.guide and one.seat != self.own.seat]

    # -- the worth of a play ----------------------------------------------------------------------

    def worth(self, window: str, tile: str, argument: Sequence[str]) -> float:
        """Return what a play is worth in a window."""
        kind = kind_of(tile)
        if window == "order":
            worth = self._ordering(kind, argument)
        elif window == "react":
            worth = self._reacting(kind, argument)
        elif window == "before":
            worth = self._preparing(kind, argument)
        elif window == "wedding":
            worth = 2 * self.outlook.coin
        else:
            worth = self._following(kind, argument)
        return worth - self.spending(tile)

    def spending(self, tile: str) -> float:
        """Return what it costs to spend a tile: an object must be bought back, or is gone."""
        if is_character(tile):
            return TRIFLE
        if not self.outlook.left:
            return 0.0
        is_of_a_workshop = int(tile[-1]) <= 4
        return min(self.outlook.coin, OBJECT) if is_of_a_workshop else OBJECT

    def countering(self, window: str, tile: str) -> float:
        """Return what it is worth to guard against the pending play, or to stop it."""
        pending = self.here.pending
        assert pending is not None, "only asked about a play"
        if kind_of(tile) in GUARDS:  # what is at stake is a guide or a bride of ours
            return SAVED - self.spending(tile)
        outlook = self.outlook
        if self.here.active_seat == outlook.seat:
            stake = SAVED if self.verb == "marry" else 0.5
        else:
            stake = outlook.harm(1.0, pending.seat)
        return stake - 0.3 - self.spending(tile)

    def _ordering(self, kind: str, argument: Sequence[str]) -> float:
        """Weigh a play before the order of turns is fixed."""
        outlook, rivals = self.outlook, self.rivals()
        if kind in ("magistrate", "rat"):
            return sum([outlook.harm(SLOWED[kind], one.seat) for one in rivals])
        if kind == "defamer":
            return outlook.harm(SLOWED[kind], seat_of(argument[0]))
        if kind == "falconer":
            return 0.0
        mine = self.own.prestige or 0
        reach = mine + SHIFTS[kind].prestige if kind in SHIFTS else 99
        passed = [one for one in rivals if mine <= (one.prestige or 0) <= reach]
        loyal = self.own.guide in LOYALS
        errands = outlook.errands(
            self.borough, self.best_terms() if loyal else None, self.best_purse()
        )
        return (errands[0].worth - errands[1].worth) * min(1.0, len(passed) / 2)

    # -- against the active seat ------------------------------------------------------------------

    def _reacting(self, kind: str, argument: Sequence[str]) -> float:
        outlook = self.outlook
        seat = self.here.active_seat
        assert seat is not None, "only asked in a turn"
        terms = self.terms_of(seat)
        coins = 0
        if kind in STEALS:
            coins = min(STEALS[kind], outlook.view.players[seat].coins)
            loss = self._loss(seat, terms, coins=coins)
        elif kind in SHIFTS:
            loss = self._loss(seat, terms.shifted(kind))
        elif kind in ("beguiler", "tutor"):
            loss = self._loss(seat, terms, other=self._bride_by(argument))
        elif kind in KILLERS:
            loss = self._failure(seat) * (0.6 if self.by_seat[seat].hand else 1.0)
        elif kind == "giovanni":
            there = outlook.workers(outlook.boroughs[argument[0]])
            loss = outlook.workers(self.borough) - there
        elif kind in ("hag", "charmer", "barker"):
            loss = self._failure(seat)
        else:
            loss = 0.1
        return outlook.harm(loss, seat) + coins * outlook.coin

    def _failure(self, seat: int) -> float:
        """Return what a seat loses if what it declared fails."""
        player = self.outlook.view.players[seat]
        worth = FALLBACK
        if self.verb == "marry":
            worth = MARRIAGE[self.place] + (0.0 if player.marriages else ELIGIBLE / 2)
        elif self.verb == "employ":
            worth = float(sum(self.borough.workers.values()))
        elif self.verb == "influence":
            worth = float(self.borough.influence_tokens)
        return max(0.0, worth - FALLBACK)

    def _loss(self, seat: int, terms: Terms, *, coins: int = 0, other: int | None = None) -> float:
        """Return what a seat loses if it is to marry on these terms, or another bride."""
        if self.bride is None:
            return 0.0
        purse, was = self.purse_of(seat), self.terms_of(seat)
        charm = self.bride.charm
        if not was.can_be_paid(charm, purse):  # unless it has help, for which this is too much
            return 0.1
        now = charm if other is None else other
        if not terms.can_be_paid(now, purse._replace(coins=purse.coins - coins)):
            return self._failure(seat)
        dearer = coins + terms.bribe(now) - was.bribe(charm)
        return terms.forfeit() - was.forfeit() + dearer * self.outlook.coin

    def _bride_by(self, argument: Sequence[str]) -> int:
        """Return the charm of the bride whom a beguiler or a tutor brings."""
        if len(argument) == 1:
            return CHARM[argument[0]]
        place, name = argument
        bride = self.outlook.boroughs[name].brides.at(as_place(place))
        assert bride is not None, "only legal if there is one"
        return bride.charm

    # -- in our own turn --------------------------------------------------------------------------

    def _preparing(self, kind: str, argument: Sequence[str]) -> float:
        """Weigh a play before our action is completed."""
        outlook = self.outlook
        if kind == "giovanni":
            there = outlook.workers(outlook.boroughs[argument[0]])
            return there - outlook.workers(self.borough)
        if kind in ("jester", "antonio"):
            return self._common(argument[0]) - self._common(self.borough.borough)
        if kind in ("double", "ansaldo"):
            return 2 * TRIFLE
        assert self.bride is not None, "all others are played for a marriage"
        if kind in KILLERS:
            wed = self.bride.married_seat is not None
            return outlook.murder(self.borough, self.place) if wed else -1.0
        if kind in ("thief", "gabriele"):
            return self._stealing(kind, argument)
        if kind == "merchant":
            short = self.terms_of(outlook.seat).bribe(self.bride.charm) > outlook.me.coins
            return outlook.selling(argument[0]) + (SAVED if short else 0.0)
        return self._easing(kind, argument, self.bride)

    def _easing(self, kind: str, argument: Sequence[str], bride: Bride) -> float:
        """Weigh what makes a marriage cheaper, or possible at all."""
        outlook = self.outlook
        purse, was = self.purse_of(outlook.seat), self.terms_of(outlook.seat)
        now, charm = was, bride.charm
        if kind in SHIFTS:
            now = was.shifted(kind)
        else:
            charm = self._bride_by(argument)
        saved = float(was.forfeit() - now.forfeit())
        saved += (was.bribe(bride.charm) - now.bribe(charm)) * outlook.coin
        short = not was.can_be_paid(bride.charm, purse)
        return saved + (SAVED if short and saved > 0 else 0.0)

    def _common(self, name: str) -> float:
        common = self.outlook.boroughs[name].common
        return self.outlook.common(common) if common else 0.0

    def _stealing(self, kind: str, argument: Sequence[str]) -> float:
        """Weigh a theft."""
        outlook = self.outlook
        seats = [seat_of(word) for word in argument] or [one.seat for one in self.rivals()]
        worth = 0.0
        for seat in seats:
            coins = min(STEALS[kind], outlook.view.players[seat].coins)
            worth += coins * outlook.coin + outlook.harm(coins * outlook.coin, seat)
        return worth

    def _following(self, kind: str, argument: Sequence[str]) -> float:
        """Weigh a play after our action."""
        outlook, colour = self.outlook, self.borough.colour
        if kind in KILLERS:
            return self._killing(argument[0])
        if kind in ("wine", "extra-worker"):
            return outlook.worker(colour)
        if kind in ("two-ducati", "raineo"):
            return outlook.coin
        if kind == "merchant":
            return outlook.selling(argument[0])
        if kind == "mediator":
            return outlook.worker(argument[0]) - outlook.worker(colour, -1)
        if kind == "defamer":
            seat = seat_of(argument[0])
            return outlook.harm(SLOWED[kind], seat) if seat in self.here.queue else 0.0
        if kind in SLOWED:
            return sum([outlook.harm(SLOWED[kind], seat) for seat in self.here.queue])
        return self._stealing(kind, argument) if kind in STEALS else 0.0

    def _killing(self, target: str) -> float:
        if target in ADDITIONAL:
            return self.outlook.murder(self.borough, as_place(target))
        seat = seat_of(target)
        return self.outlook.harm(DUE, seat) if seat in self.here.queue else 0.0
