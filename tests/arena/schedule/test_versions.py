"""Two challengers on the same deals: the schedule `versions`, and chance that boards share."""

import random
from collections.abc import Sequence
from itertools import islice

import pytest
from msgspec.structs import replace

from arena.base.contracts import Field
from arena.base.errors import SettingsError
from arena.plugins import get_schedule
from arena.schedule.plan import Board, plan
from arena.schedule.randomness import Randomness, Secret
from arena.schedule.schedules import versions
from engine import get_variant

VERSIONS = ("bot (new)", "bot (old)")
NEW, OLD = VERSIONS
OTHERS = ("e1", "e2", "e3", "e4")
CHANCES: Sequence[Randomness] = (Randomness(7), Randomness(Secret("5e" * 32)))


def field(variant: str, others: Sequence[str] = OTHERS, pair: Sequence[str] = VERSIONS) -> Field:
    """Return the field of a comparison."""
    return Field(get_variant(variant), tuple(sorted([*others, *pair])), tuple(pair))


@pytest.mark.parametrize("variant", ["bribery/2", "pot-de-vin/3", "pot-de-vin/4-teams"])
def test_versions_meet_the_same_opponents_in_the_same_seats(variant: str) -> None:
    seats = get_variant(variant).seats
    boards = list(plan(get_schedule("versions"), [field(variant)], 40 * seats, CHANCES[0].schedule))
    assert len(boards) == 40
    seen = set()
    for first, second in zip(boards[::2], boards[1::2], strict=True):
        assert (first.number % 2, second.number) == (1, first.number + 1)
        assert OLD in first.entrants
        assert NEW in second.entrants
        replaced = [NEW if name == OLD else name for name in first.entrants]
        assert tuple(replaced) == second.entrants
        seen |= set(first.entrants) - {OLD}
    assert seen == set(OTHERS)


@pytest.mark.parametrize("pair", [("a (new)", "b (old)"), ("a (old)", "b (new)"), ("a", "b")])
def test_old_version_plays_first(pair: tuple[str, str]) -> None:
    first, second = islice(versions(field("pot-de-vin/3", pair=pair), random.Random(0)), 2)
    old, new = sorted(pair, key=lambda name: name.endswith(" (new)"))
    assert (first[0][0], second[0][0]) == (old, new)


def test_opponents_are_drawn_by_the_generator() -> None:
    first, again, other = [
        list(islice(versions(field("pot-de-vin/3"), random.Random(seed)), 60)) for seed in (1, 1, 2)
    ]
    assert first == again != other


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (field("pot-de-vin/3", pair=["a"]), "compares two challengers, got a:"),
        (field("pot-de-vin/3", pair=[]), "compares two challengers, got none:"),
        (field("pot-de-vin/3", pair=["a", "b", "c"]), "got a, b, c:"),
        (field("pot-de-vin/4", others=["e1", "e2"]), "needs 3 other bots, got 2 (e1, e2)"),
    ],
)
def test_rejects_comparison_with_too_few_opponents(wrong: Field, text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        versions(wrong, random.Random(0))
    assert text in str(refused.value)


@pytest.mark.parametrize("chance", CHANCES)
def test_versions_share_deals_and_seeds(chance: Randomness) -> None:
    shared = replace(chance, shares_deals=True)
    boards = [Board("pot-de-vin/3", number, 0, ("a", "b", "c")) for number in range(1, 7)]
    deals = [shared.deal(board, [str(board.number)]).random() for board in boards]
    assert deals[::2] == deals[1::2]
    assert len(set(deals)) == 3
    dice = [
        shared.dice(board, [str(board.number)], rotation, f"key {board.number}").random()
        for board in boards
        for rotation in (0, 1)
    ]
    assert dice[:2] == dice[2:4]
    assert len(set(dice)) == 6
    assert shared.schedule("x").random() == chance.schedule("x").random()
