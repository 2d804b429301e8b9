"""Hush Money: sealed bribes for five officials. See `rules.md` for the rules."""

import random
from dataclasses import dataclass, field

from msgspec import Struct

from engine import Game, Position
from engine.fields import some_of

OFFICIALS = (1, 2, 3, 4, 5)  # their influence, in the order they are bribed
NOTES = {2: range(1, 13), 3: range(1, 19)}  # by number of seats


class Deal(Struct, frozen=True):
    notes: tuple[int, ...]  # dealt to the seats in turn


class View(Struct, frozen=True):
    seat: int | None
    to_act: int | None
    hand: tuple[int, ...]
    sealed: tuple[int, ...]  # the note in our envelope
    opened: tuple[tuple[int, ...], ...]  # by official, then by seat


@dataclass
class Table(Position):
    hands: list[list[int]]  # by seat, in ascending order
    sealed: list[int] = field(default_factory=list)  # notes in envelopes, from seat 0 on
    opened: list[tuple[int, ...]] = field(default_factory=list)


def apply(table: Table, action: str) -> None:
    """Seal a note. Once all are sealed, open the notes; the highest is spent."""
    note = int(action.removeprefix("bribe "))
    table.hands[len(table.sealed)].remove(note)
    table.sealed.append(note)
    if len(table.sealed) == len(table.hands):
        table.log.note("opened", notes=table.sealed)
        for hand, note in zip(table.hands, table.sealed, strict=True):
            if note != max(table.sealed):
                hand[:] = sorted([*hand, note])
        table.opened.append(tuple(table.sealed))
        table.sealed = []
    table.seat_to_act = len(table.sealed) if len(table.opened) < len(OFFICIALS) else None


def score(table: Table) -> list[tuple[int, int]]:
    """Return each seat's influence and remaining money. Money only breaks ties."""
    points = [0] * len(table.hands)
    for official, notes in zip(OFFICIALS, table.opened, strict=False):
        points[notes.index(max(notes))] += official
    return [(own, sum(hand)) for own, hand in zip(points, table.hands, strict=True)]


def view(table: Table, seat: int | None) -> View:
    hand, sealed = ([], []) if seat is None else (table.hands[seat], table.sealed[seat : seat + 1])
    return View(seat, table.seat_to_act, tuple(hand), tuple(sealed), tuple(table.opened))


def redraw(table: Table, seat: int, rng: random.Random) -> Table:
    """Return a copy with random hidden notes that are consistent with what the seat has seen."""
    world = table.copy()
    shown = {note for opened in table.opened for note in opened}
    held = [[*hand, *table.sealed[owner : owner + 1]] for owner, hand in enumerate(table.hands)]
    unseen = sorted({*NOTES[len(held)]}.difference(shown, held[seat]))
    rng.shuffle(unseen)
    for other, notes in enumerate(held):
        if other != seat:
            drawn = sorted([note if note in shown else unseen.pop() for note in notes])
            if other < len(table.sealed):
                world.sealed[other] = drawn.pop(rng.randrange(len(drawn)))
            world.hands[other] = drawn
    return world


HUSH_MONEY = Game(
    "hush-money",
    {str(seats): seats for seats in NOTES},
    View,
    deal_type=Deal,
    deal=lambda seats, rng: Deal(tuple(rng.sample(NOTES[seats], 5 * seats))),
    facts=lambda seats, deal: [("notes", some_of(deal.notes, NOTES[seats], 5 * seats))],
    start=lambda seats, deal: Table([sorted(deal.notes[seat::seats]) for seat in range(seats)]),
    actions=[f"bribe {note}" for note in NOTES[3]],
    legal_actions=lambda table: [f"bribe {note}" for note in table.hands[table.seat_to_act or 0]],
    apply=apply,
    score=score,
    view=view,
    redraw=redraw,
)
