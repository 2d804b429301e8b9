"""The interface of every game: a `Variant` makes deals and states, a `State` is a position.

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
"""Maximum number of positions searched for a state that agrees with a seat's knowledge."""


class Standing(msgspec.Struct, frozen=True):
    """The default result of a game, by seat."""

    points: tuple[int, ...]
    ranks: tuple[int, ...]


class Outcome:
    """The outcome of a finished game, by seat. Teammates share points and rank."""

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
        """Ranks by seat, from 1. Seats with equal results share a rank, and the next is skipped: 1,
        1, 3."""
        self.win_weight = win_weight
        """The number of wins that a win in this game counts as."""
        self._describe = describe

    @property
    def detail(self) -> msgspec.Struct:
        """Return the game's own result, as defined on its rules page."""
        return self._describe() if self._describe else Standing(self.points, self.ranks)


class State(Protocol):
    """A position in a game.

    Compiled states implement these members without inheriting from this class, which would make
    calls slower.
    """

    __slots__ = ()  # a game with slots of its own saves time and memory

    variant: "Variant"
    seat_to_act: int | None
    """The seat that decides next; None when the game is over."""

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
        """Return what `seat` knows now. None stands for a spectator.

        All views of a seat have the same JSON fields, so no field may be `UNSET`.
        """

    @abstractmethod
    def events(self, seat: int | None, since: int = 0) -> Sequence[msgspec.Struct]:
        """Return the events seen by `seat`, or by a spectator (None), from number `since` on.

        Each seat's events are numbered from 0 and never change.
        """

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return the outcome of a finished game.

        Raises:
            GameNotOver: A seat still has to act.
        """

    @abstractmethod
    def clone(self) -> Self:
        """Return an independent copy."""

    def play_out(self, rng: random.Random) -> int:
        """Play random actions until the game is over and return their number.

        Each action is `legal[int(rng.random() * len(legal))]`, even if only one is legal. Faster
        implementations must draw the same numbers.

        Raises:
            EndlessGame: The game is still running after `max_decisions` actions.
        """
        return play_at_random(self, rng)

    def determinize(self, seat: int, rng: random.Random) -> "State":
        """Return a world: a copy in which everything `seat` cannot know is drawn at random.

        The world depends only on the seat's knowledge and on `rng`, and `seat` cannot tell it from
        this state. The default tries random deals and actions until all views and events agree.

        Raises:
            NoWorldFound: The search ended after `MAX_POSITIONS` positions.
        """
        return draw_as_told(self.variant, self, seat, rng)

    def dump(self) -> bytes:
        """Return the state as JSON that `Variant.load` can read, possibly without past events."""
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
    """A game's rules for a certain number of seats, teams and options."""

    id: str
    """The registered name, such as `pot-de-vin/4-teams`."""
    seats: int
    teams: tuple[tuple[int, ...], ...] | None = None
    """The seats of each team; None if there are no teams."""
    max_decisions: int = 10_000
    """Maximum number of decisions in a game. Longer games count as broken."""
    on_request: bool = False
    """Whether runs include this variant only if they name it or its game. Another variant with the
    same id replaces it."""
    has_worlds: bool = True
    """Whether states have `determinize`. Without it, bots that want worlds can't play the variant.
    """
    rules_version: int = 1
    """Increase this whenever the same deal and actions no longer give the same game."""
    deal_type: type[msgspec.Struct]
    """The type of deals. Required unless the game overrides `read_deal`."""
    view_type: type[msgspec.Struct]
    """The type `State.view` returns, for decoding views from JSON."""

    @cached_property
    def game(self) -> str:
        """The part of `id` before the slash."""
        return self.id.partition("/")[0]

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side. A side is a team, or a seat without a team."""
        return self.teams or tuple((seat,) for seat in range(self.seats))

    @abstractmethod
    def deal(self, rng: random.Random) -> msgspec.Struct:
        """Draw a fair deal."""

    def list_deals(self) -> Sequence[tuple[msgspec.Struct, float]] | None:
        """Return all deals with their probabilities, or None if there are too many to list.

        Measures such as exploitability are exact only if deals are listed.
        """
        return None

    @cached_property
    def has_one_deal(self) -> bool:
        """Whether all games start alike, so that deterministic bots always play the same game."""
        listed = self.list_deals()
        return listed is not None and len(listed) == 1

    def read_deal(self, raw: RawJson) -> msgspec.Struct:
        """Convert a JSON object to a deal. The default checks only the types of its fields.

        Raises:
            InvalidDeal: `raw` is not a deal of this variant. The error names the field.
        """
        return read_struct(raw, self.deal_type)

    @abstractmethod
    def start(self, deal: msgspec.Struct) -> State:
        """Return the state before the first decision, given a deal of this variant."""

    def load(self, raw: bytes) -> State:
        """Return the state that `State.dump` wrote.

        Raises:
            WrongWorld: `raw` has another variant, rules version or schema.
        """
        state: State = load(self, raw)
        return state

    def encoding(self, history: int = 0) -> Encoding:
        """Return an encoding for learning that includes the last `history` events.

        The default encoding is derived from the type of views and hashes what has no bounds.
        Games override this to number all actions and to hash nothing.
        """
        return DefaultEncoding(f"{self.id} default encoding 1", self.view_type, history=history)

    def tensor(self, state: State, seat: int) -> Sequence[float]:
        """Return what `seat` sees in a state as numbers, by default the vector of `encoding`."""
        return self._encoding.encode(state, seat)

    @cached_property
    def _encoding(self) -> Encoding:
        return self.encoding()


def draw_as_told(variant: Variant, state: State, seat: int, rng: random.Random) -> State:
    """Return a random state that `seat` cannot tell from `state`.

    Raises:
        NoWorldFound: None was found within `MAX_POSITIONS` positions.
    """
    view, told = state.view(seat), _as_json(state.events(seat))
    left = [MAX_POSITIONS]
    while left[0] > 0:
        start = variant.start(variant.deal(rng))
        if found := _play_as_told(start, seat, view, told, rng, left):
            return found
    raise NoWorldFound(variant.id, seat, MAX_POSITIONS)


def _as_json(events: Sequence[object]) -> list[Any]:
    """Return events as decoded from JSON, with lists instead of tuples."""
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
    """Play random actions that agree with the events of `seat`, until its view is `view`.

    Args:
        state: The starting position; modified in place.
        seat: The seat.
        view: The current view of the seat.
        told: The events of the seat so far.
        rng: Orders the actions to try.
        left: A list with the number of positions that may still be searched.
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
