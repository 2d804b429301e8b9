"""Tests of the texts and charts of pages."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.publish.charts import (
    pair_chart,
    points_chart,
    rating_chart,
    spread_out,
    time_chart,
)
from arena.publish.notable_games import BotGame
from arena.publish.pages import (
    SAMPLE,
    PublishedGame,
    legend_of,
    lines,
    listed,
    milliseconds,
    result_of,
    title_of,
    verdict,
)
from arena.publish.svg import MAX_NAME_LETTERS, shortened_name
from arena.publish.timings import Timings
from arena.rating.certainty import Certificate, Neighbours
from arena.rating.leaderboard import Row, leaderboard
from arena.rating.pairs import Pair, pairs
from arena.rating.trueskill import rating_history
from arena.record import Entrant, GameRecord, Timing
from arena.tournament.run_leaderboard import RunLeaderboard
from engine import get_variant
from tests.arena.runs import hand_made

VARIANT = {"pot-de-vin/3": get_variant("pot-de-vin/3")}


def row(bot: str, best: int, worst: int, mu: float = 25.0, sigma: float = 2.0) -> Row:
    return Row(
        rank=best,
        best_rank=best,
        worst_rank=worst,
        bot=bot,
        mu=mu,
        sigma=sigma,
        rating=mu - 3 * sigma,
        score=0.5,
        score_low=0.4,
        score_high=0.6,
        games=9,
        points_per_game=4.0,
        points_low=None,
        points_high=None,
        win_share=0.5,
        wins_low=None,
        wins_high=None,
        faults=0,
    )


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ([(1, 1), (2, 2)], "a leads."),
        ([(1, 2), (1, 2)], "a leads, but b may be as good."),
        ([(1, 3), (1, 3), (1, 3)], "a leads, but b and c may be as good."),
        ([(1, 5)] * 5, "a leads, but 4 others may be as good."),
        ([], "No board is complete yet."),
    ],
)
def test_the_verdict_names_the_leader_and_its_rivals(
    ranges: list[tuple[int, int]], said: str
) -> None:
    rows = [row("abcde"[place], *one) for place, one in enumerate(ranges)]
    assert verdict(rows) == said


@given(st.lists(st.tuples(st.floats(-50, 90), st.floats(0.01, 9)), min_size=1, max_size=9))
def test_intervals_are_drawn_inside_their_column_and_in_order(
    ratings: list[tuple[float, float]],
) -> None:
    rows = [row(f"b{place}", 1, 9, mu, sigma) for place, (mu, sigma) in enumerate(ratings)]
    for line in lines(rows, {}):
        one = line.interval
        assert 0 <= one.low <= one.inner_low <= one.mu <= one.inner_high <= one.high <= 100


def test_lines_know_the_authors() -> None:
    entrants = {"a": Entrant("a", ("none",), ".", "", author="Ada")}
    assert [line.author for line in lines([row("a", 1, 2), row("b", 1, 2)], entrants)] == [
        "Ada",
        "",
    ]


def test_lines_have_the_score_and_its_interval() -> None:
    new = replace(row("b", 1, 2), score=None, score_low=None, score_high=None)
    assert [line.score for line in lines([row("a", 1, 2), new], {})] == ["50.0% ±10", "-"]


def test_lines_show_what_is_certain_between_them() -> None:
    rows = [row(name, place, place) for place, name in enumerate("abc", 1)]
    certificate = Certificate(
        (Neighbours("a", "b", "close", 0.5), Neighbours("b", "c", "line", 0.99)), 0.95, 0.05, 50, 2
    )
    shown = lines(rows, {}, certificate)
    assert [(one.is_lined, one.is_close) for one in shown] == [
        (False, False),
        (True, True),
        (False, False),
    ]
    assert not any(one.is_lined or one.is_close for one in lines(rows, {}))
    board = RunLeaderboard(
        tuple(rows), {}, 150, 0, certificate={"overall": certificate}, order="score"
    )
    assert legend_of(board) == (True, certificate, "1 of 2 lines, 1 close")
    assert legend_of(RunLeaderboard(tuple(rows), {}, 150, 0)) == (False, None, "")


def test_words_for_people() -> None:
    assert title_of("brides-and-bribes") == "Brides & Bribes"
    assert [milliseconds(one) for one in (0.1234, 4.5, 1500, 3_600_000)] == [
        "0.12 ms", "4.5 ms", "1.5 s", "3600 s",
    ]  # fmt: skip
    said = [result_of(BotGame(margin, 7, "", "", "")) for margin in (3, 0, -1)]
    assert said == ["7 points, 3 ahead", "7 points, level", "7 points, 1 behind"]


# -- charts ----------------------------------------------------------------------------------


def records(boards: int) -> list[GameRecord]:
    rng = random.Random(7)
    found = []
    for board in range(1, boards + 1):
        for turn in range(3):
            ranks = rng.sample([1, 2, 3], 3)
            found.append(hand_made(ranks, board=board, rotation=turn, points=[9, 4, 1]))
    return found


@pytest.mark.parametrize("boards", [0, 1, 5, 23])
def test_the_rating_history_ends_with_the_leaderboard(boards: int) -> None:
    played = records(boards)
    snapshots = rating_history(played, VARIANT, "abc", 4)
    assert snapshots[0].games == 0
    assert snapshots[-1].games == 3 * boards
    assert len(snapshots) <= 6
    for one in leaderboard(played, VARIANT, "abc").overall:
        assert snapshots[-1].ratings[one.bot] == (one.mu, one.sigma)


def test_charts_show_any_name() -> None:
    names = ["$x_1^2$", "漢字 bot", "<script>&amp;", "\x1b[31m", "x" * 60, "\u202egnp"]
    timings = {}
    for name in names:
        timings[name] = Timings()
        timings[name].add(Timing(1, 500, 500))
    chart = time_chart(timings, names, 2000)
    for text in ("$x_1^2$", "漢字 bot", "&lt;script&gt;&amp;amp;", r"\x1b[31m", r"\u202egnp"):
        assert f">{text}</text>" in chart.svg
    assert "\x1b" not in chart.svg
    assert len(shortened_name("x" * 60)) == MAX_NAME_LETTERS
    assert [cells[0] for cells in chart.rows] == names


def test_charts_show_the_numbers_of_their_tables() -> None:
    played = records(3)
    board = leaderboard(played, VARIANT, "abc")
    names = [one.bot for one in board.overall]
    matrix = pair_chart(pairs(played, VARIANT), names)
    assert [cells[0] for cells in matrix.rows] == names
    assert all(cells[1 + place] == "" for place, cells in enumerate(matrix.rows))
    shares = [int(cell.rstrip("%")) for cells in matrix.rows for cell in cells[1:] if cell]
    assert len(shares) == 6
    assert abs(sum(shares) - 300) <= 3
    for share in shares:
        assert f">{share}</text>" in matrix.svg
    told = rating_chart(rating_history(played, VARIANT, names, 60), board.overall)
    assert told.rows[-1][0] == "9"
    told = points_chart({"pot-de-vin/3": Counter({7: 3}), "bribery/2": Counter({0: 1, 9: 3})})
    assert [cells[0] for cells in told.rows] == ["pot-de-vin/3", "bribery/2"]
    assert told.rows[1][1:] == ("0", "0", "9", "9", "9")


@given(st.lists(st.floats(-100, 100), max_size=9), st.floats(0.1, 9))
def test_names_beside_lines_are_apart_in_order_and_near(values: list[float], step: float) -> None:
    values.sort()
    places = spread_out(values, step)
    assert len(places) == len(values)
    assert all(high - low >= step - 1e-9 for low, high in pairwise(places))
    assert sum(places) == pytest.approx(sum(values), abs=1e-6)
    if all(high - low > step for low, high in pairwise(values)):
        assert places == pytest.approx(values)


@pytest.mark.parametrize("number", [2, 3, 21, 60])
def test_there_is_room_for_few_bots_and_for_many_with_long_names(number: int) -> None:
    names = [f"{place:02} {'x' * 40}" for place in range(number)]
    told = [Pair(one, other, 3, 0.25) for one in names for other in names if one != other]
    assert pair_chart(told, names).svg.count("<text") >= 2 * number


@pytest.mark.parametrize(("number", "shown"), [(3, 3), (1000, 1000), (1001, 2)])
def test_a_page_lists_all_games_or_the_special_ones(number: int, shown: int) -> None:
    game = PublishedGame("key", "title", "v", (), (), (), (), (SAMPLE,))
    fault = replace(game, faults=("a: crash",), why=())
    notable = replace(game, why=("closest game of a", SAMPLE))
    assert len(listed([fault, notable] + [game] * (number - 2))) == shown


def test_charts_are_reproducible() -> None:
    played = records(2)
    snapshots = rating_history(played, VARIANT, "abc", 60)
    rows = leaderboard(played, VARIANT, "abc").overall
    assert rating_chart(snapshots, rows) == rating_chart(snapshots, rows)
