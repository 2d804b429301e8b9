"""Tests of the texts of pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.base.record import Entrant
from arena.publish.pages import (
    KEPT,
    PublishedGame,
    leading_rows_of,
    legend_of,
    lines,
    listed,
    published_game,
    results_of_bot,
)
from arena.rating.certificate import Certificate, Neighbours
from arena.rating.leaderboard import Leaderboard
from tests.arena.publish.rows import row
from tests.arena.publish.test_replays import a_game
from tests.arena.rating.made_boards import THREE, faulted


@given(st.lists(st.tuples(st.floats(-1, 2), st.floats(0.01, 0.5)), min_size=1, max_size=9))
def test_scores_are_drawn_inside_their_interval(scores: list[tuple[float, float]]) -> None:
    rows = [
        replace(
            row(f"b{place}", 1, 9), score=score, score_low=score - half, score_high=min(1, score)
        )
        for place, (score, half) in enumerate(scores)
    ]
    for line in lines(rows, {}):
        assert line.bar
        assert 0 <= line.bar.low <= line.bar.score <= line.bar.high <= 100


@pytest.mark.parametrize(
    ("ranks", "points", "faulty", "said"),
    [
        ((1, 2, 2), (9, 4, 4), "", "won, place 1 of 3, 5 ahead"),
        ((1, 1, 3), (9, 9, 4), "", "tied, place 1 of 3, level"),
        ((2, 1, 3), (4, 9, 1), "", "lost, place 2 of 3, 5 behind"),
        ((3, 1, 2), (9, 4, 1), "a", "lost because of a fault"),
        ((1, 1, 1), (13, 28, 17), "abc", "lost because of a fault"),
        ((1, 1, 1), (5, 5, 5), "bc", "won, place 1 of 3, level"),
    ],
)
def test_the_result_of_a_game_is_that_of_the_wins(
    ranks: tuple[int, ...], points: tuple[int, ...], faulty: str, said: str
) -> None:
    record = replace(a_game(THREE.id), entrants=tuple("abc"), ranks=ranks, points=points)
    record = faulted(record, *map("abc".index, faulty))
    (own,) = results_of_bot("a", [published_game(record, THREE, "", "monday")])
    assert own.text == said
    assert own.outcome == said.split(",")[0].split()[0]


def test_lines_know_authors_scores_brackets_and_what_is_cut() -> None:
    entrants = {"a": Entrant("a", ("none",), ".", "", author="Ada")}
    rows = [
        replace(row(name, 1, 3), tier=tier, open_tier=True)
        for name, tier in zip("abc", (1, 1, 2), strict=True)
    ]
    rows[2] = replace(rows[2], score=None, score_low=None, score_high=None)
    found = lines(rows, entrants)
    assert [one.author for one in found] == ["Ada", "", ""]
    assert [one.text("score") for one in found] == ["50.0% ±10", "50.0% ±10", "-"]
    brackets = [(one.bracket, one.is_cut) for one in found]
    assert brackets == [("starts", False), ("ends", True), ("", False)]


def test_lines_show_what_is_certain_between_them() -> None:
    rows = [row(name, place, place) for place, name in enumerate("abc", 1)]
    certificate = Certificate(
        (Neighbours("a", "b", "close", 0.5), Neighbours("b", "c", "line", 0.99)), 0.95, 0.05, 50, 2
    )
    shown = lines(rows, {}, certificate)
    marks = [(one.is_lined, one.is_close) for one in shown]
    assert marks == [(False, False), (True, True), (False, False)]
    assert not any(one.is_lined or one.is_close for one in lines(rows, {}))
    board = Leaderboard(
        tuple(rows), {}, 150, 0, certificate={"overall": certificate}, order="score"
    )
    assert legend_of(board) == (True, False, certificate, "1 of 2 lines, 1 close", "")
    assert legend_of(Leaderboard(tuple(rows), {}, 150, 0)) == (False, False, None, "", "")


def test_a_bot_stands_in_each_table_that_says_who_leads() -> None:
    a, b = row("a", 1, 1), row("b", 2, 2)
    apart = Leaderboard((), {}, 9, 0, by_game={"bribery": (a, b), "pot-de-vin": (b,)})
    assert leading_rows_of("b", apart) == [("Bribery", b, 2), ("Pot de Vin", b, 1)]
    assert leading_rows_of("b", Leaderboard((a, b), {}, 9, 0)) == [("", b, 2)]
    assert leading_rows_of("new", apart, [row("new", 1, 1)])[0].of == 2


@pytest.mark.parametrize(("number", "shown"), [(3, 3), (1000, 1000), (1001, 2)])
def test_a_page_lists_all_games_or_the_special_ones(number: int, shown: int) -> None:
    game = PublishedGame("key", "title", "v", "page", (), (), (), (), (KEPT,), "monday")
    fault = replace(game, faults=("a: crash",)).because(())
    notable = game.because(("closest game of a", KEPT))
    assert len(listed([fault, notable] + [game] * (number - 2))) == shown
