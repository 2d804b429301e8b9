"""Declare a game by passing a few functions and a table of variants to the class `Game`."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, Self, TypeVar

import msgspec

from engine.contract import Variant, draw_consistent_state
from engine.default_encoding import DefaultEncoding
from engine.encoding import Encoding
from engine.errors import IllegalAction, InvalidDeal, UnknownVariant
from engine.fields import RawJson, read_struct
from engine.log import Log
from engine.plugins import get_variant, hookimpl
from engine.state import GameState, Rules, Score, build_state
from engine.worlds import load


class AnyPosition(Protocol):
    seat_to_act: int | None

    def copy(self) -> Self: ...


@dataclass
class Position:
    """Base class for dataclasses that store the position of a game."""

    seat_to_act: int | None = field(default=0, kw_only=True)
    log: Log = field(default_factory=Log, kw_only=True)

    def copy(self) -> Self:
        other = copy(self)
        for name, value in vars(self).items():
            setattr(other, name, _copied(value))
        return other


def _copied(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied(each) for each in value]
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    return value.copy() if isinstance(value, set | Log) else value


Options = TypeVar("Options")
AnyDeal = TypeVar("AnyDeal", bound=msgspec.Struct)
Place = TypeVar("Place", bound=AnyPosition)
AnyView = TypeVar("AnyView", bound=msgspec.Struct)
Facts = Iterable[tuple[str, str]]


class NoChance(msgspec.Struct, frozen=True):
    """The deal of a game without chance."""


def _no_deals(_: object) -> Sequence[tuple[msgspec.Struct, float]]:
    return [(NoChance(), 1.0)]


class Game(Generic[Options, AnyDeal, Place, AnyView]):
    def __init__(  # noqa: PLR0913  # everything a game can declare
        self,
        name: str,
        options: Mapping[str, Options],
        view_type: type[AnyView],
        *,
        start: Callable[[Options, AnyDeal], Place],
        apply: Callable[[Place, str], None],
        score: Callable[[Place], Sequence[Score]],
        view: Callable[[Place, int | None], AnyView],
        actions: Sequence[str] = (),
        legal_actions: Callable[[Place], list[str]] | None = None,
        deal_type: type[AnyDeal] = NoChance,  # type: ignore[assignment]
        deal: Callable[[Options, random.Random], AnyDeal] | None = None,
        facts: Callable[[Options, AnyDeal], Facts] = lambda _, __: (),
        list_deals: Callable[[Options], Sequence[tuple[AnyDeal, float]]] | None = None,
        events: Callable[[Place, int | None, int], list[Any]] | None = None,
        points: Callable[[Place], Sequence[int]] | None = None,
        result: Callable[[Place], msgspec.Struct] | None = None,
        win_weight: Callable[[Sequence[Any]], int] | None = None,
        redraw: Callable[[Place, int, random.Random], Place] | None = None,
        encoding: Callable[[Options, int], Encoding] | None = None,
        play_out: Callable[[Place, random.Random], int] | None = None,
        forget: Callable[[Place], None] | None = None,
        checks_actions: bool = False,
        max_decisions: int = Variant.max_decisions,
        rules_version: int = 1,
    ) -> None:
        """Declare a game.

        Args:
            name: The part of variant ids before the slash.
            options: Maps the part of each variant's id after the slash to a number of seats, or to
                an object with `seats` and optionally `teams` and `max_decisions`.
            view_type: The type of views, a Struct with type annotations.
            start: Returns the position before the first decision.
            apply: Applies a legal action and sets `seat_to_act`.
            score: Returns the score of each side in a finished game, which is a number or a tuple
                that begins with the points (sides with equal scores share a rank).
            view: Returns the view of a seat, or of a spectator if the seat is None.
            actions: A list of all actions, used for machine learning.
            legal_actions: Returns the legal actions of the seat to act, in an order that does not
                depend on anything hidden from this seat (default: all `actions`).
            deal_type: A Struct that contains everything random in a game.
            deal: Returns a random deal (default: draws one of `list_deals`).
            facts: Yields each field of a deal with an error message (see `engine.fields`).
            list_deals: Returns all deals with their probabilities.
            events: Returns the events of a seat, from a given index on (default: reads the log).
            points: Returns the points of each side (default: the first part of its score).
            result: Returns the details of a finished game.
            win_weight: Returns how many wins a win with these scores counts as.
            redraw: Returns a copy of a position in which everything a seat cannot know is random,
                using only the seat's knowledge and the generator (default: tries random deals).
            encoding: Returns an encoding with room for a given number of recent events (default: an
                encoding derived from `view_type`).
            play_out: Plays a game to the end at random, faster than one action at a time.
            forget: Removes past events and caches from a position (default: empties the log if
                there is a `redraw`; see `State.dump`).
            checks_actions: True if the engine does not need to check actions, because `apply`
                raises `IllegalAction` and `legal_actions` is empty at the end of a game.
            max_decisions: See `Variant`.
            rules_version: See `Variant`.
        """
        self.name = name
        self.deal_type, self.view_type = deal_type, view_type
        self.list_deals = list_deals or (_no_deals if deal_type is NoChance else None)
        self.deal, self.start, self.score, self.view = deal, start, score, view
        listing = legal_actions or (lambda _: list(actions))
        self.declared = {"legal_actions": listing, "apply": apply}
        self.legal_actions, self.apply = listing, apply
        if not checks_actions:
            self.legal_actions, self.apply = _checking(listing, apply)
        self.facts, self.actions = facts, actions
        self.events, self.has_events = events or _read_log, events is not None
        self.points, self.result, self.win_weight = points, result, win_weight
        self.redraw, self.encoding, self.play_out = redraw, encoding, play_out
        # Without `redraw`, the log is needed to draw further worlds from a world.
        self.forget = forget or (_forget_log if redraw else None)
        self.max_decisions, self.rules_version = max_decisions, rules_version
        self.variants = [GameVariant(self, key, each) for key, each in options.items()]

    @hookimpl
    def register_variants(self) -> Sequence[Variant]:
        """Return the variants of the game. The method implements a plugin hook."""
        return self.variants


class GameVariant(Variant):
    def __init__(self, game: Game[Any, Any, Any, Any], name: str, options: Any) -> None:
        self.declaration, self.options = game, options
        self.id = f"{game.name}/{name}"
        self.seats = options if isinstance(options, int) else options.seats
        self.teams = getattr(options, "teams", None)
        self.max_decisions = getattr(options, "max_decisions", game.max_decisions)
        self.rules_version = game.rules_version
        self.deal_type, self.view_type = game.deal_type, game.view_type
        self.rules = rules = Rules()
        rules.variant = self
        rules.side_of = tuple(
            [next(i for i, side in enumerate(self.sides) if s in side) for s in range(self.seats)]
        )
        rules.legal_actions, rules.apply, rules.view = game.legal_actions, game.apply, game.view
        rules.events, rules.score, rules.points = game.events, game.score, game.points
        rules.result, rules.win_weight, rules.play_out = game.result, game.win_weight, game.play_out
        rules.forget = game.forget
        rules.redraw = game.redraw or self._redraw

    def __reduce__(self) -> str | tuple[Any, ...]:
        try:
            known = get_variant(self.id)
        except UnknownVariant:
            known = None
        return (get_variant, (self.id,)) if known is self else super().__reduce__()

    @property
    def home(self) -> str:
        return self.declaration.start.__module__

    @property
    def parameters(self) -> Any:
        return self.options

    def deal(self, rng: random.Random) -> msgspec.Struct:
        if self.declaration.deal is not None:
            drawn: msgspec.Struct = self.declaration.deal(self.options, rng)
            return drawn
        deals, weights = zip(*(self.list_deals() or ()), strict=True)
        (drawn,) = rng.choices(deals, weights)
        return drawn

    def list_deals(self) -> Sequence[tuple[msgspec.Struct, float]] | None:
        listing = self.declaration.list_deals
        return None if listing is None else listing(self.options)

    def read_deal(self, raw: RawJson) -> msgspec.Struct:
        deal = read_struct(raw, self.deal_type)
        for name, wrong in self.declaration.facts(self.options, deal):
            if wrong:
                raise InvalidDeal(name, wrong)
        listed = self.list_deals()
        if listed is not None and deal not in [each for each, _ in listed]:
            raise InvalidDeal(next(iter(deal.__struct_fields__)), f"{deal} is not among the deals")
        return deal

    def start(self, deal: msgspec.Struct) -> GameState:
        assert isinstance(deal, self.deal_type), f"expected a deal of {self.id}, got {deal!r:.80}"
        return build_state(self, self.declaration.start(self.options, deal))

    def load(self, raw: bytes) -> GameState:
        return build_state(self, load(self, raw))

    def _redraw(self, position: Any, seat: int, rng: random.Random) -> Any:
        return draw_consistent_state(self, build_state(self, position), seat, rng).position  # type: ignore[attr-defined]

    def encoding(self, history: int = 0) -> Encoding:
        game = self.declaration
        if game.encoding is not None:
            return game.encoding(self.options, history)
        name = f"{self.id} default encoding 1"
        return DefaultEncoding(name, self.view_type, game.actions, history)


def _checking(
    legal_actions: Callable[[Any], list[str]], apply: Callable[[Any, str], None]
) -> tuple[Callable[[Any], list[str]], Callable[[Any, str], None]]:
    def list_legal(position: Any) -> list[str]:
        return [] if position.seat_to_act is None else list(legal_actions(position))

    def apply_legal(position: Any, action: str) -> None:
        legal = list_legal(position)
        if action not in legal:
            raise IllegalAction(action, position.seat_to_act, legal)
        apply(position, action)

    return list_legal, apply_legal


def _forget_log(position: Any) -> None:
    if hasattr(position, "log"):
        position.log = Log()


def _read_log(position: Any, seat: int | None, since: int) -> list[msgspec.Struct]:
    log: Log | None = getattr(position, "log", None)
    return [] if log is None else log.events(seat, since)
