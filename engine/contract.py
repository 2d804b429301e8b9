"""The interface of every game: a `Variant` makes deals and states, and a `State` is a position.

A state is a pure function of the variant, the deal and the actions so far. The deal contains all
the chance in a game. Only `deal`, `play_out` and `determinize` draw random numbers, and only
from the generator passed to them.
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
"""Maximum number of positions the default `determinize` tries."""


class Standing(msgspec.Struct, frozen=True):
    points: tuple[int, ...]
    ranks: tuple[int, ...]


class Outcome:
    """The outcome of a finished game. Teammates share points and rank."""

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
        """The rank of each seat, starting at 1. Ties share a rank, and the next rank is skipped: 1,
        1, 3."""
        self.win_weight = win_weight
        """How many wins a win in this game counts as."""
        self._describe = describe

    @property
    def detail(self) -> msgspec.Struct:
        """Return the details defined on the rules page."""
        return self._describe() if self._describe else Standing(self.points, self.ranks)


class State(Protocol):
    """A position in a game.

    Compiled states do not inherit from this class, because inheritance would make calls slower.
    """

    __slots__ = ()  # a game with slots of its own saves time and memory

    variant: "Variant"
    seat_to_act: int | None
    """The seat to act, or None if the game is over."""

    @abstractmethod
    def legal_actions(self) -> list[str]:
        """Return the legal actions in the order defined on the rules page.

        The list is empty only when the game is over. The caller may modify it.
        """

    @abstractmethod
    def apply(self, action: str) -> None:
        """Apply `action` for the seat to act.

        Raises:
            IllegalAction: `action` is not in `legal_actions()`. The state is unchanged.
        """

    @abstractmethod
    def view(self, seat: int | None) -> msgspec.Struct:
        """Return what `seat` knows now. Pass None for a spectator.

        All views of a seat have the same JSON fields, so no field may be `UNSET`.
        """

    @abstractmethod
    def events(self, seat: int | None, since: int = 0) -> Sequence[msgspec.Struct]:
        """Return the events that `seat` sees, starting at index `since`. Pass None for a spectator.

        The events of each seat are indexed from 0 and never change.
        """

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return the outcome of a finished game.

        Raises:
            GameNotOver: The game is still running.
        """

    @abstractmethod
    def clone(self) -> Self:
        """Return an independent copy."""

    def play_out(self, rng: random.Random) -> int:
        """Play random actions until the game is over and return their number.

        Each action must be `legal[int(rng.random() * len(legal))]`, even if only one action is
        legal.

        Raises:
            EndlessGame: The game is still running after `max_decisions` actions.
        """
        return play_at_random(self, rng)

    def determinize(self, seat: int, rng: random.Random) -> "State":
        """Return a world: a copy in which everything `seat` cannot know is drawn at random.

        The world depends only on the seat's knowledge and on `rng`, and looks the same to `seat`
        as this state. The default implementation tries random deals and actions until all views
        and events agree.

        Raises:
            NoWorldFound: No world was found within `MAX_POSITIONS` positions.
        """
        return draw_as_told(self.variant, self, seat, rng)

    def dump(self) -> bytes:
        """Return the state as JSON for `Variant.load`."""
        return dump(self.variant, self)


def play_at_random(state: State, rng: random.Random) -> int:
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
    """The rules of a game for a given number of seats, teams and options."""

    id: str
    """The registered name, such as `pot-de-vin/4-teams`."""
    seats: int
    teams: tuple[tuple[int, ...], ...] | None = None
    """The seats of each team, if any."""
    max_decisions: int = 10_000
    """Maximum number of decisions in a game. The referee reports longer games as broken."""
    on_request: bool = False
    """Whether only runs that name the variant or its game include the variant. Another plugin may
    replace it by registering the same id."""
    has_worlds: bool = True
    """Whether states support `determinize`. Bots that request worlds cannot play a variant without
    them."""
    rules_version: int = 1
    """Increase this number whenever the same deal and actions no longer lead to the same game."""
    deal_type: type[msgspec.Struct]
    """The type of deals. Required unless the game overrides `read_deal`."""
    view_type: type[msgspec.Struct]
    """The type that `State.view` returns, for decoding views from JSON."""

    @cached_property
    def game(self) -> str:
        """The part of `id` before the slash."""
        return self.id.partition("/")[0]

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side. A side is a team or a single seat."""
        return self.teams or tuple((seat,) for seat in range(self.seats))

    @abstractmethod
    def deal(self, rng: random.Random) -> msgspec.Struct:
        """Draw a random deal."""

    def list_deals(self) -> Sequence[tuple[msgspec.Struct, float]] | None:
        """Return all deals with their probabilities, or None if there are too many to list.

        Exact measures such as exploitability need this list.
        """
        return None

    @cached_property
    def has_one_deal(self) -> bool:
        """Whether every game has the same deal, in which case deterministic bots always repeat the
        same game.
        """
        listed = self.list_deals()
        return listed is not None and len(listed) == 1

    def read_deal(self, raw: RawJson) -> msgspec.Struct:
        """Convert a JSON object to a deal. The default implementation checks only the types of
        fields.

        Raises:
            InvalidDeal: `raw` is not a deal of this variant. The error names the field.
        """
        return read_struct(raw, self.deal_type)

    @abstractmethod
    def start(self, deal: msgspec.Struct) -> State:
        """Return the state before the first decision."""

    def load(self, raw: bytes) -> State:
        """Return the state that `State.dump` wrote.

        Raises:
            WrongWorld: `raw` comes from another variant, rules version or schema version.
        """
        state: State = load(self, raw)
        return state

    def encoding(self, history: int = 0) -> Encoding:
        """Return an encoding for machine learning that includes the last `history` events.

        The default encoding is derived from the type of views. Actions and values without fixed
        bounds are hashed, unless a game overrides this method.
        """
        return DefaultEncoding(f"{self.id} default encoding 1", self.view_type, history=history)

    def tensor(self, state: State, seat: int) -> Sequence[float]:
        """Return what `seat` sees as a sequence of numbers. Default: the vector of `encoding`."""
        return self._encoding.encode(state, seat)

    @cached_property
    def _encoding(self) -> Encoding:
        return self.encoding()


def draw_as_told(variant: Variant, state: State, seat: int, rng: random.Random) -> State:
    """Search for a random state that is consistent with what `seat` knows.

    Raises:
        NoWorldFound: No such state was found within `MAX_POSITIONS` positions.
    """
    view, told = state.view(seat), _as_json(state.events(seat))
    left = [MAX_POSITIONS]
    while left[0] > 0:
        start = variant.start(variant.deal(rng))
        if found := _play_as_told(start, seat, view, told, rng, left):
            return found
    raise NoWorldFound(variant.id, seat, MAX_POSITIONS)


def _as_json(events: Sequence[object]) -> list[Any]:
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
    """Search for actions after which `seat` has seen the given events and view.

    `left` is a list with the number of positions that may still be searched.
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
