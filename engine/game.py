"""Declarations of games: the functions of a game and its table of variants.

States, checks of deals, events, outcomes and encodings are made from them.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, Self, TypeVar

import msgspec

from engine.contract import Variant, draw_as_told
from engine.default_encoding import DefaultEncoding
from engine.encoding import Encoding
from engine.errors import IllegalAction, InvalidDeal, UnknownVariant
from engine.fields import RawJson, read_struct
from engine.log import Log
from engine.plugins import get_variant, hookimpl
from engine.state import GameState, Rules, Score, build_state
from engine.worlds import load


class AnyPosition(Protocol):
    """What a state needs of a position; games that must be fast have a class of their own."""

    seat_to_act: int | None
    """The seat whose decision is next; None when the game is over."""

    def copy(self) -> Self:
        """Return an independent copy."""
        ...


@dataclass
class Position:
    """A position, for a dataclass with what lies where to inherit from."""

    seat_to_act: int | None = field(default=0, kw_only=True)
    """The seat whose decision is next; None when the game is over."""
    log: Log = field(default_factory=Log, kw_only=True)
    """What seats were told."""

    def copy(self) -> Self:
        """Return a copy with lists, dicts and sets of its own."""
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
"""Fields of a deal, each with what is wrong with it; an empty string if nothing is."""


class NoChance(msgspec.Struct, frozen=True):
    """The deal of a game without chance."""


def _no_deals(_: object) -> Sequence[tuple[msgspec.Struct, float]]:
    return [(NoChance(), 1.0)]


class Game(Generic[Options, AnyDeal, Place, AnyView]):
    """A game: its functions, and the variants that follow from its options."""

    def __init__(  # noqa: PLR0913  # what there is to declare
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
            name: the part of the ids of its variants before the slash.
            options: by the part of an id after the slash: what distinguishes the variant. It is the
                number of seats, or an object with `seats` and, if needed, `teams` and
                `max_decisions`.
            view_type: a Struct with what a seat may know; its fields have types.
            start: makes the position before the first decision. Rules write to its `log`.
            apply: carries out a legal action, and sets `seat_to_act`.
            score: by side, at the end: a number, or a tuple with the points first. The greater
                one ranks higher, equal ones share a rank.
            view: what a seat, or a spectator (None), may know.
            actions: every action, so that learning has a number for each.
            legal_actions: the legal actions of the seat to act, in an order that depends only on
                what this seat sees. The default is all `actions`.
            deal_type: a Struct with all the chance of a game.
            deal: draws a fair deal. The default draws one of `list_deals`.
            facts: what each field of a deal must be, beyond its type; see `engine.fields`.
            list_deals: all deals with their probabilities. Then measures are exact.
            events: what a seat was told, from a number on. The default reads the log.
            points: by side, at the end, if they are not the first part of the scores.
            result: the details of a finished game.
            win_weight: the number of wins that a win with these scores counts as.
            redraw: a copy in which all that a seat cannot know is drawn. It depends only on what
                the seat knows and on the generator. The default tries random deals.
            encoding: for learning, with a number of last events. The default reads `view_type`.
            play_out: plays to the end at random, faster than action by action.
            forget: removes from a position what only its past events and speed need; see
                `State.dump`. The default empties its log.
            checks_actions: `apply` raises `IllegalAction` itself, and `legal_actions` is empty at
                the end.
            max_decisions: see `Variant`.
            rules_version: see `Variant`.
        """
        self.name = name
        self.deal_type, self.view_type = deal_type, view_type
        self.list_deals = list_deals or (_no_deals if deal_type is NoChance else None)
        self.deal, self.start, self.score, self.view = deal, start, score, view
        listing = legal_actions or (lambda _: list(actions))
        self.declared = {"legal_actions": listing, "apply": apply}
        """The functions as they were declared, without the checks around them."""
        self.legal_actions, self.apply = listing, apply
        if not checks_actions:
            self.legal_actions, self.apply = _checking(listing, apply)
        self.facts, self.actions = facts, actions
        self.events, self.tells = events or _read_log, events is not None
        self.points, self.result, self.win_weight = points, result, win_weight
        self.redraw, self.encoding, self.play_out = redraw, encoding, play_out
        self.forget = forget or _forget_log
        self.max_decisions, self.rules_version = max_decisions, rules_version
        self.variants = [GameVariant(self, key, each) for key, each in options.items()]

    @hookimpl
    def register_variants(self) -> Sequence[Variant]:
        """Return the variants: a module with a game is a plugin."""
        return self.variants


class GameVariant(Variant):
    """A variant of a declared game."""

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
        """The module of the game's functions."""
        return self.declaration.start.__module__

    @property
    def parameters(self) -> Any:
        """The options of the variant."""
        return self.options

    def deal(self, rng: random.Random) -> msgspec.Struct:
        """Draw a fair deal."""
        if self.declaration.deal is not None:
            drawn: msgspec.Struct = self.declaration.deal(self.options, rng)
            return drawn
        deals, weights = zip(*(self.list_deals() or ()), strict=True)
        (drawn,) = rng.choices(deals, weights)
        return drawn

    def list_deals(self) -> Sequence[tuple[msgspec.Struct, float]] | None:
        """Return all deals, each with its probability, or None if there are too many to list."""
        listing = self.declaration.list_deals
        return None if listing is None else listing(self.options)

    def read_deal(self, raw: RawJson) -> msgspec.Struct:
        """Return the deal that a JSON object describes; raises `InvalidDeal`."""
        deal = read_struct(raw, self.deal_type)
        for name, wrong in self.declaration.facts(self.options, deal):
            if wrong:
                raise InvalidDeal(name, wrong)
        listed = self.list_deals()
        if listed is not None and deal not in [each for each, _ in listed]:
            raise InvalidDeal(next(iter(deal.__struct_fields__)), f"{deal} is not among the deals")
        return deal

    def start(self, deal: msgspec.Struct) -> GameState:
        """Return the state before the first decision."""
        assert isinstance(deal, self.deal_type), f"expected a deal of {self.id}, got {deal!r:.80}"
        return build_state(self, self.declaration.start(self.options, deal))

    def load(self, raw: bytes) -> GameState:
        """Return the state that `State.dump` wrote."""
        return build_state(self, load(self, raw))

    def _redraw(self, position: Any, seat: int, rng: random.Random) -> Any:
        return draw_as_told(self, build_state(self, position), seat, rng).position  # type: ignore[attr-defined]

    def encoding(self, history: int = 0) -> Encoding:
        """Return how actions and views are encoded for learning; see `Variant.encoding`."""
        game = self.declaration
        if game.encoding is not None:
            return game.encoding(self.options, history)
        name = f"{self.id} default encoding 1"
        return DefaultEncoding(name, self.view_type, game.actions, history)


def _checking(
    legal_actions: Callable[[Any], list[str]], apply: Callable[[Any, str], None]
) -> tuple[Callable[[Any], list[str]], Callable[[Any, str], None]]:
    """Return both functions with what every game must check."""

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
