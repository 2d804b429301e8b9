"""Extra boards: for whom they are played, and who sits at their tables."""

import random
from collections import Counter
from itertools import islice

import pytest

from arena.base.contracts import ExtraBoards, Field, Schedule
from arena.base.errors import PluginError
from arena.plugins import get_schedule
from arena.schedule.chance import Chance, Secret
from arena.schedule.plan import extra_groups
from arena.schedule.schedules import round_robin
from engine import get_variant

THREE = get_variant("pot-de-vin/3")
NAMES = tuple([f"b{number}" for number in range(10)])
FIELD = Field(THREE, NAMES)
ADAPTIVE = get_schedule("adaptive")
EXTRA = ADAPTIVE.extra or pytest.fail("it adds boards")
PAIR = ("b3", "b7")


def drawn(challengers: tuple[str, ...], number: int, seed: int = 1) -> list[tuple[str, ...]]:
    """Return groups for the challengers."""
    return list(islice(EXTRA.groups(FIELD, challengers, random.Random(seed)), number))


@pytest.mark.parametrize(
    ("bots", "undecided", "are_few"), [(9, 2, True), (8, 2, False), (27, 6, True), (26, 6, False)]
)
def test_boards_are_added_for_few_undecided_bots(bots: int, undecided: int, are_few: bool) -> None:
    """One and a half times their seats, at tables of three, must be no more than all bots."""
    field = Field(THREE, tuple([f"b{number:02}" for number in range(bots)]))
    names = field.entrants[undecided - 1 :: -1]
    assert EXTRA.challengers(field, names) == (sorted(names) if are_few else ())


def test_challengers_take_turns_from_a_drawn_one_on() -> None:
    first = set()
    for seed in range(10):
        tables = drawn(PAIR, 8, seed)
        turns = [PAIR, PAIR[::-1]]
        fitting = [
            turn
            for turn in turns
            if all(turn[place % 2] in table for place, table in enumerate(tables))
        ]
        assert fitting
        first.update(turn[0] for turn in fitting)
    assert first == set(PAIR)


def test_each_challenger_meets_all_others_equally_often() -> None:
    challenger = ("b4",)
    for rounds in (1, 2, 5):
        tables = drawn(challenger, 9 * rounds)
        met = Counter([name for table in tables for name in table if name != "b4"])
        assert set(met.values()) == {2 * rounds}
        assert met.keys() == set(NAMES) - {"b4"}


def test_no_bot_sits_twice_at_a_table_and_places_are_shuffled() -> None:
    tables = drawn(PAIR, 200)
    assert all(len(set(table)) == 3 for table in tables)
    assert {table.index(name) for table in tables for name in PAIR if name in table} == {0, 1, 2}


def test_the_chance_of_extra_boards_depends_on_the_portion_only() -> None:
    for chance in (Chance(5), Chance(Secret("ab" * 16))):
        first, again, later, other = (
            chance.extra(variant, portions).random()
            for variant, portions in [("x", 3), ("x", 3), ("x", 4), ("y", 3)]
        )
        assert first == again
        assert len({first, later, other}) == 3


@pytest.mark.parametrize(
    "group", [("b0", "b1", "b2"), ("b3", "b3", "b1"), ("b3", "b1"), ("b3", "b1", "c")]
)
def test_a_wrong_extra_board_is_refused(group: tuple[str, ...]) -> None:
    schedule = Schedule(
        "odd", "", round_robin, extra=ExtraBoards(EXTRA.challengers, lambda *_: iter([group]))
    )
    with pytest.raises(PluginError, match="yields a wrong extra board"):
        next(extra_groups(schedule, FIELD, PAIR, random.Random(1)))
