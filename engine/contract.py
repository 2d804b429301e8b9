"""The interface of every game: `Variant` makes deals and states, `State` is one position.

A state is a pure function of (variant, deal, actions so far). The deal holds all the chance of a
game, so a game can be replayed, rotated and checked without a random generator. Only `deal`
and `determinize` draw, and only from the generator that they are given.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol, Self

import msgspec

from engine.default_encoding import DefaultEncoding
from engine.encoding import Encoding
from engine.errors import EndlessGame, NoWorldFound
from engine.fields import RawJson, read_struct
from engine.worlds import dump, load

MAX_POSITIONS = 20_000
"""The most positions that `draw_as_told` looks at."""


class Standing(msgspec.Struct, frozen=True):
    """The result of a game that declares none of its own, by seat."""

    points: tuple[int, ...]
    ranks: tuple[int, ...]


class Outcome:
    """The end of a game, by seat; seats of a team share its points and its rank."""

    __slots__ = ("_describe", "points", "ranks", "win_weight")

    def __init__(
        self,
        points: tuple[int, ...],
        ranks: tuple[int, ...],
        describe: Callable[[], msgspec.Struct] | None = None,
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
        return self._describe() if self._describe else Standing(self.points, self.ranks)


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
        return play_at_random(self, rng)

    def determinize(self, seat: int, rng: random.Random) -> "State":
        """Return a copy in which everything that `seat` cannot know is drawn again.

        The copy agrees with everything that `seat` has seen: `view(seat)` is the same in both. It
        depends on what the seat knows and on `rng` only. The default draws deals and plays what the
        seat was told; a game overrides it for speed.

        Raises:
            NoWorldFound: none was found in `MAX_POSITIONS` positions.
        """
        return draw_as_told(self.variant, self, seat, rng)

    def dump(self) -> bytes:
        """Return the state as JSON, which `Variant.load` of the same engine turns into a state.

        What was told before may be left out of it: a bot has heard that already.
        """
        return dump(self.variant, self)


def play_at_random(state: State, rng: random.Random) -> int:
    """Play `state` to its end as `State.play_out` does, action by action."""
    chance, most = rng.random, state.variant.max_decisions
    actions: list[str] = []
    while (seat := state.seat_to_act) is not None:
        if len(actions) >= most:
            raise EndlessGame(state.variant.id, seat, actions)
        legal = state.legal_actions()
        actions.append(legal[int(chance() * len(legal))])
        state.apply(actions[-1])
    return len(actions)


class Variant(ABC):
    """The rules of a game with a number of seats, teams and options."""

    id: str
    """The name under which it is registered, such as `pot-de-vin/4-teams`."""
    seats: int
    teams: tuple[tuple[int, ...], ...] | None = None
    """The seats of each team, or None when every seat plays for itself."""
    max_decisions: int = 10_000
    """The most decisions of a game, of all seats together. The arena ends a game that goes on after
    them as a broken game. A game that can take longer sets its own bound."""
    rules_version: int = 1
    """Increased whenever the same deal and actions no longer give the same game."""
    deal_type: type[msgspec.Struct]
    """The type of deals; needed unless the game overrides `read_deal`."""
    view_type: type[msgspec.Struct]
    """The type of `State.view`, for decoding a view from JSON."""

    @cached_property
    def game(self) -> str:
        """The part of `id` before the slash."""
        return self.id.partition("/")[0]

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

    def read_deal(self, raw: RawJson) -> msgspec.Struct:
        """Return the deal that a JSON object describes. The default checks the types of its fields.

        Raises:
            InvalidDeal: `raw` is not a deal of this variant; the error names the field.
        """
        return read_struct(raw, self.deal_type)

    @abstractmethod
    def start(self, deal: msgspec.Struct) -> State:
        """Return the state before the first decision; `deal` is a deal of this variant."""

    def load(self, raw: bytes) -> State:
        """Return the state that `State.dump` wrote.

        Raises:
            WrongWorld: `raw` is of another variant, or of other rules or another schema.
        """
        state: State = load(self, raw)
        return state

    def encoding(self, history: int = 0) -> Encoding:
        """Return how actions and views are encoded for learning, with the last `history` events.

        The default has a number for each part of the view whose type says what it can be, and
        hash values for the others and for actions. A game overrides this to enumerate its actions.
        """
        return DefaultEncoding(f"{self.id} default encoding 1", self.view_type, history=history)


def draw_as_told(variant: Variant, state: State, seat: int, rng: random.Random) -> State:
    """Return a state that is the same to `seat` as `state`, from random deals and actions.

    Raises:
        NoWorldFound: none was found in `MAX_POSITIONS` positions.
    """
    view, told = state.view(seat), _as_json(state.events(seat))
    left = [MAX_POSITIONS]
    while left[0] > 0:
        start = variant.start(variant.deal(rng))
        if found := _play_as_told(start, seat, view, told, rng, left):
            return found
    raise NoWorldFound(variant.id, seat, MAX_POSITIONS)


def _as_json(events: Sequence[object]) -> list[Any]:
    """Return events as they are read from messages, with lists for tuples."""
    plain: list[Any] = msgspec.json.decode(msgspec.json.encode(events))
    return plain


def _play_as_told(  # noqa: PLR0913
    state: State,
    seat: int,
    view: msgspec.Struct,
    told: Sequence[Any],
    rng: random.Random,
    left: list[int],
) -> State | None:
    """Play random actions that agree with all that `seat` was told until it has its `view`.

    Args:
        state: a position; it is changed.
        seat: the seat that knows.
        view: its view.
        told: its events.
        rng: the generator for the order of actions.
        left: the number of positions that may still be looked at.
    """
    left[0] -= 1
    events = _as_json(state.events(seat))
    if events != told[: len(events)]:
        return None
    if len(events) >= len(told) and state.view(seat) == view:
        return state
    legal = state.legal_actions()
    rng.shuffle(legal)
    for action in legal:
        if left[0] <= 0:
            break
        after = state.clone()
        after.apply(action)
        if found := _play_as_told(after, seat, view, told, rng, left):
            return found
    return None
