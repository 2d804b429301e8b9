"""Plan the boards of a run.

A board is a series of games between the same entrants with the same deal. One game is played per
round, and the entrants change seats after each game. The board is complete when every entrant
has played from every seat. A pairing seats the entrants of a variant at boards that begin in the
same round.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Annotated

import msgspec
from msgspec import Meta

from arena.base.contracts import BoardScore, Field, Group, Pairing, Schedule
from arena.base.errors import PluginError, SettingsError

MAX_BLOCK_BOARDS = 100_000


class BlockSizes(msgspec.Struct, frozen=True):
    """The minimum and maximum number of boards in each block of a run's schedule."""

    smallest: Annotated[int, Meta(ge=1, le=MAX_BLOCK_BOARDS)] = 25
    largest: Annotated[int, Meta(ge=1, le=MAX_BLOCK_BOARDS)] = 1_600

    def after(self, boards: int, bots: int) -> int:
        """Return the size of the next block, given the number of boards in earlier blocks."""
        return min(max(self.smallest, boards // 4 if boards else bots), self.largest)


DEFAULT_SIZES = BlockSizes()


class Board(msgspec.Struct, frozen=True):
    variant: str
    number: int
    round: int
    """The round of the board's first game, starting at 0."""
    entrants: tuple[str, ...]
    """The entrants in seat order for the first game. Entrants move to the next seat after each
    game."""

    def seating(self, rotation: int) -> tuple[str, ...]:
        n = len(self.entrants)
        return tuple([self.entrants[(seat - rotation) % n] for seat in range(n)])


def whole_rounds(seats: int, rounds: int) -> int:
    """Round up the number of rounds to a multiple of the number of seats."""
    return -(-rounds // seats) * seats


def plan(
    schedule: Schedule,
    fields: Sequence[Field],
    rounds: int,
    generator_of: Callable[[str], random.Random],
) -> Iterator[Board]:
    """Yield all boards of a run, earlier rounds first. The schedule must not depend on game
    results.

    Raises:
        SettingsError: The schedule can't be used with this number of entrants or challengers.
        PluginError: A pairing is invalid, for example because an entrant is seated twice.
    """
    pairings = [_pairings(schedule, field, generator_of(field.variant.id)) for field in fields]
    for number in range(rounds):
        for field, own in zip(fields, pairings, strict=True):
            if number % field.variant.seats == 0:
                for board, group in next(own):
                    yield Board(field.variant.id, board, number, group)


def count_boards(schedule: Schedule, field: Field) -> int:
    """Return the number of boards per pairing. Raise the same errors as `plan()`."""
    if schedule.adapts:
        return len(next_pairing(schedule, field, random.Random(0), ()))
    return len(next(_pairings(schedule, field, random.Random(0))))


def next_pairing(
    schedule: Schedule, field: Field, rng: random.Random, scores: Sequence[BoardScore]
) -> tuple[Group, ...]:
    """Return the next pairing of a schedule that depends on the scores of earlier boards.

    Raises:
        SettingsError: The schedule can't be used with this number of entrants or challengers.
        PluginError: The pairing is invalid.
    """
    assert schedule.next_pairing
    groups = schedule.next_pairing(field, rng, scores)
    _check_pairing(schedule, field, groups, len(field.entrants) // field.variant.seats)
    return tuple(map(_from_first_name, groups))


def _pairings(
    schedule: Schedule, field: Field, rng: random.Random
) -> Iterator[list[tuple[int, Group]]]:
    boards, first = None, 0
    with suppress(SettingsError):  # a gauntlet may have had no challengers
        first = count_boards(schedule, field.before(len(field.joined))) if field.joined else 0
    if schedule.pairings is None:
        raise PluginError(f"schedule {schedule.name!r} has no pairings, expected `pairings`")
    for place, pairing in enumerate(schedule.pairings(field, rng)):
        _check_pairing(schedule, field, pairing, boards)
        boards = len(pairing)
        yield [
            (_number(place, slot, first or boards), _from_first_name(group))
            for slot, group in enumerate(pairing)
        ]
    raise PluginError(f"schedule {schedule.name!r} ends, expected endless pairings")


def _check_pairing(schedule: Schedule, field: Field, groups: Pairing, boards: int | None) -> None:
    seated = [name for group in groups for name in group]
    if (
        {len(group) for group in groups} != {field.variant.seats}
        or len(set(seated)) != len(seated)
        or not set(seated) <= set(field.entrants)
        or boards not in (None, len(groups))
    ):
        raise PluginError(
            f"schedule {schedule.name!r} makes a wrong pairing for {field.variant.id}: got "
            f"{[list(group) for group in groups]}, expected {boards or 'some'} groups of "
            f"{field.variant.seats} in every pairing, and no entrant twice"
        )


# Greater board numbers are reserved for boards that are added when a bot joins.
ADDED_NUMBERS = 10_000_000


def _number(pairing: int, slot: int, boards: int) -> int:
    """Return the number of a board, which stays the same if more bots join later."""
    if slot < boards:
        return pairing * boards + slot + 1
    return (slot - boards + 1) * ADDED_NUMBERS + pairing + 1


def _from_first_name(group: Group) -> Group:
    first = group.index(min(group))
    return (*group[first:], *group[:first])
