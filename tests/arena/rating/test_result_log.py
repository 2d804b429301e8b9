"""A log gives the results back as they came."""

import pytest

from arena.rating.complete_boards import BoardResult
from arena.rating.trueskill import ResultLog

ALONE = BoardResult("pot-de-vin/3", (("c",), ("a",), ("b",)), (1, 3, 1))
TEAMS = BoardResult("pot-de-vin/4-teams", (("b", "d"), ("a", "c")), (2, 1))
OTHERS = BoardResult("pot-de-vin/3", (("d",), ("e",), ("a",)), (3, 2, 1))
RESULTS = [ALONE, TEAMS, OTHERS, TEAMS, ALONE]


@pytest.mark.parametrize("number", range(len(RESULTS) + 1))
def test_a_log_yields_its_results_in_order_each_time(number: int) -> None:
    log = ResultLog(RESULTS[:number])
    assert len(log) == number
    assert list(log) == list(log) == RESULTS[:number]


def test_a_log_counts_the_boards_of_each_variant() -> None:
    log = ResultLog(RESULTS)
    assert log.boards == {"pot-de-vin/3": 3, "pot-de-vin/4-teams": 2}
    log.add(TEAMS)
    assert log.boards["pot-de-vin/4-teams"] == 3
    assert log.boards["bribery/2"] == 0
