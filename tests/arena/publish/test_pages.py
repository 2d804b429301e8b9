"""Tests of the texts of pages."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.base.record import Entrant
from arena.publish.pages import (
    leading_rows_of,
    legend_of,
    lines,
)
from arena.rating.certificate import Certificate, Neighbours
from arena.rating.columns import web_text
from arena.rating.leaderboard import Leaderboard
from tests.arena.publish.rows import row


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


def test_rows_have_authors_scores_and_brackets() -> None:
    entrants = {"a": Entrant("a", ("none",), ".", "", author="Ada")}
    rows = [
        replace(row(name, 1, 3), tier=tier, open_tier=True)
        for name, tier in zip("abc", (1, 1, 2), strict=True)
    ]
    rows[2] = replace(rows[2], score=None, score_low=None, score_high=None)
    found = lines(rows, entrants)
    assert [one.author for one in found] == ["Ada", "", ""]
    assert [web_text("score", one.row) for one in found] == ["50.0% ±10", "50.0% ±10", "-"]
    brackets = [(one.bracket, one.is_cut) for one in found]
    assert brackets == [("starts", False), ("ends", True), ("", False)]


def test_lines_mark_certain_order() -> None:
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


def test_bot_page_lists_its_tables() -> None:
    a, b = row("a", 1, 1), row("b", 2, 2)
    apart = Leaderboard((), {}, 9, 0, by_game={"bribery": (a, b), "pot-de-vin": (b,)})
    assert leading_rows_of("b", apart) == [("Bribery", b, 2), ("Pot de Vin", b, 1)]
    assert leading_rows_of("b", Leaderboard((a, b), {}, 9, 0)) == [("", b, 2)]
