"""The comparison of two versions: kept cases and what must hold."""

import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.sequential_test import BETS, THRESHOLD, BettingEvidence, Comparison, compare
from tests.arena.rating.made_tables import read_case

CASES = read_case("5_compare.json")["comparisons"]
differences = st.lists(st.fractions(-1, 1, max_denominator=12), max_size=120)


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_sequential_test_matches_the_specification(case: dict[str, object]) -> None:
    boards = case["differences"]
    expected = case["expected"]
    assert isinstance(boards, list)
    assert isinstance(expected, dict)
    found = compare(map(Fraction, boards), Fraction(str(case["delta"])))
    assert (found.verdict, found.boards) == (expected["verdict"], expected["boards"])


def test_undecided_without_boards() -> None:
    assert compare([]) == Comparison("undecided", 0, 0.0, -1.0, 1.0, 1.0, 1.0)


@given(differences, st.fractions(Fraction(1, 40), Fraction(1, 2), max_denominator=40))
def test_evidence_is_mean_of_products(boards: list[Fraction], delta: Fraction) -> None:
    evidence = BettingEvidence(delta)
    used = []
    for each in boards:
        if evidence.verdict == "undecided":
            used.append(each)
        evidence.add(each)
    bets = [Fraction(bet) for bet in BETS]
    ups = [math.prod([1 + bet * each for each in used]) for bet in bets]
    downs = [math.prod([1 + bet * (delta - each) for each in used]) for bet in bets]
    found = evidence.comparison()
    assert found.boards == len(used)
    assert found.evidence_better == pytest.approx(float(sum(ups) / len(BETS)), rel=1e-9)
    assert found.evidence_not_better == pytest.approx(float(sum(downs) / len(BETS)), rel=1e-9)
    assert (found.verdict == "better") == (found.evidence_better >= 20)
    assert -1 <= found.low <= found.difference <= found.high <= 1
    says = {"better": found.low >= 0, "not better": found.high <= delta}
    assert says.get(found.verdict, not any(says.values())), "the bounds are those of the verdict"


@pytest.mark.parametrize(
    "mean",
    [
        Fraction(0),
        *[pytest.param(one, marks=pytest.mark.slow) for one in (Fraction(-1, 2), Fraction(1, 5))],
    ],
)
def test_bounds_hold_at_every_check(mean: Fraction) -> None:
    """A bound that is wrong after any board counts as wrong."""
    rng = random.Random(f"bounds {mean}")
    wrong = Counter[str]()
    for _ in range(400):
        evidence, low, high = BettingEvidence(), 0.0, 0.0
        for _ in range(60):
            evidence.add(Fraction(1 if rng.random() < (1 + mean) / 2 else -1))
            low = max(low, evidence.above(float(mean)))
            high = max(high, evidence.below(float(mean)))
        wrong.update(low=low >= THRESHOLD, high=high >= THRESHOLD)
    assert max(wrong.values()) <= 400 * 0.05 + 9


@given(differences)
def test_ignores_boards_after_the_verdict(boards: list[Fraction]) -> None:
    found = compare(boards)
    assert compare(boards[: found.boards]) == found
