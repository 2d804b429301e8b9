"""What the bots of Bribery share: what they see, the board after an action, what a board brings.

This is no bot. It needs no engine either: it starts sooner without, and reckons with chances.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

from arena.bot import Bot

COUNTRIES = {"s": 5, "h": 4, "d": 3, "c": 2}
"""The points of each suit."""
JOKERS = {"joker-1": 1, "joker-2": 1, "joker-3": 2, "joker-4": 1}
"""The points of each joker; what #1 and #2 add to others is reckoned in this order."""
VOTES = {"a": 5, "k": 4, "q": 3, "j": 2}
"""By rank."""
OFFICIALS = {suit: [rank + suit for rank in VOTES] for suit in COUNTRIES}
"""The officials of each country."""
SUITS = frozenset(COUNTRIES)
CARDS = {f"{value}{suit}": value for suit in COUNTRIES for value in range(2, 11)}
"""The printed value of each bribe."""
MEAN = sum(CARDS.values()) / len(CARDS)
MEAN_SQUARE = sum([value * value for value in CARDS.values()]) / len(CARDS)

LOGISTIC = 0.6
"""The spread of the logistic curve that is most like a normal one with a deviation of 1."""
PROTECTED = 0.6
"""How likely it is that an ability is cancelled by a side that can: a guess."""


class Bribe(NamedTuple):
    """A bribe, and the side that it counts for."""

    card: str
    side: int


Pile = tuple[Bribe, ...]
Board = Mapping[str, Pile]
"""The bribes on each official in play, and on those that are still to be played: none."""
BySide = tuple[float, ...]


# -- what the bots see ----------------------------------------------------------------------------


class SeenBribe(msgspec.Struct):
    """A bribe as a view shows it, on the board or discarded."""

    card: str
    seat: int


class Official(msgspec.Struct):
    """An official on the board."""

    card: str
    face_down: bool
    bribes: list[SeenBribe]


class Controlled(msgspec.Struct):
    """Who controls an official."""

    card: str
    controller: int | None


class Control(msgspec.Struct):
    """Who controls what."""

    officials: list[Controlled]


class Pending(msgspec.Struct):
    """An ability that is paid and not yet settled."""

    seat: int
    source: str
    spent: str
    target: str


class View(msgspec.Struct):
    """The part of a seat's view that these bots look at; the rest is not even decoded."""

    side: int
    sides: list[list[int]]
    jokers: list[str]
    phase: str
    pending: Pending | None
    hand: list[str]
    board: list[Official]
    discards: list[SeenBribe]
    control: Control


def board_of(view: View) -> Board:
    """Return the board: without officials that are out of play, with those that will come."""
    sides = len(view.sides)
    suited = [official for officials in OFFICIALS.values() for official in officials]
    board: dict[str, Pile] = dict.fromkeys([*suited, *view.jokers], ())
    for official in view.board:
        board[official.card] = tuple([Bribe(one.card, one.seat % sides) for one in official.bribes])
        if official.face_down:
            del board[official.card]
    return board


