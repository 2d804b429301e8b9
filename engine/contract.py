"""The interface of every game: `Variant` makes deals and states, `State` is one position.

A state is a pure function of (variant, deal, actions so far). The deal holds all the chance of a
game, so a game can be replayed, rotated and checked without a random generator. Only `deal`,
`imagine` and `determinize` draw, and only from the generator that they are given.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar, Protocol, Self

import msgspec

from engine.encoding import Encoding
from engine.errors import EndlessGame
from engine.hashed_encoding import HashedEncoding

RawJson = object
"""Plain data as `json.loads` returns it: dicts, lists, strings, numbers, booleans, None."""


class Outcome:
    """The end of a game, by seat; seats of a team share its points and its rank."""

    __slots__ = ("_describe", "points", "ranks", "win_weight")

    def __init__(
        self,
        points: tuple[int, ...],
        ranks: tuple[int, ...],
        describe: Callable[[], msgspec.Struct],
        win_weight: int = 1,
    ) -> None:
        self.points = points
        self.ranks = ranks
        """From 1; equal results share a rank and the next rank is skipped: 1, 1, 3."""
        self.win_weight = win_weight
        """The number of wins that the win counts as; 1 in most games."""
        self._describe = describe

    @property
    def detail(self) -> msgspec.Struct:
        """The game's own result, as its rules page defines it.

        It is built when it is asked for, because a playout needs points and ranks only.
        """
        return self._describe()


class State(Protocol):
    """A position of one game.

    A game can inherit from it, or just have its members. The compiled states do so, since a
    compiled class that inherits from a plain one is called more slowly.
    """

    __slots__ = ()  # a game with slots of its own saves time and memory

    variant: "Variant"
    seat_to_act: int | None
    """The seat whose decision is next; None when the game is over."""

    @abstractmethod
    def legal_actions(self) -> list[str]:
        """Return the legal actions of the seat to act, in the order that the rules page fixes.

        The caller may change the list. It is empty only when the game is over.
        """

    @abstractmethod
    def apply(self, action: str) -> None:
        """Carry out `action` for the seat to act.

        Raises:
            IllegalAction: `action` is not among `legal_actions()`; the state is unchanged.
        """

    @abstractmethod
    def view(self, seat: int | None) -> msgspec.Struct:
        """Return what `seat` may know now, or what a spectator may know (None).

        All views of a seat in one game have the same fields in JSON, so none is `UNSET`.
        """

    @abstractmethod
    def events(self, seat: int | None, since: int = 0) -> Sequence[msgspec.Struct]:
        """Return the events that `seat`, or a spectator (None), was told, from number `since` on.

        Events are numbered from 0 for each seat. An event never changes: a later call returns the
        same events, and new ones after them.
        """

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return the outcome of a finished game.

        Raises:
            GameNotOver: a seat still has to act.
        """

    @abstractmethod
    def clone(self) -> Self:
        """Return an independent copy."""

    def play_out(self, rng: random.Random) -> int:
        """Play on at random until the game is over, and return the number of actions.

        Each action is `legal[int(rng.random() * len(legal))]`, a single legal one too. A game
        overrides this for speed, with the same draws.

        Raises:
            EndlessGame: the game goes on after `max_decisions` more actions.
        """
        chance, most = rng.random, self.variant.max_decisions
        actions: list[str] = []
        while (seat := self.seat_to_act) is not None:
            if len(actions) >= most:
                raise EndlessGame(self.variant.id, seat, actions)
            legal = self.legal_actions()
            actions.append(legal[int(chance() * len(legal))])
            self.apply(actions[-1])
        return len(actions)

    def determinize(self, seat: int, rng: random.Random) -> "State":
        """Return a copy in which everything that `seat` cannot know is drawn again.

        The copy agrees with everything that `seat` has seen: `view(seat)` is the same in both.
        A game overrides this for speed, or where a seat knows more than its view shows.
        """
        return self.variant.imagine(self.view(seat), rng)


class Variant(ABC):
    """The rules of a game with a number of seats, teams and options."""

    id: str
    """The name under which it is registered, such as `pot-de-vin/4-teams`."""
    game: str
    """The part of `id` before the slash."""
    seats: int
    teams: tuple[tuple[int, ...], ...] | None
    """The seats of each team, or None when every seat plays for itself."""
    max_decisions: int = 10_000
    """The most decisions of a game, of all seats together. The arena ends a game that goes on after
    them as a broken game. A game that can take longer sets its own bound."""
    rules_version: ClassVar[int]
    """Increased whenever the same deal and actions no longer give the same game."""
    view_type: ClassVar[type[msgspec.Struct]]
    """The type of `State.view`, for decoding a view from JSON."""

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side. Sides are ranked: a side is a team or a single seat."""
        return self.teams or tuple((seat,) for seat in range(self.seats))

    @abstractmethod
    def deal(self, rng: random.Random) -> msgspec.Struct:
        """Draw a fair deal."""

    def list_deals(self) -> Sequence[tuple[msgspec.Struct, float]] | None:
        """Return all deals, each with its probability, or None if there are too many to list.

        With them, measures such as exploitability are those of the game and not of a sample.
        """
        return None

    @abstractmethod
    def read_deal(self, raw: RawJson) -> msgspec.Struct:
        """Return the deal that a JSON object describes.

        Raises:
            InvalidDeal: `raw` is not a deal of this variant; the error names the field.
        """

    @abstractmethod
    def start(self, deal: msgspec.Struct) -> State:
        """Return the state before the first decision; `deal` is a deal of this variant."""

    @abstractmethod
    def imagine(self, view: msgspec.Struct, rng: random.Random) -> State:
        """Return a state whose `view(view.seat)` is `view`; what `view` hides is drawn.

        With it, a bot that sees only views can search with the engine. `view` is the view of a
        seat, not of a spectator.
        """

    def encoding(self, history: int = 0) -> Encoding:
        """Return how actions and views are encoded for learning, with the last `history` events.

        A game overrides this to enumerate its actions and to say what each number of a vector
        means. The default hashes both.
        """
        return HashedEncoding(self.id, history)
