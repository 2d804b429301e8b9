"""The formulas of Bribery that are written out for two and four sides, against loops."""

import math
import random
from collections.abc import Sequence

import pytest

from bots.bribery import formulas
from bots.bribery.cards import VOTES
from bots.bribery.control import LOGISTIC_SCALE, Arrivals, ControlChances, Future, arrivals, leader

Numbers = Sequence[float]


def total(values: Numbers) -> float:
    """Return the sum, added from the first value on, as each version of Python does it."""
    found = 0.0
    for value in values:
        found += value
    return found


def win_probabilities(values: Numbers, scale: float) -> list[float]:
    weights = [math.exp((value - max(values)) / scale) for value in values]
    return [weight / total(weights) for weight in weights]


def control_chances(
    totals: Numbers, first: int | None, dominator: int | None, future: Arrivals
) -> ControlChances:
    stays = future.none if dominator is None else future.no_other[dominator]
    controls = [0.0] * len(totals)
    if stays < 1:
        means = [now + more for now, more in zip(totals, future.values, strict=False)]
        controls = [(1 - stays) * win for win in win_probabilities(means, future.scale)]
    if first is not None:
        controls[first] += stays
    factors, variances = controls.copy(), [once - once * once for once in controls]
    if dominator is not None:
        factors[dominator] = factor = controls[dominator] + stays
        variances[dominator] = controls[dominator] + 3 * stays - factor * factor
    return ControlChances(controls, factors, variances, 1 - total(controls))


def country_points(
    points: int, officials: Sequence[ControlChances], vote_bonus: Numbers
) -> list[float]:
    ranks = list(zip(VOTES.values(), officials, strict=True))
    votes, alone = [], []
    for side, bonus in enumerate(vote_bonus):
        votes.append(
            total(
                [
                    rank * official.factors[side] + bonus * official.controls[side]
                    for rank, official in ranks
                ]
            )
        )
        alone.append(math.prod([official.none + official.controls[side] for official in officials]))
    variance = total(
        [rank * rank * once for rank, official in ranks for once in official.variances]
    )
    if math.sqrt(max(0.0, variance)) < 0.001:
        wins = [float(side == leader(votes)) for side in range(len(votes))]
    else:
        wins = win_probabilities(votes, LOGISTIC_SCALE * math.sqrt(variance))
    uncontrolled = math.prod([official.none for official in officials])
    return [points * (win + chance - uncontrolled) for win, chance in zip(wins, alone, strict=True)]


def standings(
    sides: int, rng: random.Random
) -> tuple[list[float], int | None, int | None, Arrivals]:
    """Return what is asked of an official: none, some or many bribes, of which some come later."""
    totals = [
        rng.choice([0.0, 0.0, float(rng.randint(2, 10)) + rng.random()]) for _ in range(sides)
    ]
    first = leader(totals)
    has_rivals = sum([votes > 0 for votes in totals]) != 1
    weights = [rng.random() for _ in range(sides)]
    shares = tuple([weight / total(weights) for weight in weights])
    future = Future(rng.choice([0.0, 0.05, 0.4]), shares)
    return totals, first, None if has_rivals else first, arrivals(rng.randint(0, 4), future)


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_written_out_formulas_give_the_numbers_of_loops(sides: int) -> None:
    rng = random.Random(sides)
    absent = [0.0] * (4 - sides)
    for _ in range(300):
        expected, found = [], []
        for _ in VOTES:
            totals, first, dominator, future = standings(sides, rng)
            expected.append(control_chances(totals, first, dominator, future))
            found.append(formulas.control_chances([*totals, *absent], first, dominator, future))
        for value, other in zip(expected, found, strict=True):
            assert [*value.controls, *absent] == list(other.controls)
            assert [*value.factors, *absent] == list(other.factors)
            assert [*value.variances, *absent] == list(other.variances)
            assert value.none == other.none
        bonus = tuple([rng.choice([0.0, rng.random()]) for _ in range(sides)])
        points = formulas.country_points(5, found, bonus)
        assert country_points(5, expected, bonus) == list(points)[:sides]