def to_come(view: View) -> list[int]:
    """Return how many bribes each side has not played yet: all sides were dealt as many."""
    sides = len(view.sides)
    left = [len(CARDS) // sides] * sides
    for played in [*view.discards, *[one for official in view.board for one in official.bribes]]:
        left[played.seat % sides] -= 1
    return left


# -- boards ---------------------------------------------------------------------------------------


def put(board: Board, bribe: Bribe, official: str) -> Board:
    """Return the board with one more bribe on an official."""
    return {**board, official: (*board[official], bribe)}


def take(board: Board, card: str, official: str) -> tuple[Board, Bribe]:
    """Return the board with one bribe less on an official, and that bribe."""
    pile = board[official]
    (taken,) = [bribe for bribe in pile if bribe.card == card]
    return {**board, official: tuple([bribe for bribe in pile if bribe != taken])}, taken


def move(board: Board, card: str, origin: str, destination: str) -> Board:
    """Return the board with a bribe on another official."""
    left, bribe = take(board, card, origin)
    return put(left, bribe, destination)


def open_suits(official: str, pile: Pile) -> frozenset[str]:
    """Return the suits that bribes on an official may still have, unless Joker #4 frees them."""
    return SUITS.difference(official[1], [bribe.card[-1] for bribe in pile])


# -- what a board brings --------------------------------------------------------------------------


class Grip(NamedTuple):
    """How likely each side is to control an official at the end, and how likely to dominate it."""

    controls: BySide
    dominates: BySide

    @property
    def factors(self) -> BySide:
        """What each side's control counts on average: domination counts twice."""
        return tuple([once + again for once, again in zip(*self, strict=True)])


def strongest(values: Sequence[float]) -> BySide:
    """Return 1 for the greatest value, if it is above 0 and no other is equal, else 0."""
    best = max(values)
    alone = best > 0 and values.count(best) == 1
    return tuple([float(alone and value == best) for value in values])


def chances(values: Sequence[float], deviation: float) -> BySide:
    """Return how likely each value is to be the greatest, when they still change by chance."""
    if deviation < 0.001:
        return strongest(values)
    best = max(values)
    weights = [math.exp((value - best) / (LOGISTIC * deviation)) for value in values]
    whole = sum(weights)
    return tuple([weight / whole for weight in weights])


class Prospect:
    """What boards bring by the end, if so many bribes of each side still come to open places.

    With none to come, it is exactly what the boards bring as they are. One of these is for boards
    that differ little, as it remembers what it has worked out.
    """

    def __init__(self, board: Board, to_come: Sequence[int]) -> None:
        number = sum(to_come)
        self._nothing: BySide = (0.0,) * len(to_come)
        self._shares = [each / number for each in to_come] if number else self._nothing
        """Of the bribes to come, by side."""
        places = sum([len(open_suits(official, pile)) for official, pile in board.items()])
        self._rate = number / places if places else 0.0
        """How many of them come to each place, a suit that is open at an official."""
        self._grips: dict[tuple[str, Pile, BySide], Grip] = {}
        self._countries: dict[tuple[object, ...], BySide] = {}

    def points(self, board: Board) -> list[float]:
        """Return the points of each side, on average."""
        points = list(self._nothing)
        value_bonus = vote_bonus = self._nothing
        for joker, worth in JOKERS.items():
            if joker in board:
                factors = self._grip(joker, board[joker], value_bonus).factors
                if joker == "joker-1":
                    value_bonus = factors
                elif joker == "joker-2":
                    vote_bonus = factors
                for side, factor in enumerate(factors):
                    points[side] += worth * factor
        for suit, worth in COUNTRIES.items():
            for side, factor in enumerate(self._country(suit, board, value_bonus, vote_bonus)):
                points[side] += worth * factor
        return points

    def _country(self, suit: str, board: Board, value_bonus: BySide, vote_bonus: BySide) -> BySide:
        """Return what each side's control of a country counts, on average."""
        piles = [board.get(official) for official in OFFICIALS[suit]]
        key = (suit, *piles, value_bonus, vote_bonus)
        if (known := self._countries.get(key)) is not None:
            return known
        votes = list(self._nothing)
        variance = 0.0
        nobody = 1.0  # has votes here
        alone = [1.0] * len(votes)  # nobody else has
        for official, pile in zip(OFFICIALS[suit], piles, strict=True):
            if pile is None:  # out of play
                continue
            grip = self._grip(official, pile, value_bonus)
            worth = VOTES[official[0]]
            somebody = sum(grip.controls)
            nobody *= 1 - somebody
            for side, (controls, dominates) in enumerate(zip(*grip, strict=True)):
                factor = controls + dominates
                votes[side] += worth * factor + vote_bonus[side] * controls
                variance += worth * worth * (controls + 3 * dominates - factor * factor)
                alone[side] *= 1 - somebody + controls
        wins = chances(votes, math.sqrt(max(0.0, variance)))
        factors = tuple([win + one - nobody for win, one in zip(wins, alone, strict=True)])
        self._countries[key] = factors
        return factors

    def _grip(self, official: str, pile: Pile, value_bonus: BySide) -> Grip:
        key = (official[1], pile, value_bonus)  # those of a suit are alike, and so are jokers
        known = self._grips.get(key)
        if known is None:
            known = self._grips[key] = self._work_out_grip(official, pile, value_bonus)
        return known

    def _work_out_grip(self, official: str, pile: Pile, value_bonus: BySide) -> Grip:
        totals = list(self._nothing)
        for card, side in pile:
            totals[side] += CARDS[card] + value_bonus[side]
        now = strongest(totals)
        arriving = self._rate * len(open_suits(official, pile))
        present = {side for _, side in pile}
        if len(present) == 1:  # who does not mind more bribes of its own
            stays = math.exp(-arriving * (1 - self._shares[present.pop()]))
            dominates = tuple([stays * has for has in now])
        else:
            stays = math.exp(-arriving)
            dominates = self._nothing
        if stays == 1:
            return Grip(now, dominates)
        number = arriving / (1 - math.exp(-arriving))  # if any come
        means = [
            total + number * MEAN * share for total, share in zip(totals, self._shares, strict=True)
        ]
        later = chances(means, math.sqrt(number * MEAN_SQUARE))
        controls = [stays * a + (1 - stays) * b for a, b in zip(now, later, strict=True)]
        return Grip(tuple(controls), dominates)


# -- bots -----------------------------------------------------------------------------------------


class BriberyBot(Bot):
    """A bot that does what leads to the board that it thinks worth most.

    What points are worth, which bribes are reckoned with and what is paid makes a style.
    """

    games: ClassVar[Sequence[str]] = ("bribery",)
    view_type: ClassVar[Any] = View
    patience: ClassVar[float] = 0.0
    """What an ability must gain to be used, in points; below 0 where even a loss is fine."""

    view: View
    board: Board
    prospect: Prospect

    def act(self, view: View, legal: list[str]) -> str:
        """Return the action that is chosen by what all are worth; a forced one at once."""
        if len(legal) == 1:
            return legal[0]
        self.view = view
        self.board = board_of(view)
        self.prospect = Prospect(self.board, self.expected())
        return self.choose({action: self._worth(action) for action in legal})

    def choose(self, worths: Mapping[str, float]) -> str:
        """Return the action that is worth most; of equals that with the lowest bribe."""
        return max(worths, key=lambda action: (worths[action], -_value(action)))

    def weigh(self, points: Sequence[float]) -> float:
        """Return what it is worth that the sides have these points."""
        raise NotImplementedError

    def expected(self) -> list[int]:
        """Return how many bribes of each side to reckon with: none, the board as it is."""
        return [0] * len(self.view.sides)

    def lead(self, points: Sequence[float]) -> float:
        """Return how far we are ahead of the others' mean."""
        own = points[self.view.side]
        return own - (sum(points) - own) / (len(points) - 1)

    def _worth(self, action: str) -> float:
        match action.split():
            case ["bribe", card, official]:
                return self._weigh(put(self.board, Bribe(card, self.view.side), official))
            case ["ability", source, card, target]:
                return self._weigh_ability(source, card, target)
            case ["protect", card]:
                heart = _heart_of(self._pending().target)
                return self._weigh(take(self.board, card, heart)[0])
            case ["allow"]:
                pending = self._pending()
                by = pending.seat % len(self.view.sides)
                spent = Bribe(pending.spent, by)
                return self._weigh_effect(self.board, pending.source, spent, pending.target)
            case ["swindle", card, official]:
                return self._weigh(move(self.board, card, self._pending().target, official))
            case ["no-ability"]:
                return self.unchanged() + self.patience
        return self.unchanged()  # to bribe nobody does not change what all have

    def unchanged(self) -> float:
        """Return what the board is worth as it is."""
        return self._weigh(self.board)

    def _weigh(self, board: Board) -> float:
        return self.weigh(self.prospect.points(board))

    def _pending(self) -> Pending:
        assert self.view.pending is not None, "only asked while an ability is pending"
        return self.view.pending

    def _weigh_ability(self, source: str, card: str, target: str) -> float:
        """Weigh an ability; where another side can cancel it, that often happens."""
        paid, spent = take(self.board, card, source)
        effect = self._weigh_effect(paid, source, spent, target)
        controllers = {one.card: one.controller for one in self.view.control.officials}
        if controllers.get(_heart_of(target)) in (None, self.view.side):
            return effect
        return PROTECTED * self._weigh(paid) + (1 - PROTECTED) * effect

    def _weigh_effect(self, paid: Board, source: str, spent: Bribe, target: str) -> float:
        """Weigh what comes of an ability that is paid and not cancelled."""
        if source[1] == "c":
            return self._weigh({card: pile for card, pile in paid.items() if card != target})
        if source[1] == "s":
            return self._weigh(put(paid, spent, target))
        swindles = [
            self._weigh(move(paid, bribe.card, target, official.card))
            for bribe in paid[target]
            for official in self.view.board
            if official.card in paid
            and bribe.card[-1] in open_suits(official.card, paid[official.card])
        ] or [self._weigh(paid)]  # all of them need Joker #4, which is left out here
        return max(swindles) if spent.side == self.view.side else min(swindles)


def _heart_of(official: str) -> str:
    """Return the official that protects those of a rank."""
    return f"{official[0]}h"


def _value(action: str) -> int:
    """Return the value of the bribe that an action spends or moves, if any."""
    return max([CARDS.get(word, 0) for word in action.split()])
