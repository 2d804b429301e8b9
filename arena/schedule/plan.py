"""The tournament schedule: a pure function of entrants, variants, rounds and random generators.

A board is one deal, played by the same entrants once in every rotation, so it takes one round
per seat. The boards of a variant that begin in the same round form a block. A schedule is a
plugin that makes the groups of each block; the built-in ones are in `arena.schedule.schedules`.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import msgspec

from arena.base.contracts import Field, Group, Schedule
from arena.base.errors import PluginError, SettingsError


class Board(msgspec.Struct, frozen=True):
    """One deal and the entrants that play it."""

    variant: str
    number: int
    """From 1, per variant."""
    round: int
    """The round in which its first game is played, from 0."""
    entrants: tuple[str, ...]
    """By place. In rotation t, the entrant at place b sits at seat b + t."""

    def seating(self, rotation: int) -> tuple[str, ...]:
        """Return the entrants by seat."""
        n = len(self.entrants)
        return tuple([self.entrants[(seat - rotation) % n] for seat in range(n)])


def whole_rounds(seats: int, rounds: int) -> int:
    """Return `rounds`, rounded up so that every board is complete."""
    return -(-rounds // seats) * seats


def plan(
    schedule: Schedule,
    fields: Sequence[Field],
    rounds: int,
    generator_of: Callable[[str], random.Random],
) -> Iterator[Board]:
    """Yield the boards of a run in schedule order: by round, then in the order of `fields`.

    Args:
        schedule: makes the groups of each block.
        fields: the entrants of each variant.
        rounds: the number of rounds. Boards that begin in one of them are played to the end.
        generator_of: returns the random generator for a variant's schedule.

    Raises:
        SettingsError: the schedule can't seat a field.
        PluginError: a block is invalid, for example because it seats an entrant twice.
    """
    blocks = [_blocks(schedule, field, generator_of(field.variant.id)) for field in fields]
    for number in range(rounds):
        for field, own in zip(fields, blocks, strict=True):
            if number % field.variant.seats == 0:
                for board, group in next(own):
                    yield Board(field.variant.id, board, number, group)


def count_boards(schedule: Schedule, field: Field) -> int:
    """Return the number of boards in a block. Raises the same errors as `plan`."""
    return len(next(_blocks(schedule, field, random.Random(0))))


def _blocks(
    schedule: Schedule, field: Field, rng: random.Random
) -> Iterator[list[tuple[int, Group]]]:
    boards, first = None, 0
    with suppress(SettingsError):  # a gauntlet may have had no challengers
        first = count_boards(schedule, field.before(len(field.joined))) if field.joined else 0
    for place, block in enumerate(schedule.blocks(field, rng)):
        if not _are_seated(block, field) or boards not in (None, len(block)):
            raise PluginError(
                f"schedule {schedule.name!r} yields a wrong block for {field.variant.id}: got "
                f"{[list(group) for group in block]}, expected the same number of groups of "
                f"{field.variant.seats} in every block, and no entrant twice"
            )
        boards = len(block)
        yield [
            (_number(place, slot, first or boards), _from_first_name(group))
            for slot, group in enumerate(block)
        ]
    raise PluginError(f"schedule {schedule.name!r} ends, expected endless blocks")


def _are_seated(groups: Sequence[Group], field: Field) -> bool:
    """Return whether the groups have the right size and no entrant sits twice."""
    seated = [name for group in groups for name in group]
    return (
        {len(group) for group in groups} == {field.variant.seats}
        and len(set(seated)) == len(seated)
        and set(seated) <= set(field.entrants)
    )


ADDED_NUMBERS = 10_000_000
"""Boards that exist only since the field grew are numbered from multiples of this."""


def _number(block: int, slot: int, boards: int) -> int:
    """Return a board number, from 1, that doesn't change when the field grows.

    `boards` is the number of boards in a block before the field grew.
    """
    if slot < boards:
        return block * boards + slot + 1
    return (slot - boards + 1) * ADDED_NUMBERS + block + 1


def _from_first_name(group: Group) -> Group:
    """Rotate a group so that its alphabetically first name is at place 0.

    It is the same board, but now it has the same rotations in every schedule.
    """
    first = group.index(min(group))
    return (*group[first:], *group[:first])
