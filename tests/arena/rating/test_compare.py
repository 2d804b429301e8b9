"""The comparison of two versions: kept cases and what must hold."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.betting import BETS, BettingEvidence, Comparison, compare
from tests.arena.rating.made_tables import read_case

CASES = read_case("5_compare.json")["comparisons"]
differences = st.lists(st.fractions(-1, 1, max_denominator=12), max_size=120)


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_a_kept_case_comes_out_so(case: dict[str, object]) -> None:
    boards = case["differences"]
    expected = case["expected"]
    assert isinstance(boards, list)
    assert isinstance(expected, dict)
    found = compare(map(Fraction, boards), Fraction(str(case["delta"])))
    assert (found.verdict, found.boards) == (expected["verdict"], expected["boards"])


def test_without_boards_nothing_is_decided() -> None:
    assert compare([]) == Comparison("undecided", 0, 0.0, -1.0, 1.0, 1.0, 1.0)


@given(differences, st.fractions(Fraction(1, 40), Fraction(1, 2), max_denominator=40))
def test_the_evidence_is_the_mean_over_bets_of_products(
    boards: list[Fraction], delta: Fraction
) -> None:
    evidence = BettingEvidence(delta)
    used = []
    for each in boards:
        if evidence.verdict == "undecided":
            used.append(each)
        evidence.add(each)
    ups, downs = [Fraction(1)] * len(BETS), [Fraction(1)] * len(BETS)
    for each in used:
        ups = [up * (1 + bet * each) for up, bet in zip(ups, BETS, strict=True)]
        downs = [down * (1 + bet * (delta - each)) for down, bet in zip(downs, BETS, strict=True)]
    found = evidence.comparison()
    assert found.boards == len(used)
    assert found.evidence_better == pytest.approx(float(sum(ups) / len(BETS)), rel=1e-9)
    assert found.evidence_not_better == pytest.approx(float(sum(downs) / len(BETS)), rel=1e-9)
    assert (found.verdict == "better") == (found.evidence_better >= 20)
    assert -1 <= found.low <= found.difference <= found.high <= 1


@given(differences)
def test_boards_after_the_verdict_do_not_count(boards: list[Fraction]) -> None:
    found = compare(boards)
    assert compare(boards[: found.boards]) == found


@pytest.mark.parametrize(("sign", "verdict"), [(1, "better"), (-1, "not better")])
def test_a_version_that_always_wins_or_loses_is_soon_told(sign: int, verdict: str) -> None:
    found = compare([Fraction(sign)] * 100)
    assert found.verdict == verdict
    assert found.boards < 12
