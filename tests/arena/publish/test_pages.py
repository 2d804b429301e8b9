"""Tests of the texts of pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.base.record import Entrant
from arena.publish.notable_games import BotGame
from arena.publish.pages import (
    SAMPLE,
    PublishedGame,
    in_words,
    leading_rows_of,
    legend_of,
    lines,
    listed,
    milliseconds,
    result_of,
    title_of,
    verdict,
)
from arena.rating.certificate import Certificate, Neighbours
from arena.rating.leaderboard import Leaderboard
from tests.arena.publish.rows import row


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


@given(st.lists(st.tuples(st.floats(-1, 2), st.floats(0.01, 0.5)), min_size=1, max_size=9))
def test_scores_are_drawn_inside_their_column_and_their_interval(
    scores: list[tuple[float, float]],
) -> None:
    rows = [
        replace(
            row(f"b{place}", 1, 9), score=score, score_low=score - half, score_high=min(1, score)
        )
        for place, (score, half) in enumerate(scores)
    ]
    for line in lines(rows, {}):
        assert line.bar
        assert 0 <= line.bar.low <= line.bar.score <= line.bar.high <= 100


def test_lines_know_where_tiers_end() -> None:
    rows = [
        replace(row(name, 1, 3), tier=tier) for name, tier in zip("abc", (1, 1, 2), strict=True)
    ]
    assert [(one.starts_tier, one.ends_tier) for one in lines(rows, {})] == [
        (True, False),
        (False, True),
        (True, True),
    ]


def test_lines_know_the_authors() -> None:
    entrants = {"a": Entrant("a", ("none",), ".", "", author="Ada")}
    assert [line.author for line in lines([row("a", 1, 2), row("b", 1, 2)], entrants)] == [
        "Ada",
        "",
    ]


def test_lines_have_the_score_and_its_interval() -> None:
    new = replace(row("b", 1, 2), score=None, score_low=None, score_high=None)
    assert [line.text("score") for line in lines([row("a", 1, 2), new], {})] == ["50.0% ±10", "-"]


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
    board = Leaderboard(
        tuple(rows), {}, 150, 0, certificate={"overall": certificate}, order="score"
    )
    assert legend_of(board) == (True, certificate, "1 of 2 lines, 1 close")
    assert legend_of(Leaderboard(tuple(rows), {}, 150, 0)) == (False, None, "")


def test_a_bot_stands_in_each_table_that_says_who_leads() -> None:
    a, b = row("a", 1, 1), row("b", 2, 2)
    apart = Leaderboard((), {}, 9, 0, by_game={"bribery": (a, b), "pot-de-vin": (b,)})
    assert leading_rows_of("b", apart) == [("Bribery", b, 2), ("Pot de Vin", b, 1)]
    assert leading_rows_of("b", Leaderboard((a, b), {}, 9, 0)) == [("", b, 2)]
    assert leading_rows_of("new", apart, [row("new", 1, 1)])[0].of == 2


def test_words_for_people() -> None:
    assert title_of("brides-and-bribes") == "Brides & Bribes"
    places = ("bribery/4-teams-advanced", "pot-de-vin/3 board 2 rotation 1", "bribery", "overall")
    assert [*map(in_words, places)] == [
        "Bribery, 4 seats, teams, advanced",
        "Pot de Vin, 3 seats, board 2, rotation 1",
        "Bribery",
        "All games",
    ]
    assert [milliseconds(one) for one in (0.1234, 4.5, 1500, 3_600_000)] == [
        "0.12 ms", "4.5 ms", "1.5 s", "3600 s",
    ]  # fmt: skip
    said = [result_of(BotGame(margin, 7, "", "", "")) for margin in (3, 0, -1)]
    assert said == ["7 points, 3 ahead", "7 points, level", "7 points, 1 behind"]


@pytest.mark.parametrize(("number", "shown"), [(3, 3), (1000, 1000), (1001, 2)])
def test_a_page_lists_all_games_or_the_special_ones(number: int, shown: int) -> None:
    game = PublishedGame("key", "title", "v", "page", (), (), (), (), (SAMPLE,), "monday")
    fault = replace(game, faults=("a: crash",)).because(())
    notable = game.because(("closest game of a", SAMPLE))
    assert len(listed([fault, notable] + [game] * (number - 2))) == shown
