"""The leaderboard as people and programs read it."""

import io
from collections.abc import Sequence

import msgspec
import pytest
from rich.console import Console

from arena.rating.certificate import Border, Certificate, Neighbours
from arena.rating.columns import LeaderboardRow
from arena.rating.leaderboard import ONE_DEAL, Leaderboard
from arena.rating.pairs import Pair
from arena.terminal.console import terminal
from arena.terminal.leaderboard_table import print_leaderboard, print_pairs
from tests.arena.publish import rows


def row(bot: str, rank: int = 1, **fields: float) -> LeaderboardRow:
    """Return a row with some plausible numbers."""
    usual = {
        **{"mu": 27.123456789012345, "sigma": 1.1, "rating": 23.823456789012345, "games": 120},
        **{"score": 0.5412345678901234, "score_low": 0.5182345678, "score_high": 0.5642345678},
        **{"points_per_game": 17.25, "points_low": 16.75, "points_high": 17.75, "faults": 2},
        **{"win_share": 1 / 3, "wins_low": 0.3, "wins_high": 0.36},
    }
    return msgspec.structs.replace(rows.row(bot, rank, rank + 1), **(usual | fields))


ONE = (row("greedy"), row("random", 2, mu=-3.5, rating=-7.0))
OTHER = (row("random"),)
SINGLE = Leaderboard(ONE, {"pot-de-vin/3": ONE}, 120, 0)
SEVERAL = Leaderboard(ONE, {"pot-de-vin/3": ONE, "pot-de-vin/4": OTHER}, 120, 3)


def printed(board: Leaderboard, width: int = 100, *, full: bool = False) -> str:
    """Return what is printed where there is no terminal."""
    console = terminal(io.StringIO())
    console.width = width
    print_leaderboard(board, console, full=full)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def lines_with(text: str, *words: str) -> list[str]:
    """Return the lines in which all of these words stand, without sentences."""
    lines = [line for line in text.splitlines() if not line.endswith(".")]
    return [line for line in lines if set(words) <= set(line.split())]


# -- for people --------------------------------------------------------------------------------

FEW = msgspec.structs.replace(
    ONE[0], points_low=None, points_high=None, wins_low=None, wins_high=None
)
NEW = msgspec.structs.replace(ONE[0], score=None, score_low=None, score_high=None, games=0)


@pytest.mark.parametrize(
    ("shown", "width", "cells"),
    [
        (ONE[0], 120, "1 greedy 27.12 1.10 23.82 54.1% ±2.3 1-2 120 17.25 ±0.50 33.3% 30-36 2"),
        (ONE[0], 60, "1 greedy 23.82 54.1% ±2.3 1-2 2"),
        (FEW, 120, "1 greedy 27.12 1.10 23.82 54.1% ±2.3 1-2 120 17.25 33.3% 2"),
        (NEW, 120, "1 greedy - - - - 1-2 0 - - 2"),
    ],
    ids=["all numbers", "narrow", "no intervals", "no board"],
)
def test_shows_a_row(shown: LeaderboardRow, width: int, cells: str) -> None:
    (line,) = lines_with(printed(Leaderboard((shown,), {}, 1, 0), width), "greedy")
    assert line.split() == cells.split()


@pytest.mark.parametrize("full", [False, True])
def test_tables_have_the_same_columns(full: bool) -> None:
    board = Leaderboard((*ONE, LONG), SEVERAL.variants, 120, 3)
    by_game = msgspec.structs.replace(
        board, overall=(), by_game={"bribery": ONE, "pot-de-vin": OTHER}
    )
    variants = ["pot-de-vin/3", "pot-de-vin/4"] if full else []
    for shown, last in ((board, ["overall"]), (by_game, ["bribery", "pot-de-vin"])):
        text = printed(shown, full=full)
        lines = [line.strip() for line in text.splitlines()]
        assert [
            one for one in lines if one.startswith(("pot", "bri", "overall"))
        ] == variants + last
        assert len({tuple(one.split()) for one in lines if one.split()[:2] == ["#", "bot"]}) == 1
        assert ("no overall rank" in text) == (shown is by_game)


def test_names_omitted_columns() -> None:
    text = " ".join(printed(SINGLE, 60, full=True).split())
    assert "also shows mu, sigma, games, points, wins" in text
    assert "`--all` and a wider terminal show more" in printed(SINGLE, 70)
    assert "wider" not in printed(SINGLE, 120) + printed(SINGLE, 120, full=True)


def test_legend_is_short_unless_all_is_printed() -> None:
    marked = (
        msgspec.structs.replace(ONE[0], outscored_by=("random",), tier=1),
        msgspec.structs.replace(ONE[1], tier=2, withdrawn=True),
    )
    for board, width in ((SINGLE, 80), (SEVERAL, 120), (UNTIL, 80), (SINGLE, 120)):
        lines = printed(board, width).splitlines()
        leads, games, *_ = lines[len(lines) - lines[::-1].index("") :]
        assert leads == f"{board.overall[0].bot} leads."
        assert "120 games, " in games
        assert len(lines) <= 12 + len(board.overall)
        assert printed(board, width, full=True).count("\n") > len(lines)
    text = printed(Leaderboard(marked, {}, 120, 0), full=True)
    assert lines_with(text, "!", "1", "greedy")
    assert lines_with(text, "random", "(out)")
    for hint in ("bots above a line", "; !: ", "withdrawn from the run for faults: random\n"):
        assert hint in text
        assert hint not in printed(SINGLE, full=True)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "sorted by rating; "),
        ({"result": "points"}, "total points decide a board"),
        ({"unsettled": ("overall",)}, "not fully settled: overall"),
        ({"no_intervals": {"nim/2": ONE_DEAL}}, f"no intervals for nim/2: {ONE_DEAL}"),
        ({"games_left_out": 3}, "3 more games are on incomplete boards"),
        ({"order": "score"}, "sorted by score"),
    ],
)
def test_legend_describes_the_table(changes: dict[str, object], expected: str) -> None:
    text = printed(msgspec.structs.replace(SINGLE, **changes), full=True)
    assert expected in " ".join(text.split())
    plain = " ".join(printed(SINGLE, full=True).split())
    assert (expected in plain) == (not changes)


