"""Invariants 15 and 16 of section 13: points are the best that can be had, and ranks."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pot_de_vin.result import describe
from tests.engine.games import SEEDS, Game
from tests.engine.pot_de_vin.play import (
    CARDS,
    GUILDS,
    VARIANTS,
    area_of,
    every_game,
    in_order,
    value,
)

COLUMN_POINTS = [0, 1, 3, 6, -1, -3, -6, 10, 15]
POT_DE_VIN_POINTS = [0, -1, -3, -6, 10]


def best_points(areas: Sequence[Sequence[str]], gems: int, guild_of: Mapping[str, str]) -> int:
    """Return the most points of a side, by trying every choice and every place of the jokers."""
    columns = [
        {guild: size for guild in GUILDS if (size := [guild_of.get(c) for c in area].count(guild))}
        for area in areas
    ]
    scorers = {}  # by guild: the seats whose column may be the one that is scored
    for guild in GUILDS:
        sizes = {seat: own[guild] for seat, own in enumerate(columns) if guild in own}
        if sizes:
            scorers[guild] = [seat for seat in sizes if sizes[seat] == min(sizes.values())]
    values = [[value(card) for card in area] for area in areas]
    neutral = sum(
        2 * own.count(2) - 2 * own.count(3) + POT_DE_VIN_POINTS[own.count(13)] for own in values
    )
    best = None
    for choice in product(*scorers.values()):
        total = neutral + gems
        for seat, own in enumerate(columns):
            live = [guild for guild, owner in zip(scorers, choice, strict=True) if owner == seat]
            placed = min(values[seat].count(1), len(own))
            total += max(
                sum(COLUMN_POINTS[own[guild] + (guild in joined)] for guild in live)
                for joined in combinations(own, placed)
            )
        best = total if best is None else max(best, total)
    assert best is not None
    return best


def check_side(side: Any, areas: Sequence[Sequence[str]], guild_of: Mapping[str, str]) -> None:
    assert side.points == best_points(areas, side.gems, guild_of)
    columns = sum(column.points for column in side.guilds.values())
    assert side.points == columns + side.bonus + side.penalty + side.pot_de_vin + side.gems
    placed = [(joker.seat, joker.guild) for joker in side.jokers if joker.guild is not None]
    assert len(set(placed)) == len(placed)
    natural = {
        (seat, guild): [guild_of.get(card) for card in area].count(guild)
        for seat, area in zip(side.seats, areas, strict=True)
        for guild in GUILDS
    }
    assert all(natural[place] for place in placed)
    for seat, area in zip(side.seats, areas, strict=True):
        owned = [joker.card for joker in side.jokers if joker.seat == seat]
        assert owned == in_order([card for card in area if value(card) == 1])
        own_columns = sum(natural[seat, guild] > 0 for guild in GUILDS)
        assert [owner for owner, _ in placed].count(seat) == min(len(owned), own_columns)
    for guild in GUILDS:
        sizes = [natural[seat, guild] for seat in side.seats if natural[seat, guild]]
        assert (guild in side.guilds) == bool(sizes)
        if sizes:
            column = side.guilds[guild]
            joined = (column.seat, guild) in placed
            assert column.joker == joined
            assert column.symbols == min(sizes) + joined
            assert natural[column.seat, guild] == min(sizes)
            assert column.points == COLUMN_POINTS[column.symbols]
    discarded = len(side.jokers) - len(placed)
    assert side.cards == sum(map(len, areas)) - discarded


@every_game
def test_i15_points_are_the_best_by_brute_force(game: Game) -> None:
    end = game.end()
    view, guild_of = end.view(None), end.events(None)[0].deck
    for side, seats in zip(view.result.teams, game.variant.sides, strict=True):
        assert side.seats == seats
        assert side.gems == sum(view.treasure[seat] for seat in seats)
        check_side(side, [area_of(view, seat) for seat in seats], guild_of)
        assert {end.outcome().points[seat] for seat in seats} == {side.points}


@pytest.mark.parametrize("seats", [1, 2], ids=["alone", "in a team"])
@settings(max_examples=200)
@given(seed=SEEDS, jokers=st.integers(0, 4), share=st.sampled_from([0.2, 0.5, 1.0]))
def test_i15_points_of_rare_areas(seats: int, seed: int, jokers: int, share: float) -> None:
    rng = random.Random(seed)
    variant = VARIANTS[0]
    guild_of = variant.start(variant.deal(rng)).events(None)[0].deck
    dealt = [card for card in CARDS if value(card) != 1 and rng.random() < share]
    dealt += [f"{name}-1" for name in ("aldo", "pietra", "enzo", "ugo")[:jokers]]
    areas: list[list[str]] = [[] for _ in range(seats)]
    for card in dealt:
        rng.choice(areas).append(card)
    treasure = [rng.randrange(5) for _ in areas]
    (side,) = describe((tuple(range(seats)),), areas, treasure).teams
    check_side(side, areas, guild_of)


@every_game
def test_i15_points_of_an_unfinished_game(game: Game) -> None:
    for state in game.moments():
        view = state.view(None)
        if view.trick:
            continue
        areas = [area_of(view, seat) for seat in range(view.n)]
        sides = describe(game.variant.sides, areas, view.treasure).teams
        assert [(now.points, now.cards, now.gems) for now in view.score_now] == [
            (side.points, side.cards, side.gems) for side in sides
        ]


@every_game
def test_i16_ranks_follow_points_cards_and_gems(game: Game) -> None:
    end = game.end()
    outcome, result = end.outcome(), end.outcome().detail
    keys = [(side.points, side.cards, side.gems) for side in result.teams]
    for side, key in zip(result.teams, keys, strict=True):
        assert side.rank == 1 + sum(other > key for other in keys)
        for seat in side.seats:
            assert outcome.ranks[seat] == result.ranks[seat] == side.rank
            assert outcome.points[seat] == side.points
    assert result.winners
    assert list(result.winners) == [s for s, rank in enumerate(outcome.ranks) if rank == 1]
