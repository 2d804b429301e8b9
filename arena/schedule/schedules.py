"""Define and register the built-in schedules."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from arena.base.contracts import Field, Group, Schedule
from arena.base.errors import SettingsError
from arena.base.record import NEW_MARK
from arena.plugins import hookimpl
from arena.schedule.pairing import balanced_pairings, grown_pairings
from arena.schedule.swiss import swiss


def round_robin(field: Field, rng: random.Random) -> Iterator[list[Group]]:
    """Yield pairings in which all bots meet equally often and get the same number of byes."""
    return _balanced(field, rng, lambda field: [(field.entrants, field.variant.seats)])


Parts = list[tuple[Sequence[str], int]]


def _balanced(
    field: Field, rng: random.Random, parts_of: Callable[[Field], Parts]
) -> Iterator[list[Group]]:
    sides, parts = field.variant.sides, parts_of(field)
    boards = min([len(names) // seats for names, seats in parts])
    if field.joined:
        former = field.before(1)
        before = parts_of(former) if len(former.entrants) >= field.variant.seats else []
        if [seats for _, seats in before] == [seats for _, seats in parts]:
            own = random.Random(f"{rng.getstate()[1][:4]} {field.joined}")
            return grown_pairings(_balanced(former, rng, parts_of), sides, parts, boards, own)
    return balanced_pairings(sides, parts, boards, rng)


def gauntlet(field: Field, rng: random.Random) -> Iterator[list[Group]]:
    """Yield pairings in which every board has one challenger, or more if there are too few other
    bots.

    Raises:
        SettingsError: There are no challengers or no other bots.
    """
    others = _others(field)
    if not field.challengers or not others:
        raise SettingsError(
            f"a gauntlet of {field.variant.id} needs challengers and other bots, but "
            f"{'none' if others else 'all'} of its bots are challengers: name some of them, but "
            "not all, with `--set entrants.challengers`"
        )
    return _balanced(field, rng, _parts_of_gauntlet)


def _others(field: Field) -> list[str]:
    return [name for name in field.entrants if name not in field.challengers]


def _parts_of_gauntlet(field: Field) -> Parts:
    seats, others = field.variant.seats, _others(field)
    challenging = max(1, seats - len(others))
    parts: Parts = [(field.challengers, challenging), (others, seats - challenging)]
    return parts if all(len(names) >= seats > 0 for names, seats in parts) else []


VERSIONS = "versions"
CHALLENGERS = 2


def versions(field: Field, rng: random.Random) -> Iterator[list[Group]]:
    """Yield pairings with a single board each. Each challenger in turn plays a board against the
    same opponents.

    Raises:
        SettingsError: There aren't exactly two challengers, or there are too few opponents.
    """
    others = _others(field)
    needed = field.variant.seats - 1
    if len(field.challengers) != CHALLENGERS:
        raise SettingsError(
            f"the schedule {VERSIONS!r} compares two challengers, got "
            f"{', '.join(field.challengers) or 'none'}: name two with `--set entrants.challengers`"
        )
    if len(others) < needed:
        raise SettingsError(
            f"a board of {field.variant.id} needs {needed} other bots, got {len(others)} "
            f"({', '.join(others) or 'none'}): name more bots"
        )
    in_turn = tuple(sorted(field.challengers, key=lambda name: name.endswith(NEW_MARK)))
    return _in_turn(in_turn, others, needed, rng)


def _in_turn(
    challengers: Group, others: list[str], needed: int, rng: random.Random
) -> Iterator[list[Group]]:
    while True:
        drawn = rng.sample(others, needed)
        for challenger in challengers:
            yield [(challenger, *drawn)]


@hookimpl
def register_schedules() -> Iterable[Schedule]:
    return [
        Schedule("round-robin", "all bots meet equally often", round_robin),
        Schedule("swiss", "bots with similar scores meet", next_pairing=swiss),
        Schedule("gauntlet", "the challengers meet all other bots equally often", gauntlet, True),
        Schedule(
            VERSIONS,
            "two challengers in turn, on the same deals among the same bots",
            versions,
            takes_challengers=True,
        ),
    ]
