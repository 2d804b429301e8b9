"""Outcomes of finished games: the points of each side in a line, and why it has its rank."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from itertools import pairwise
from typing import Any, Final

import msgspec

from arena.narration.cards import lines as card_lines
from arena.narration.words import Words, counted, kind_of
from engine import State
from engine.brides_and_bribes import tiles

Measures = tuple[tuple[str, int], ...]
"""The measures that compare sides, in this order: names and values, the greater the better."""
BRIDES_MEASURES: Final = ("marriage", "influence", "first brides", "second brides", "workshops")


class Item(msgspec.Struct, frozen=True):
    """A part of the points of a side."""

    points: int
    text: str


class SidePoints(msgspec.Struct, frozen=True):
    """The points of a side, and how they came about."""

    seats: tuple[int, ...]
    points: int
    items: tuple[Item, ...]
    """Their points add up to `points`."""
    note: str = ""
    """The reason that may decide between sides with equal points."""


def explain_points(state: State, words: Words) -> list[SidePoints]:
    """Return how the points of a finished game came about, by side; nothing for other games."""
    explain = EXPLAIN.get(state.variant.game)
    return explain(state, words) if explain else []


def in_words(side: SidePoints, words: Words) -> str:
    """Return the points of a side as a line: `ann: 9 points: nobles 6 (3 cards), gems 3`."""
    who = " and ".join(map(words.player, side.seats))
    items = ", ".join([f"{item.text} {item.points:+}" for item in side.items]) or "nothing"
    note = f" ({side.note})" if side.note else ""
    return f"{who}: {counted(side.points, 'point')}: {items}{note}"


def _pot_de_vin(state: State, words: Words) -> list[SidePoints]:
    view: Any = state.view(None)
    sides = []
    for side in view.result.teams:
        items = [
            Item(column.points, f"{guild} ({_cards(column.symbols, column.joker)})")
            for guild, column in side.guilds.items()
            if column.symbols
        ]
        neutral = [
            (side.bonus, "bonus cards"),
            (side.penalty, "penalty cards"),
            (side.pot_de_vin, "Pot de Vin cards"),
            (side.gems, "gems"),
        ]
        items += [Item(points, text) for points, text in neutral if points]
        both = f"{counted(side.cards, 'card')} and {counted(side.gems, 'gem')}"
        note = f"{both} in all, which break ties"
        sides.append(SidePoints(side.seats, side.points, tuple(items), note))
    return sides


def _cards(symbols: int, joker: bool) -> str:
    return f"{counted(symbols - joker, 'card')}{' and a joker' if joker else ''}"


def _bribery(state: State, words: Words) -> list[SidePoints]:
    view: Any = state.view(None)
    suits = card_lines().bribery["suits"]
    assert not isinstance(suits, str)
    items: dict[int, list[Item]] = defaultdict(list)
    for country in view.control.countries:
        if country.controller is None:
            continue
        name = suits.get(country.country) or words.name(country.country)
        how = "alone" if country.dominated else "most bribes"
        if country.votes is not None:
            votes = " to ".join(map(str, sorted(country.votes, reverse=True)))
            how = f"votes {votes}" + (", alone" if country.dominated else "")
        items[country.controller].append(Item(country.points, f"{name} ({how})"))
    return [
        SidePoints(tuple(seats), view.result.points[side], tuple(items[side]))
        for side, seats in enumerate(state.variant.sides)
    ]


def _brides_and_bribes(state: State, words: Words) -> list[SidePoints]:
    """Add up the influence that events gave and took, by seat and reason."""
    view: Any = state.view(None)
    ledgers: list[dict[str, int]] = [defaultdict(int) for _ in view.players]
    for event in state.events(None):
        for seat, reason, amount in _influence(event):
            ledgers[seat][reason] += amount
    sides = []
    for seat, ledger in enumerate(ledgers):
        married, influence, first, second, workshops = view.result.keys[seat]
        wed = f"{first} first and {counted(second, 'second bride')}" if married else "no marriage"
        note = f"{wed}, {counted(workshops, 'workshop')}"
        items = tuple([Item(points, reason) for reason, points in ledger.items() if points])
        sides.append(SidePoints((seat,), influence, items, note))
    return sides


def _influence(event: Any) -> list[tuple[int, str, int]]:
    """Return seat, reason and amount of the influence that an event gave or took."""
    kind = kind_of(event)
    if kind == "married":
        gained = _worth(event.bride, event.place)
        return [(event.seat, "marriages", gained), (event.seat, "paid to lords", -event.forfeit)]
    if kind == "murdered" and event.seat is not None:
        return [(event.seat, "murdered brides", -event.influence_lost)]
    if kind == "moved_up":
        return [(event.seat, "brides that moved up", tiles.ADDITIONAL[0] - tiles.ADDITIONAL[1])]
    if kind == "built":
        return [(event.seat, "workshops", tiles.CARD_INFLUENCE[tiles.CARDS.index(event.card)])]
    if kind == "done" and event.action == "influence":
        return _changes(event.gains, "taken in boroughs")
    if kind == "effect":
        return _changes(event.changes, "sold")
    if kind == "over":
        both = zip(event.influence_before, event.influence, strict=True)
        return [(seat, "coins", after - before) for seat, (before, after) in enumerate(both)]
    return []


def _worth(bride: str, place: str) -> int:
    number = tiles.BRIDES.index(bride)
    return tiles.BRIDE_INFLUENCE[number] + tiles.ADDITIONAL[tiles.PLACES.index(place)]


def _changes(changes: Sequence[Any], reason: str) -> list[tuple[int, str, int]]:
    return [
        (int(change.where.removeprefix("seat-")), reason, change.amount)
        for change in changes
        if change.what == "influence" and change.where.startswith("seat-")
    ]


EXPLAIN: Final[Mapping[str, Callable[[State, Words], list[SidePoints]]]] = {
    "bribery": _bribery,
    "brides-and-bribes": _brides_and_bribes,
    "pot-de-vin": _pot_de_vin,
}
"""By game."""


# -- ranks -----------------------------------------------------------------------------------------


def explain_ranks(state: State, ranks: Sequence[int], faulty: Set[int], words: Words) -> list[str]:
    """Return by seat why it has its rank; empty where the points say it.

    Args:
        state: the end of the game.
        ranks: by seat, with sides that had a fault last.
        faulty: the seats that had a fault.
        words: knows the names of the players.
    """
    sides = [tuple(side) for side in state.variant.sides]
    why: list[list[str]] = [[] for _ in sides]
    clean = [at for at, side in enumerate(sides) if faulty.isdisjoint(side)]
    clean.sort(key=lambda at: ranks[sides[at][0]])
    measures = _measures(state)
    for upper, lower in pairwise(clean):
        for at, other in ((upper, lower), (lower, upper)):
            why[at].append(_compared(measures[at], measures[other], _names(sides[other], words)))
    texts = ["; ".join(dict.fromkeys(filter(None, reasons))) for reasons in why]
    by_seat = {seat: texts[at] for at, side in enumerate(sides) for seat in side}
    for side in sides:
        for seat in side:
            if blamed := [mate for mate in side if mate in faulty]:
                by_seat[seat] = _last(seat, blamed, words, alone=not clean)
    return [by_seat[seat] for seat in range(len(ranks))]


def _last(seat: int, blamed: Sequence[int], words: Words, alone: bool) -> str:
    whose = "its fault" if seat in blamed else f"the fault of {_names(blamed, words)}"
    return f"all sides had a fault, this one by {whose}" if alone else f"last because of {whose}"


def _compared(own: Measures, other: Measures, name: str) -> str:
    """Return what decides between two sides; empty if it is the points, which come first."""
    for at, ((measure, mine), (_, theirs)) in enumerate(zip(own, other, strict=True)):
        if mine == theirs:
            continue
        where = "before" if mine > theirs else "behind"
        if measure == "marriage":
            return f"{where} {name}, as only {'this one' if mine else name} is married"
        plain = at == 0 or (at == 1 and own[0][0] == "marriage")
        return "" if plain else f"{where} {name} by {measure}, {mine} to {theirs}"
    names = [measure for measure, _ in own]
    return f"level with {name} in {', '.join(names[:-1])}{' and ' * (len(names) > 1)}{names[-1]}"


def _measures(state: State) -> list[Measures]:
    """Return by side what the game compares sides by."""
    game = state.variant.game
    view: Any = state.view(None)
    if game == "pot-de-vin":
        teams = view.result.teams
        return [(("points", t.points), ("cards", t.cards), ("gems", t.gems)) for t in teams]
    if game == "brides-and-bribes":
        keys = view.result.keys
        return [tuple(zip(BRIDES_MEASURES, own, strict=True)) for own in keys]
    points = state.outcome().points
    return [(("points", points[side[0]]),) for side in state.variant.sides]


def _names(seats: Sequence[int], words: Words) -> str:
    return " and ".join(map(words.player, seats))