@pytest.mark.parametrize("name", ["[/red]", ":smiley:", "a\\[b]"])
def test_prints_markup_in_names_literally(name: str) -> None:
    assert lines_with(printed(Leaderboard((row(name),), {}, 1, 0)), name)


LONG = row(
    "a-bot-with-the-longest-name-that-may-be.",
    10, worst_rank=30, mu=45.67, sigma=8.33, rating=-12.34, score=1.0, score_low=0.901,
    score_high=1.0, games=123_456, points_per_game=-12.34,
    points_low=-13.57, points_high=-11.11, win_share=1.0, wins_low=0.94, wins_high=1.0,
    faults=123_456,
)  # fmt: skip
STRENGTH = ["45.67", "8.33"]
SCORE = ["-12.34", "100.0%", "±9.9", "10-30"]
POINTS = ["-12.34", "±1.23"]
WINS = ["100.0%", "94-100", "123456"]


@pytest.mark.parametrize(
    ("width", "numbers"),
    [
        (80, [*SCORE, "123456", "123456"]),
        (100, [*SCORE, "123456", *WINS]),
        (120, [*STRENGTH, *SCORE, "123456", *POINTS, *WINS]),
    ],
)
def test_long_names_do_not_hide_digits(width: int, numbers: list[str]) -> None:
    """Names may be cut, numbers never."""
    text = printed(Leaderboard((LONG, *ONE), {}, 1_234_567, 0), width)
    assert max(map(len, text.splitlines())) <= width
    (line,) = lines_with(text, "10")
    assert [word for word in line.split()[1:] if not word.startswith("a-bot")] == numbers
    assert lines_with(text, "1", "greedy", "23.82", "54.1%", "±2.3", "120", "2")
    assert "0 games" in printed(Leaderboard((), {"pot-de-vin/3": ()}, 0, 0), width)


@pytest.mark.parametrize("width", [30, 44, 80, 120])
def test_narrow_table_keeps_names_and_order_column(width: int) -> None:
    named = (row("first-of-two"), row("other-of-two", 2))
    by_score = msgspec.structs.replace(UNTIL, overall=named, variants={"x": named})
    for board, mark, figure in (
        (Leaderboard(named, {}, 9, 0), "rating ↓", "23.82"),
        (by_score, "score ↓", "54.1%"),
    ):
        lines = printed(board, width).split(" leads.")[0].splitlines()[:-1]
        assert any(mark in line for line in lines)
        for name in ("first-of-two", "other-of-two"):
            (line,) = [line for line in lines if name in line]
            assert figure in line
        assert not [line for line in lines if "…" in line]


# -- the matrix --------------------------------------------------------------------------------

PAIRS = [Pair("greedy", "random", 12, 1.0), Pair("random", "greedy", 12, 0.0)]


def matrix(pairs: Sequence[Pair], names: Sequence[str], width: int = 100) -> str:
    """Return the matrix as it is printed where there is no terminal."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    print_pairs(pairs, names, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_matrix_shows_head_to_head_results() -> None:
    lines = [line.split() for line in matrix(PAIRS, ["greedy", "random", "idle"]).splitlines()]
    assert lines[:4] == [
        ["1", "2", "3"],
        ["1", "greedy", ".", "100", "."],
        ["2", "random", "0", ".", "."],
        ["3", "idle", ".", ".", "."],
    ]


# -- a run with a stop rule --------------------------------------------------------------------

FOUR = tuple([row(name, rank, tier=1 + (rank > 1)) for rank, name in enumerate(
    ["ann", "ben", "cy", "dan"], 1
)])  # fmt: skip
BORDERS: tuple[Border, ...] = ("line", "close", "undecided")
CERTIFICATE = Certificate(
    tuple(
        [
            Neighbours(one.bot, other.bot, border, 0.87)
            for one, other, border in zip(FOUR, FOUR[1:], BORDERS, strict=False)
        ]
    ),
    0.95,
    0.05,
    75,
    3,
)
UNTIL = Leaderboard(
    FOUR, {"x": FOUR}, 120, 0, certificate={"overall": CERTIFICATE, "x": CERTIFICATE}, order="score"
)


def test_draws_lines_and_marks_close_neighbours() -> None:
    table = printed(UNTIL).split(" leads.")[0].splitlines()[:-1]
    shown = [line.strip() for line in table if line.strip()][2:]
    assert [line[0] for line in shown] == ["─", "1", "─", "2", "~", "4"]
    (line,) = lines_with(printed(UNTIL), "cy")
    assert line.split()[:3] == ["~", "3", "cy"]
    (line,) = lines_with(printed(UNTIL), "dan")
    assert line.split()[0] != "~"
    unseated = msgspec.structs.replace(FOUR[3], tier=None)
    text = printed(Leaderboard((*FOUR[1:3], unseated), {}, 1, 0))
    assert len([line for line in text.splitlines() if "───" in line]) == 1
    legend = printed(UNTIL, full=True)
    assert "x: not certain yet after 75 boards: 1 of 3 lines, 1 close; cy-dan 0.87\n" in legend
    assert "(95% confidence); ~: scores differ by less than 0.05\n" in legend
    assert "~" not in printed(SINGLE, full=True)
