"""Tests of simulated fields: their truth, and their boards against the engine's."""

import random
from itertools import chain
from statistics import fmean

import msgspec
import pytest

from arena.base.record import GameRecord
from arena.rating.complete_boards import board_shares
from benchmarks.simulated import (
    SimulatedField,
    Tournament,
    before_of,
    draw_bids,
    rare_crash,
    simulated_fields,
    true_scores,
)
from engine import get_variant

FIELDS = [*simulated_fields(4, 3).values(), *simulated_fields(6, 4, 2).values(), rare_crash(2)]


@pytest.mark.parametrize("variant_id", ["bribery/2", "pot-de-vin/3", "pot-de-vin/4-teams"])
def test_simulated_boards_match_records(variant_id: str) -> None:
    variant = get_variant(variant_id)
    size = len(variant.sides[0])
    field = SimulatedField("some", (0.0, 0.3, 0.6, 0.9), variant.seats, size)
    order = list(chain(*variant.sides))
    sides = tuple([tuple(side) for side in variant.sides])
    rng = random.Random(5)
    for _ in range(20):
        games = [[round(20 * bid) for bid in bids] for bids in draw_bids(field, sides, rng)]
        records = []
        for rotation, bids in enumerate(games):
            by_place = dict(zip(order, bids, strict=True))
            places = [(seat - rotation) % variant.seats for seat in range(variant.seats)]
            totals = [sum([by_place[places[seat]] for seat in side]) for side in variant.sides]
            points = [
                next(t for t, side in zip(totals, sides, strict=True) if seat in side)
                for seat in range(variant.seats)
            ]
            records.append(
                GameRecord(
                    key=f"{rotation}",
                    variant=variant.id,
                    rules_version=1,
                    board=1,
                    rotation=rotation,
                    entrants=tuple([f"bot-{place}" for place in places]),
                    seeds=(0,) * variant.seats,
                    deal=msgspec.Raw(b"{}"),
                    actions=(),
                    points=tuple(points),
                    ranks=tuple([1 + sum([other > own for other in points]) for own in points]),
                    detail=msgspec.Raw(b"{}"),
                )
            )
        shares = board_shares(records, variant)
        assert shares.sides == tuple(tuple(f"bot-{place}" for place in side) for side in sides)
        assert shares.before == before_of(games, size)


def test_true_scores_are_long_run_means() -> None:
    """Balanced meetings give the plain mean of the shares."""
    for field in FIELDS:
        shares: dict[str, list[float]] = {name: [] for name in field.names}
        for board in Tournament(field, random.Random(2)).boards(400):
            for side, before in zip(board.sides, board.before, strict=True):
                for name in side:
                    shares[name].append(sum(before) / board.whole / (len(board.sides) - 1))
        for name, true in zip(field.names, true_scores(field), strict=True):
            assert fmean(shares[name]) == pytest.approx(true, abs=0.08)
        assert sum(true_scores(field)) == pytest.approx(field.bots / 2)


def test_cyclic_bots_have_equal_scores() -> None:
    field = simulated_fields(5, 3)["cyclic"]
    assert true_scores(field) == pytest.approx([0.5] * 5)
    assert [field.gains(0, other) for other in range(5)] == [0, 1, 1, -1, -1]


def test_tournament_continues_the_schedule() -> None:
    field = simulated_fields(4, 3)["equal"]
    tournament = Tournament(field, random.Random(3))
    in_two_parts = [*tournament.boards(3), *tournament.boards(4)]
    assert in_two_parts == list(Tournament(field, random.Random(3)).boards(7))
    assert [board.number for board in in_two_parts] == list(range(1, 8))
