"""The Swiss schedule: what it promises of each pairing, and of a run of them."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from math import fsum
from statistics import fmean

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.contracts import BoardScore, Field, Group
from arena.plugins import get_schedule
from arena.schedule.plan import next_pairing
from engine import get_variant

THREE, FOUR, TEAMS, THREE_TEAMS = (
    get_variant(f"pot-de-vin/{name}") for name in ("3", "4", "4-teams", "6-teams")
)
VARIANTS = (THREE, FOUR, TEAMS, THREE_TEAMS)
variants = st.sampled_from(VARIANTS)
sizes = st.integers(6, 40)
seeds = st.integers(0, 99)


def field_of(variant: object, number: int) -> Field:
    return Field(variant, tuple(sorted([f"e{each:02}" for each in range(number)])))  # type: ignore[arg-type]


def pair(field: Field, seed: int, scores: Sequence[BoardScore]) -> tuple[Group, ...]:
    return next_pairing(get_schedule("swiss"), field, random.Random(seed), scores)


def scored(groups: Sequence[Group], rng: random.Random) -> list[BoardScore]:
    """Return results in which bots with a higher number are better, more or less."""
    return [
        BoardScore(group, tuple([min(1, int(name[1:]) / 50 + rng.random() / 5) for name in group]))
        for group in groups
    ]


def play(field: Field, pairings: int, seed: int) -> list[tuple[Group, ...]]:
    """Return the pairings of a run."""
    rng, scores, found = random.Random(seed), list[BoardScore](), []
    for number in range(pairings):
        found.append(pair(field, seed * 100 + number, scores))
        scores += scored(found[-1], rng)
    return found


def means(field: Field, scores: Sequence[BoardScore]) -> dict[str, float]:
    own: dict[str, list[float]] = {name: [] for name in field.entrants}
    for board in scores:
        for name, score in zip(board.entrants, board.scores, strict=True):
            own[name].append(score)
    return {name: (0.5 + fsum(each)) / (1 + len(each)) for name, each in own.items()}


@settings(max_examples=30, deadline=None)
@given(variants, sizes, seeds)
def test_swiss_tables_are_full_and_byes_balanced(variant: object, number: int, seed: int) -> None:
    field = field_of(variant, number)
    seats, byes = field.variant.seats, Counter(field.entrants)
    for groups in play(field, 8, seed):
        seated = [name for group in groups for name in group]
        assert len(seated) == len(set(seated)) == number - number % seats
        byes.update(set(field.entrants) - set(seated))
        assert max(byes.values()) - min(byes.values()) <= 1


@settings(max_examples=30, deadline=None)
@given(variants, sizes, seeds)
def test_swiss_pairs_neighbours_first(variant: object, number: int, seed: int) -> None:
    """Without repeated meetings to avoid, tables are slices of the order by score."""
    field = field_of(variant, number)
    seats, rng = field.variant.seats, random.Random(seed)
    alone = [BoardScore((name,), (rng.random(),)) for name in field.entrants]
    groups = pair(field, seed, alone)
    seated = {name for group in groups for name in group}
    mean = means(field, alone)
    order = sorted(seated, key=lambda name: -mean[name])
    assert [set(group) for group in groups] == [
        set(order[first : first + seats]) for first in range(0, len(order), seats)
    ]


@settings(max_examples=20, deadline=None)
@given(variants, seeds)
def test_swiss_avoids_repeated_meetings(variant: object, seed: int) -> None:
    field = field_of(variant, 36)
    met = Counter[frozenset[str]]()
    scores, rng, again = list[BoardScore](), random.Random(seed), 0
    spans: list[int] = []
    for number in range(5):
        groups = pair(field, number, scores)
        mean = means(field, scores)
        order = sorted(field.entrants, key=lambda name: -mean[name])
        for group in groups:
            places = sorted([order.index(name) for name in group])
            spans += [places[-1] - places[0]] if number else []
            pairs = [*map(frozenset, combinations(group, 2))]
            again += sum([met[each] > 0 for each in pairs])
            met.update(pairs)
        scores += scored(groups, rng)
    assert fmean(spans) < 2 * field.variant.seats
    assert again <= 0.35 * met.total()  # of tables of neighbours alone, 40% to 50%


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([TEAMS, THREE_TEAMS]), sizes, seeds)
def test_swiss_sides_are_even(variant: object, number: int, seed: int) -> None:
    field = field_of(variant, number)
    scores = scored(play(field, 2, seed)[0], random.Random(seed))
    mean, sides = means(field, scores), field.variant.sides

    def spread(group: Sequence[str]) -> float:
        totals = [fsum([mean[group[place]] for place in side]) for side in sides]
        return max(totals) - min(totals)

    for group in pair(field, seed, scores):
        assert spread(group) <= min(map(spread, permutations(group))) + 1e-6


def test_late_joiner_gets_no_early_bye() -> None:
    field = field_of(THREE, 7)
    scores = scored(pair(field, 1, ()), random.Random(1))
    larger = field_of(THREE, 8)
    seated = {name for group in pair(larger, 2, scores) for name in group}
    assert "e07" in seated
