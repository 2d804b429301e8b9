"""Replays of games: their pages, and the data that a browser shows.

The data of a replay are the table after the deal and the changes of each action. A table is the
view of a spectator with the differences in the view of each seat. A browser can therefore show the
view of one seat or all hands, without knowing the rules."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final

import msgspec

from arena.match.referee import start_game
from arena.narration.cards import about, cards_of
from arena.narration.moves import tell_moves
from arena.narration.points import SidePoints, explain_points, explain_ranks
from arena.narration.words import Words
from arena.protocol import SeatFault, printable
from arena.publish.layout import game_id, replay_page, rules_page
from arena.publish.render import Renderer
from arena.publish.rules_page import rules_of
from arena.record import GameRecord, Observations
from engine import State
from engine.bribery.cards import JOKER_POINTS, OFFICIALS, POINTS, SUITS, VOTES
from engine.brides_and_bribes import tiles
from engine.pot_de_vin.cards import GUILD_OF, GUILDS

# -- differences between two JSON values, which keep the steps of a replay small -------------------


SAME: Final = None
"""Stands for no change; no delta is None."""

_Delta = dict[str, Any] | list[Any] | None


def delta(old: object, new: object) -> _Delta:
    """Return the delta from `old` to `new`, Structs or plain data; `SAME` if they are equal."""
    if old == new:
        return SAME
    before, after = _fields(old), _fields(new)
    if before is not None and after is not None and before.keys() == after.keys():
        return _changes(before, after)
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        if len(old) == len(new) and all(map(_is_nested, old)) and all(map(_is_nested, new)):
            return _changes(dict(enumerate(old)), dict(enumerate(new)))
        return _splice(old, new)
    return [msgspec.to_builtins(new)]


def _fields(value: object) -> dict[Any, Any] | None:
    if isinstance(value, msgspec.Struct):
        return {field: getattr(value, field) for field in value.__struct_fields__}
    return value if isinstance(value, dict) else None


def _is_nested(value: object) -> bool:
    return isinstance(value, msgspec.Struct | dict | list | tuple)


def _changes(old: dict[Any, Any], new: dict[Any, Any]) -> dict[str, Any]:
    found = {str(key): delta(value, new[key]) for key, value in old.items()}
    return {key: change for key, change in found.items() if change is not SAME}


def _splice(old: Sequence[object], new: Sequence[object]) -> list[Any]:
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    added = [msgspec.to_builtins(item) for item in new[head : len(new) - tail]]
    return [head, len(old) - tail - head, *added]


# -- printed values of cards and tiles -------------------------------------------------------------


class PotDeVinCardData(msgspec.Struct, frozen=True):
    """The guilds in their order, and the guild of each guild card."""

    tips: Mapping[str, str]
    """By card, what it does in one line."""

    guilds: tuple[str, ...]
    guild: Mapping[str, str]


class BriberyCardData(msgspec.Struct, frozen=True):
    """The votes of each official with a suit, and the points of each suit and joker."""

    tips: Mapping[str, str]

    votes: Mapping[str, int]
    points: Mapping[str, int]


class BridesAndBribesCardData(msgspec.Struct, frozen=True):
    """The kind of each tile, the prestige of each character, the charm of each loyal."""

    tips: Mapping[str, str]

    kind: Mapping[str, str]
    prestige: Mapping[str, int]
    charm: Mapping[str, int]


def _pot_de_vin() -> PotDeVinCardData:
    return PotDeVinCardData(_tips("pot-de-vin"), GUILDS, GUILD_OF)


def _bribery() -> BriberyCardData:
    votes = {card: number for card, number in zip(OFFICIALS, VOTES, strict=True) if number}
    of_suits = dict(zip(SUITS, POINTS, strict=True))
    of_jokers = {OFFICIALS[joker]: points for joker, points in JOKER_POINTS.items()}
    return BriberyCardData(_tips("bribery"), votes, of_suits | of_jokers)


def _brides_and_bribes() -> BridesAndBribesCardData:
    names = tiles.TILES
    return BridesAndBribesCardData(
        tips=_tips("brides-and-bribes"),
        kind=dict(zip(names, tiles.KIND, strict=True)),
        prestige=dict(zip(names, tiles.PRESTIGE, strict=False)),
        charm=dict(zip(names, tiles.CHARM, strict=False)),
    )


def _tips(game: str) -> Mapping[str, str]:
    return {slug: about(game, slug) for slug in cards_of(game)}


CARD_DATA: Final[Mapping[str, Callable[[], msgspec.Struct]]] = {
    "bribery": _bribery,
    "brides-and-bribes": _brides_and_bribes,
    "pot-de-vin": _pot_de_vin,
}
"""By game."""


def card_data_of(game: str) -> msgspec.Struct | None:
    """Return the card data of a built-in game, or None for other games."""
    make = CARD_DATA.get(game)
    return make and make()


# -- what strips and numbers mean, from `legends.toml` ---------------------------------------------


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the drawn table, what it means, and the section of the rules."""

    term: str
    text: str
    section: str

    @property
    def place(self) -> str:
        """The id of the section on the page of the rules."""
        return f"s{self.section.replace('.', '-')}"


