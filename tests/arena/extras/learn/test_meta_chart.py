"""The chart of ratings from pairs, of fields whose answer is known."""

from collections.abc import Sequence

import pytest

from arena.extras.learn.meta_chart import MAX_BOTS, meta_chart
from arena.rating.complete_boards import BoardShares

CIRCLE = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
ORDER = [("a", "b"), ("b", "c"), ("a", "c")]
CLONE_OF_ROCK = [("clone", "scissors"), ("paper", "clone")]
CLONE_OF_C = [("a", "clone"), ("b", "clone")]


def boards_won(pairs: Sequence[tuple[str, str]]) -> list[BoardShares]:
    """Return ten boards for each pair, on which the first one is always before the second."""
    return [
        BoardShares("bribery/2", number, ((winner,), (loser,)), ((0, 4), (0, 0)), 4)
        for number in range(10)
        for winner, loser in pairs
    ]


@pytest.mark.parametrize(
    ("pairs", "nash", "mean"),
    [
        (CIRCLE, {"rock": 0.5, "paper": 0.5, "scissors": 0.5}, {"rock": 0.5, "paper": 0.5}),
        (
            CIRCLE + CLONE_OF_ROCK,
            {"rock": 0.5, "paper": 0.5, "scissors": 0.5, "clone": 0.5},
            {"rock": 0.5, "paper": 2 / 3, "scissors": 1 / 3, "clone": 0.5},
        ),
        (ORDER, {"a": 0.5, "b": 0, "c": 0}, {"a": 1, "b": 0.5, "c": 0}),
        (ORDER + CLONE_OF_C, {"a": 0.5, "b": 0, "c": 0}, {"a": 1, "b": 2 / 3, "c": 1 / 6}),
    ],
    ids=["circle", "circle with a clone", "order", "order with a clone"],
)
def test_a_clone_moves_the_mean_and_not_nash(
    pairs: list[tuple[str, str]], nash: dict[str, float], mean: dict[str, float]
) -> None:
    boards = boards_won(pairs)
    bots = {bot: f"{bot}'s" for pair in pairs for bot in pair}
    chart = meta_chart(boards, bots)
    assert chart
    values = {(bot, rating): value for bot, rating, value, _, _ in chart.data[1:]}
    for rating, known in (("Nash", nash), ("mean", mean)):
        for bot, value in known.items():
            assert float(values[f"{bot}'s", rating]) == pytest.approx(value, abs=2e-3), (
                bot,
                rating,
            )
    assert [row[0] for row in chart.rows] == list(bots.values())
    assert meta_chart(boards, bots) == chart


@pytest.mark.parametrize("bots", [2, MAX_BOTS + 1])
def test_fields_that_are_too_small_or_large_have_none(bots: int) -> None:
    pairs = [(str(number), str(number + 1)) for number in range(bots - 1)]
    assert meta_chart(boards_won(pairs), {}) is None
