"""The interface of every game: a `Variant` makes deals and states, a `State` is a position.

A state is a pure function of the variant, the deal and the actions so far. The deal contains all
the chance in a game, so games can be replayed, rotated and checked without a random generator.
Only `deal`, `play_out` and `determinize` use randomness, and only from the generator passed to
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
"""Maximum number of positions that `draw_as_told` searches."""


class Standing(msgspec.Struct, frozen=True):
    """The result, by seat, of a game that doesn't define its own."""

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
        """From 1. Equal results share a rank and the next one is skipped: 1, 1, 3."""
        self.win_weight = win_weight
        """How many wins a win in this game counts as; 1 in most games."""
        self._describe = describe

    @property
    def detail(self) -> msgspec.Struct:
        """Return the game's own result, as defined on its rules page.

        It is built on demand because playouts need only points and ranks.
        """
        return self._describe() if self._describe else Standing(self.points, self.ranks)


class State(Protocol):
    """A position in a game.

    Games may inherit from it or just implement its members. Compiled states implement the
    members, because calls to a compiled class are slower if it inherits from a plain one.
    """

    __slots__ = ()  # a game with slots of its own saves time and memory

    variant: "Variant"
    seat_to_act: int | None
    """The seat that decides next; None when the game is over."""

    @abstractmethod
    def legal_actions(self) -> list[str]:
        """Return the legal actions of the seat to act, in the order the rules page defines.

        The caller may modify the list. It is empty only when the game is over.
        """

    @abstractmethod
    def apply(self, action: str) -> None:
        """Apply `action` for the seat to act.

        Raises:
            IllegalAction: `action` is not in `legal_actions()`. The state is unchanged.
        """

    @abstractmethod
    def view(self, seat: int | None) -> msgspec.Struct:
        """Return what `seat` currently knows, or what a spectator knows (None).

        A seat's views have the same JSON fields throughout a game, so no field may be `UNSET`.
        """

    @abstractmethod
    def events(self, seat: int | None, since: int = 0) -> Sequence[msgspec.Struct]:
        """Return the events that `seat` or a spectator (None) has seen, starting at number `since`.

        Each seat's events are numbered from 0. Events never change: later calls return the same
        ones, followed by any new ones.
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
        """Play random actions until the game is over and return how many.

        Each action is `legal[int(rng.random() * len(legal))]`, even if only one is legal. Games
        can override this for speed, but must make the same draws.

        Raises:
            EndlessGame: The game is still running after `max_decisions` more actions.
        """
        return play_at_random(self, rng)

    def determinize(self, seat: int, rng: random.Random) -> "State":
        """Return a copy in which everything `seat` cannot know is redrawn.

        The copy is consistent with everything the seat has seen, and `view(seat)` is the same in
        both. It depends only on what the seat knows and on `rng`. The default draws deals and
        replays what the seat has seen; games can override it for speed.

        Raises:
            NoWorldFound: No consistent state was found within `MAX_POSITIONS` positions.
        """
        return draw_as_told(self.variant, self, seat, rng)

    def dump(self) -> bytes:
        """Return the state as JSON for `Variant.load` of the same engine version.

        Past events may be omitted, since the bot has already seen them.
        """
        return dump(self.variant, self)


def play_at_random(state: State, rng: random.Random) -> int:
    """Play `state` to the end, one action at a time, with the same draws as `State.play_out`."""
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
    """The seats of each team; None if every seat plays for itself."""
    max_decisions: int = 10_000
    """Maximum number of decisions in a game, over all seats. The arena stops a longer game and
    treats it as broken. Games that can take longer must raise the limit."""
    on_request: bool = False
    """Whether runs play this variant only if they name it or its game."""
    has_worlds: bool = True
    """Whether states can `determinize`. If not, bots that want worlds can't play the variant."""
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
        """The seats of each side. A side is a team or a single seat; sides are ranked."""
        return self.teams or tuple((seat,) for seat in range(self.seats))

    @abstractmethod
    def deal(self, rng: random.Random) -> msgspec.Struct:
        """Draw a fair deal."""

    def list_deals(self) -> Sequence[tuple[msgspec.Struct, float]] | None:
        """Return all deals with their probabilities, or None if there are too many to list.

        If deals are listed, measures such as exploitability are exact rather than estimated from
        a sample.
        """
        return None

    @cached_property
    def has_one_deal(self) -> bool:
        """Whether all games start alike, so that deterministic bots always play the same game."""
        listed = self.list_deals()
        return listed is not None and len(listed) == 1

    def read_deal(self, raw: RawJson) -> msgspec.Struct:
        """Convert a JSON object to a deal. The default checks only field types.

        Raises:
            InvalidDeal: `raw` is not a deal of this variant. The error names the field.
        """
        return read_struct(raw, self.deal_type)

    @abstractmethod
    def start(self, deal: msgspec.Struct) -> State:
        """Return the state before the first decision. `deal` must belong to this variant."""

    def load(self, raw: bytes) -> State:
        """Return the state written by `State.dump`.

        Raises:
            WrongWorld: `raw` has another variant, rules version or schema.
        """
        state: State = load(self, raw)
        return state

    def encoding(self, history: int = 0) -> Encoding:
        """Return an encoding for learning that includes the last `history` events.

        By default, each part of the view whose type bounds its values gets entries of its own.
        Other parts, and actions, are hashed. Games override this to enumerate their actions.
        """
        return DefaultEncoding(f"{self.id} default encoding 1", self.view_type, history=history)

    def tensor(self, state: State, seat: int) -> Sequence[float]:
        """Return what `seat` sees in a state as numbers, by default the vector of `encoding`."""
        return self._encoding.encode(state, seat)

    @cached_property
    def _encoding(self) -> Encoding:
        return self.encoding()


def draw_as_told(variant: Variant, state: State, seat: int, rng: random.Random) -> State:
    """Return a state that `seat` cannot tell from `state`, found by random search.

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
    """Return events as they look when read from messages, with lists instead of tuples."""
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
    """Play random actions consistent with everything `seat` was told, until it has its `view`.

    Args:
        state: The starting position; modified in place.
        seat: The seat whose knowledge must be matched.
        view: Its current view.
        told: Its events so far.
        rng: Orders the actions to try.
        left: How many more positions may be searched.
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
