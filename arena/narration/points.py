"""Explain the final points and ranks of a game."""

from collections.abc import Sequence, Set
from itertools import pairwise

from arena.narration.telling import Measures, SidePoints, counted, telling_of
from arena.narration.words import Words
from engine import State


def in_words(side: SidePoints, words: Words) -> str:
    """Format the itemized points of a side."""
    players = " and ".join(map(words.player, side.seats))
    items = ", ".join([f"{item.text} {item.points:+}" for item in side.items]) or "nothing"
    note = f" ({side.note})" if side.note else ""
    return f"{players}: {counted(side.points, 'point')}: {items}{note}"


# -- ranks -----------------------------------------------------------------------------------------


def explain_ranks(state: State, ranks: Sequence[int], faulty: Set[int], words: Words) -> list[str]:
    """Return an explanation of each seat's rank, or an empty string if points alone decide the
    rank.
    """
    sides = [tuple(side) for side in state.variant.sides]
    why: list[list[str]] = [[] for _ in sides]
    clean = [at for at, side in enumerate(sides) if faulty.isdisjoint(side)]
    clean.sort(key=lambda at: ranks[sides[at][0]])
    measures = telling_of(state.variant.game).measures(state)
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


def _names(seats: Sequence[int], words: Words) -> str:
    return " and ".join(map(words.player, seats))