@cache
def _legends() -> Mapping[str, Sequence[Term]]:
    text = resources.files(__package__).joinpath("legends.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, list[Term]])


def terms_of(game: str) -> Sequence[Term]:
    """Return the terms of a built-in game; none for other games."""
    return _legends().get(game, ())


# -- replays ---------------------------------------------------------------------------------------


LEFT_OUT: Final = frozenset(["actions_left", "game", "legal", "seat", "variant", "window"])
"""Fields of views that the page has elsewhere, or that are not part of the table."""
PARTS: Final = {"colonies": "colonies", "end": "end", "placement": "placement"}
"""Phases that are chapters of a round, besides the resolution of each borough."""


class Blame(msgspec.Struct, frozen=True):
    """The fault in a bot's answer, which a stand-in replaced."""

    kind: str
    text: str


class Move(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of the replay: the action, and what all seats were told of it."""

    seat: int | None
    """The seat that acted; None before the first action."""
    text: str
    """The action in words."""
    told: str | None = None
    """What the other seats were told of the action, empty for nothing; None means `text`."""
    then: tuple[str, ...] = ()
    """The consequences that all seats were told of."""
    note: str = ""
    """The bot's remark."""
    fault: Blame | None = None
    stand_in: bool = False
    """Whether a stand-in decided, because of a fault here or before."""


class Chapter(msgspec.Struct, frozen=True):
    """A part of the game, and the first step that belongs to it."""

    step: int
    title: str


class TableViews(msgspec.Struct, frozen=True):
    """The position after a step."""

    open: Any
    """The view of a spectator."""
    own: list[Any]
    """By seat, the delta to its own view."""


class ReplayData(msgspec.Struct, frozen=True):
    """The data of the page of a game."""

    game: str
    variant: str
    title: str
    names: tuple[str, ...]
    """The bots by seat."""
    sides: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    why: tuple[str, ...]
    """By seat why it has its rank; empty where the points say it."""
    accounts: tuple[SidePoints, ...]
    """How the points of each side came about; none for games of plugins."""
    facts: msgspec.Struct | None
    moves: tuple[Move, ...]
    """The first is the start, each other one an action."""
    chapters: tuple[Chapter, ...]
    start: Any
    """The table at the start."""
    changes: tuple[Any, ...]
    """By action, the delta of the table; None if nothing changed."""

    @property
    def ranking(self) -> list[int]:
        """The seats, best first."""
        return sorted(range(len(self.names)), key=self.ranks.__getitem__)

    @property
    def ranked_accounts(self) -> list[SidePoints]:
        """The accounts, best side first."""
        return sorted(self.accounts, key=lambda side: self.ranks[side.seats[0]])

    @property
    def faults(self) -> dict[int, int]:
        """The step of the fault, by seat."""
        return {
            move.seat: step
            for step, move in enumerate(self.moves)
            if move.seat is not None and move.fault
        }


def make_replay(record: GameRecord) -> ReplayData:
    """Return the replay of a record; raises `EngineError` if the record is not valid."""
    state = start_game(record.variant, record.deal)
    names = tuple(map(printable, record.entrants))
    tables = [_table(state)]
    words = Words(state.variant.game, names)
    moves = list(_moves(record, state, words, tables))
    faulty = {fault.seat for fault in record.faults}
    return ReplayData(
        game=state.variant.game,
        variant=record.variant,
        title=record.title,
        names=names,
        sides=state.variant.sides,
        points=record.points,
        ranks=record.ranks,
        why=tuple(explain_ranks(state, record.ranks, faulty, words)),
        accounts=tuple(explain_points(state, words)),
        facts=card_data_of(state.variant.game),
        moves=tuple(moves),
        chapters=tuple(_chapters(tables)),
        start=_plain(tables[0]),
        changes=tuple([delta(old, new) for old, new in pairwise(tables)]),
    )


def files_of(
    record: GameRecord, seen: Observations, renderer: Renderer
) -> Iterator[tuple[str, str | bytes]]:
    """Yield the files of the replay of a game: path and content.

    The data are a script, because a page opened from a file cannot load JSON.

    Raises:
        EngineError: the record is not valid.
    """
    replay = make_replay(record)
    page = replay_page(record.key)
    name = game_id(record.key)
    yield f"games/{name}.js", b"window.replay = " + msgspec.json.encode(replay) + b";\n"
    yield (
        page,
        renderer.page(
            "game.html",
            page,
            replay=replay,
            name=name,
            entrants=record.entrants,
            has_rules=rules_of(replay.game) is not None,
            legend=terms_of(replay.game),
        ),
    )


def rules_files(game: str, renderer: Renderer) -> Iterator[tuple[str, str]]:
    """Yield the page of the rules that replays of a game link to: path and content.

    Games of plugins have none.
    """
    if rules := rules_of(game):
        page = rules_page(game)
        yield page, renderer.page("rules.html", page, rules=rules, game=game)


def _moves(
    record: GameRecord, state: State, words: Words, tables: list[TableViews]
) -> Iterator[Move]:
    """Play a record on `state`, yield its moves, and append the table after each to `tables`."""
    notes = {note.action: printable(note.text) for note in record.notes}
    faults = {fault.action: fault for fault in record.faults}
    replaced: set[int] = set()
    for number, told in enumerate(tell_moves(state, record.actions, words), -1):
        if told.seat is None:
            yield Move(None, told.text, then=told.then)
            continue
        tables.append(_table(state))
        fault = faults.get(number)
        if fault is not None:
            replaced.add(fault.seat)
        yield Move(
            seat=told.seat,
            text=told.text,
            told=None if told.told == told.text else told.told,
            then=told.then,
            note=notes.get(number, ""),
            fault=_blame(fault),
            stand_in=told.seat in replaced,
        )


def _blame(fault: SeatFault | None) -> Blame | None:
    return None if fault is None else Blame(fault.kind, printable(fault.text))


# -- tables ----------------------------------------------------------------------------------------


def _table(state: State) -> TableViews:
    shown = shown_fields(state.view(None))
    seats = range(state.variant.seats)
    return TableViews(shown, [delta(shown, shown_fields(state.view(seat))) for seat in seats])


def shown_fields(view: msgspec.Struct) -> dict[str, Any]:
    """Return the shown fields of a view."""
    fields = view.__struct_fields__
    return {field: getattr(view, field) for field in fields if field not in LEFT_OUT}


def _plain(table: TableViews) -> object:
    return msgspec.to_builtins(table)


# -- chapters --------------------------------------------------------------------------------------


def _chapters(tables: Sequence[TableViews]) -> Iterator[Chapter]:
    title = None
    for step, table in enumerate(tables):
        if (now := _title(table.open)) not in (None, title):
            title = now
            yield Chapter(step, title)


def _title(view: Mapping[str, Any]) -> str | None:
    """Return the title of the chapter of a table; None if the last chapter continues.

    Any game may have rounds and phases. Those of Brides & Bribes are divided further.
    """
    if view.get("phase") == "over":
        return "The end"
    if "round" not in view:
        return "The game"
    round_number, phase = view["round"], view.get("phase")
    if not round_number:
        return "Set-up"
    if resolution := view.get("resolution"):
        return f"Round {round_number}, {resolution.borough}"
    if phase in PARTS:
        return f"Round {round_number}, {PARTS[phase]}"
    return None if phase == "resolution" else f"Round {round_number}"
