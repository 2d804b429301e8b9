"""Define the classes `Variant` and `State`, which every game implements.

A `Variant` contains the rules of a game and creates its deals and initial states. A `State` is a
position in a game.

Games are deterministic: the variant, the deal and the actions so far determine the state. Only
`deal`, `play_out` and `determinize` draw random numbers, and only from the generator passed to
them.
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


class PointsAndRanks(msgspec.Struct, frozen=True):
    points: tuple[int, ...]
    ranks: tuple[int, ...]


class Outcome:
    """The outcome of a finished game. Teammates have the same points and the same rank."""

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
        """The rank of each seat. If two of three seats share first place, the ranks are 1, 1, 3."""
        self.win_weight = win_weight
        """Number of wins credited to each winner."""
        self._describe = describe

    @property
    def detail(self) -> msgspec.Struct:
        """Return the details of a result, as described in the game's rules."""
        return self._describe() if self._describe else PointsAndRanks(self.points, self.ranks)


class State(Protocol):
    """A position in a game."""

    __slots__ = ()  # lets games define slots of their own

    variant: "Variant"
    seat_to_act: int | None
    """The seat whose turn it is, or None if the game is over."""

    @abstractmethod
    def legal_actions(self) -> list[str]:
        """Return the legal actions in the order given on the rules page.

        The list is empty only if the game is over. Callers may modify the list.
        """

    @abstractmethod
    def apply(self, action: str) -> None:
        """Apply an action of the seat to act.

        Raises:
            IllegalAction: The action is not legal. The state is unchanged.
        """

    @abstractmethod
    def view(self, seat: int | None) -> msgspec.Struct:
        """Return what a seat (or a spectator, if None) knows about the current state.

        All views of a game have the same fields, so no field may be `msgspec.UNSET`.
        """

    @abstractmethod
    def events(self, seat: int | None, since: int = 0) -> Sequence[msgspec.Struct]:
        """Return the events that a seat (or a spectator, if None) can see, starting at index
        `since`.

        Each seat has its own list of events, which starts at index 0 and only grows.
        """

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return the outcome of a finished game.

        Raises:
            GameNotOver: The game is still running.
        """

    @abstractmethod
    def clone(self) -> Self:
        """Return an independent copy of the state."""

    def play_out(self, rng: random.Random) -> int:
        """Play random actions until the game is over, and return the number of actions.

        Implementations must choose each action as `legal[int(rng.random() * len(legal))]`, even if
        only one action is legal.

        Raises:
            EndlessGame: The game did not end within `max_decisions` actions.
        """
        return play_at_random(self, rng)

    def determinize(self, seat: int, rng: random.Random) -> "State":
        """Return a random state, called a world, that is consistent with what a seat knows.

        In a world, the seat has the same view, events and legal actions as in the current state.
        The choice of the world must depend only on `rng` and on what the seat knows.

        Raises:
            NoWorldFound: No consistent state was found among `MAX_POSITIONS` random positions.
        """
        return draw_consistent_state(self.variant, self, seat, rng)

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
    """The rules of a game for a fixed number of seats, with or without teams."""

    id: str
    """The name of the variant, such as `pot-de-vin/4-teams`."""
    seats: int
    teams: tuple[tuple[int, ...], ...] | None = None
    """The seats of each team, or None if the variant has no teams."""
    max_decisions: int = 10_000
    """Maximum number of decisions in a game."""
    on_request: bool = False
    """If true, the variant is played only in runs that request the variant or its game by name."""
    has_worlds: bool = True
    """Whether the variant supports random game states (see `State.determinize`)."""
    rules_version: int = 1
    """Version number of the rules. Increase the version whenever recorded games might replay
    differently."""
    deal_type: type[msgspec.Struct]
    """The Struct type of the variant's deals. Not required if `read_deal` is overridden."""
    view_type: type[msgspec.Struct]

    @cached_property
    def game(self) -> str:
        """The name of the game: the part of `id` before the slash."""
        return self.id.partition("/")[0]

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side. A side is a team or a single seat."""
        return self.teams or tuple((seat,) for seat in range(self.seats))

    @abstractmethod
    def deal(self, rng: random.Random) -> msgspec.Struct:
        """Draw a random deal."""

    def list_deals(self) -> Sequence[tuple[msgspec.Struct, float]] | None:
        """Return all deals and their probabilities, or None if there are too many deals to list."""
        return None

    @cached_property
    def has_one_deal(self) -> bool:
        """Whether all games of the variant have the same deal."""
        listed = self.list_deals()
        return listed is not None and len(listed) == 1

    def read_deal(self, raw: RawJson) -> msgspec.Struct:
        """Convert a JSON object to a deal.

        Raises:
            InvalidDeal: The object is not a deal of the variant. The exception names the field.
        """
        return read_struct(raw, self.deal_type)

    @abstractmethod
    def start(self, deal: msgspec.Struct) -> State:
        """Return the state before the first decision."""

    def load(self, raw: bytes) -> State:
        """Restore a state from the output of `State.dump`.

        Raises:
            WrongWorld: The state belongs to another variant, rules version or schema version.
        """
        state: State = load(self, raw)
        return state

    def encoding(self, history: int = 0) -> Encoding:
        """Return an encoding for machine learning that includes the given number of recent events.

        The default encoding converts the fields of a view to numbers. Actions are hashed, and so
        are fields such as strings, dicts and lists without a maximum length.
        """
        return DefaultEncoding(f"{self.id} default encoding 1", self.view_type, history=history)

    def tensor(self, state: State, seat: int) -> Sequence[float]:
        """Encode what a seat knows as a sequence of numbers."""
        return self._encoding.encode(state, seat)

    @cached_property
    def _encoding(self) -> Encoding:
        return self.encoding()


def draw_consistent_state(variant: Variant, state: State, seat: int, rng: random.Random) -> State:
    """Search for a random state that is consistent with what a seat knows.

    Raises:
        NoWorldFound: No consistent state was found among `MAX_POSITIONS` random positions.
    """
    view, events_of_seat = state.view(seat), _as_json(state.events(seat))
    left = [MAX_POSITIONS]
    while left[0] > 0:
        start = variant.start(variant.deal(rng))
        if found := _search_consistent_state(start, seat, view, events_of_seat, rng, left):
            return found
    raise NoWorldFound(variant.id, seat, MAX_POSITIONS)


def _as_json(events: Sequence[object]) -> list[Any]:
    plain: list[Any] = msgspec.json.decode(msgspec.json.encode(events))
    return plain


def _search_consistent_state(  # noqa: PLR0913
    state: State,
    seat: int,
    view: msgspec.Struct,
    events_of_seat: Sequence[Any],
    rng: random.Random,
    left: list[int],
) -> State | None:
    """Search for a sequence of actions after which a seat has the given view and events."""
    left[0] -= 1
    events = _as_json(state.events(seat))
    if events != events_of_seat[: len(events)]:
        return None
    if len(events) >= len(events_of_seat) and state.view(seat) == view:
        return state
    legal = state.legal_actions()
    rng.shuffle(legal)
    for action in legal:
        if left[0] <= 0:
            break
        after = state.clone()
        after.apply(action)
        if found := _search_consistent_state(after, seat, view, events_of_seat, rng, left):
            return found
    return None
