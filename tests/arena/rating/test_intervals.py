"""How sure means over boards are."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.contracts import Field
from arena.plugins import get_schedule
from arena.rating.intervals import Estimate, Sample, Sat, combine, quantile, share_interval, solve
from arena.schedule.plan import Board, plan
from engine import get_variant

NAMES = tuple(f"e{number}" for number in range(7))
STRENGTH = {name: float(number) for number, name in enumerate(NAMES)}
THREE = get_variant("pot-de-vin/3")
TEAMS = get_variant("pot-de-vin/4-teams")


@pytest.mark.parametrize(
    ("degrees", "value"), [(3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1e9, 1.95996)]
)
def test_the_quantile_is_that_of_the_t_distribution(degrees: float, value: float) -> None:
    """Values from the published tables."""
    assert quantile(degrees) == pytest.approx(value, rel=2e-3)
    assert quantile(2) == pytest.approx(4.3027, rel=1e-2)


@pytest.mark.parametrize(("degrees", "value"), [(10, 3.1693), (24, 2.7969), (1e9, 2.5758)])
def test_the_quantile_of_more_confidence_is_farther_out(degrees: float, value: float) -> None:
    assert quantile(degrees, 0.99) == pytest.approx(value, rel=5e-3)


# -- shares ------------------------------------------------------------------------------------


@given(st.floats(0, 1), st.floats(0, 0.5), st.floats(2, 500), st.integers(3, 500))
def test_the_interval_of_a_share_holds_it_and_stays_a_share(
    mean: float, error: float, degrees: float, boards: int
) -> None:
    bounds = share_interval(Estimate(mean, error, degrees), boards)
    assert bounds
    assert 0 <= bounds[0] <= mean + 1e-12
    assert mean - 1e-12 <= bounds[1] <= 1


def test_a_bot_that_won_everything_is_not_surely_perfect() -> None:
    bounds = share_interval(Estimate(1.0, 0.0, 19), 20)
    assert bounds
    assert 0.8 < bounds[0] < 0.85
    assert bounds[1] == 1.0


def test_without_an_estimate_there_is_no_interval() -> None:
    assert share_interval(None, 1) is None


# -- combined ----------------------------------------------------------------------------------


def test_independent_estimates_are_weighted() -> None:
    whole = combine([(3, Estimate(1.0, 0.2, 10)), (1, Estimate(5.0, 0.6, 10)), (0, None)])
    assert whole
    assert whole.mean == pytest.approx(2.0)
    assert whole.error == pytest.approx((0.15**2 + 0.15**2) ** 0.5)
    assert whole.degrees == pytest.approx(20)


def test_a_part_that_nothing_is_known_of_spoils_the_whole() -> None:
    assert combine([(1, Estimate(1.0, 0.2, 10)), (1, None)]) is None
    assert combine([]) is None


# -- least squares -----------------------------------------------------------------------------


@given(st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_effects_are_found_as_far_as_they_can_be_told_apart(effects: list[int]) -> None:
    """Sums of two of four effects tell all of them; of two pairs that never mix, only the sums."""
    pairs = list(combinations(range(4), 2))
    values = [float(effects[one] + effects[other]) for one, other in pairs]
    found, rank = solve(pairs, values, 4)
    assert found == pytest.approx(effects, abs=1e-9)
    assert rank == 4
    found, rank = solve([(0, 1), (2, 3)], [values[0], values[5]], 4)
    assert rank == 2
    assert found[0] + found[1] == pytest.approx(values[0])


# -- samples -----------------------------------------------------------------------------------


def sats(
    boards: Sequence[Board], rng: random.Random, *, luck: float = 0.0, dice: float = 0.0
) -> list[Sat]:
    """Return what came of boards on which a side's points are its strength less the others'."""
    found = []
    for board in boards:
        variant = get_variant(board.variant)
        cards = [rng.gauss(0, luck) for _ in range(variant.seats)]
        points: dict[str, list[float]] = {name: [0.0] * variant.seats for name in board.entrants}
        for rotation in range(variant.seats):
            seating = board.seating(rotation)
            bids = [
                STRENGTH[name] + card + rng.gauss(0, dice)
                for name, card in zip(seating, cards, strict=True)
            ]
            for side in variant.sides:
                own = sum(bids[seat] for seat in side)
                for seat in side:
                    points[seating[seat]][seat] = len(variant.sides) * own - sum(bids)
        for side in variant.sides:
            members = [board.entrants[place] for place in side]
            others = tuple(name for name in board.entrants if name not in members)
            for name in members:
                partners = tuple(one for one in members if one != name)
                found.append(Sat(name, others, partners, tuple(points[name])))
    return found


def scheduled(variant_id: str, blocks: int) -> list[Board]:
    """Return the boards of seven entrants."""
    variant = get_variant(variant_id)
    fields = [Field(variant, NAMES)]
    return list(plan(get_schedule("round-robin"), fields, blocks * variant.seats, 0))


def means_of(sample: Sequence[Sat]) -> list[float]:
    """Return the points a game of each."""
    return [sum(sat.points) / len(sat.points) for sat in sample]


@pytest.mark.parametrize("variant_id", [THREE.id, TEAMS.id])
def test_opponents_and_partners_are_no_uncertainty(variant_id: str) -> None:
    """Without luck all that differs from board to board is who was there, and that is known."""
    own = sats(scheduled(variant_id, 28), random.Random(1))
    for name, estimate in Sample(own).estimates(means_of(own)).items():
        assert estimate
        plain = [mean for sat, mean in zip(own, means_of(own), strict=True) if sat.name == name]
        assert estimate.mean == pytest.approx(sum(plain) / len(plain))
        assert estimate.error < 0.1 * (max(plain) - min(plain))


def test_before_there_are_enough_boards_nothing_is_claimed() -> None:
    own = sats(scheduled(THREE.id, 2), random.Random(1), dice=1.0)
    assert set(Sample(own).estimates(means_of(own)).values()) == {None}


def test_who_always_meets_the_same_is_judged_by_its_boards() -> None:
    boards = [Board(THREE.id, number, 0, NAMES[:3]) for number in range(20)]
    own = sats(boards, random.Random(2), dice=1.0)
    for estimate in Sample(own).estimates(means_of(own)).values():
        assert estimate
        assert 10 < estimate.degrees <= 19


def test_the_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """`benchmarks/calibration.py` measures it better; this is for gross mistakes."""
    rng = random.Random(3)
    boards = scheduled(THREE.id, 15)
    held = rows = 0
    for _ in range(60):
        own = sats(boards, rng, luck=3.0, dice=1.0)
        for name, estimate in Sample(own).estimates(means_of(own)).items():
            assert estimate
            others = (sum(STRENGTH.values()) - STRENGTH[name]) / (len(NAMES) - 1)
            low, high = estimate.interval()
            held += low <= 2 * (STRENGTH[name] - others) <= high
            rows += 1
    assert 0.92 <= held / rows <= 0.99


@pytest.mark.parametrize(
    ("luck", "dice", "least", "most"), [(0.0, 1.0, 0.8, 1.25), (2.0, 1.0, 3, 8)]
)
def test_duplicate_play_gains_what_luck_there_is_to_cancel(
    luck: float, dice: float, least: float, most: float
) -> None:
    """A fifth of the variance is the dice's, so five games on other deals tell as much as one."""
    own = sats(scheduled(THREE.id, 60), random.Random(4), luck=luck, dice=dice)
    gain = Sample(own).duplicate_gain()
    assert gain
    assert least < gain < most


def test_the_gain_is_not_told_without_boards_or_without_any_difference() -> None:
    assert Sample([]).duplicate_gain() is None
    boards = [Board(THREE.id, number, 0, NAMES[:3]) for number in range(40)]
    assert Sample(sats(boards, random.Random(1))).duplicate_gain() in (None, pytest.approx(1 / 3))
